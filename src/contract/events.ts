import { type Static, Type } from 'typebox';
import { commentParts } from './comment-parts.ts';
import { eventTypes, resultMetrics } from './event-types.ts';
import { ChangedCases, Overridden } from './history.ts';
import { LabelOrLatest } from './labels.ts';
import { maxPromptNameLength } from './limits.ts';
import { examplePerson, Person } from './people.ts';
import { AppliedProposal, verdicts } from './proposals.ts';
import { RecordedRelease } from './releases.ts';
import { roles } from './roles.ts';
import { objectOf, queryOf } from './shapes.ts';

export type { EventType } from './event-types.ts';

const VersionOrName = Type.Union([Type.String(), Type.Integer(), Type.Null()]);

const EventPrompt = Type.Object({ id: Type.String(), name: Type.String() });

const EventMember = Type.Object({ userId: Type.String(), name: Type.String(), role: Type.Optional(Type.Enum([...roles])) });
export type EventMember = Static<typeof EventMember>;

const EventCandidate = Type.Object(
  { id: Type.String(), title: Type.String(), revision: Type.Integer() },
  { description: 'The candidate. If it was deleted because it was applied, `version` is the version that was made from it.' },
);

export const EventProposal = Type.Object(
  {
    ...AppliedProposal.properties,
    message: Type.Optional(Type.String()),
    changes: Type.Optional(
      Type.Array(Type.Object({ prompt: Type.String(), label: Type.String(), version: Type.Optional(Type.Integer()) })),
    ),
    verdict: Type.Optional(Type.Enum([...verdicts])),
    text: Type.Optional(Type.String({ description: 'What the reviewer wrote.' })),
  },
  {
    description:
      'The proposal that the event is about, with its message and changes, or the proposal with which a label moved or a release started.',
  },
);

/** The place at which a comment was made. */
export const commentPlace = {
  proposal: Type.Optional(Type.String({ description: 'The id of the proposal.' })),
  version: Type.Optional(Type.Integer()),
  candidate: Type.Optional(Type.String({ description: 'The id of the candidate.' })),
  part: Type.Optional(Type.Enum([...commentParts])),
  line: Type.Optional(Type.Integer()),
};
const EventComment = Type.Object(
  {
    id: Type.String(),
    thread: Type.String({ description: 'The id of the first comment of the thread.' }),
    ...commentPlace,
    text: Type.Optional(Type.String({ description: 'Absent if the comment was deleted.' })),
    resolved: Type.Optional(Type.Boolean({ description: 'For `comment.changed`: the thread was resolved or reopened.' })),
  },
  { description: 'The comment. `prompt` is the prompt of its version or candidate, or the first prompt of its proposal.' },
);

export const exampleEvent = {
  type: 'label.moved',
  at: '2026-11-15T08:30:00.000Z',
  by: examplePerson,
  prompt: { id: 'p_mhz1k3p0_0005f0c9a7e21d4b836', name: 'support/triage' },
  label: 'production',
  from: 2,
  to: 3,
};

export const WorkspaceEvent = objectOf('WorkspaceEvent', exampleEvent, {
  type: Type.Enum([...eventTypes]),
  at: Type.String(),
  by: Type.Optional(Person),
  prompt: Type.Optional(EventPrompt),
  version: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  from: Type.Optional(Type.Union(VersionOrName.anyOf, { description: 'The previous name or version.' })),
  member: Type.Optional(EventMember),
  previousRole: Type.Optional(Type.Enum([...roles])),
  to: Type.Optional(Type.Union(VersionOrName.anyOf, { description: 'The new name or version.' })),
  override: Type.Optional(
    Type.String({
      description: 'The reason given for moving a label, or restoring a prompt, although the rules of the label were not met.',
    }),
  ),
  overridden: Type.Optional(Overridden),
  candidate: Type.Optional(EventCandidate),
  proposal: Type.Optional(EventProposal),
  comment: Type.Optional(EventComment),
  release: Type.Optional(RecordedRelease),
  cases: Type.Optional(ChangedCases),
  workspace: Type.Optional(
    Type.String({
      description:
        'For a prompt that was copied or moved: the name of the other workspace. `from` or `to` is the name of the prompt there.',
    }),
  ),
  labels: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'For `dependency.changed`: the labels of this prompt that are affected, including `latest`. For `rules.changed`: the labels whose ' +
        'protection, required checks or required approvals were added, changed or removed.',
    }),
  ),
  cause: Type.Optional(
    Type.Object(
      { prompt: EventPrompt, label: Type.String() },
      { description: 'For `dependency.changed`: the prompt that changed, and the label at which it is included.' },
    ),
  ),
  metric: Type.Optional(
    Type.Enum([...resultMetrics], {
      description:
        'For `results.worsened`: what became worse. `errors`: the share of calls that failed. `p95`: the 95th percentile of the duration ' +
        'of successful calls.',
    }),
  ),
  current: Type.Optional(
    Type.Number({
      description: 'For `results.worsened`: the value for `version`. A share from 0 to 1 for `errors`, milliseconds for `p95`.',
    }),
  ),
  previous: Type.Optional(Type.Number({ description: 'For `results.worsened`: the value for the version before it, which is `from`.' })),
  calls: Type.Optional(
    Type.Integer({
      description:
        'For `results.worsened`: the number of compared calls of `version`, which were reported with `label` in the last 7 days.',
    }),
  ),
  webhook: Type.Optional(Type.Object({ id: Type.String() }, { description: 'For `test`: the webhook to which the event is sent.' })),
});
export type WorkspaceEvent = Static<typeof WorkspaceEvent>;

export const EventStreamQuery = queryOf({
  after: Type.String({
    pattern: '^[0-9]{1,16}$',
    description: 'Start with the events after this id. The header `Last-Event-ID` does the same.',
  }),
  prompt: Type.String({ maxLength: maxPromptNameLength, description: 'Only events about the prompt with this name.' }),
  label: Type.Union(LabelOrLatest.anyOf, { description: 'Only events about this label.' }),
});
export type EventStreamQuery = Static<typeof EventStreamQuery>;

import { type Static, Type } from 'typebox';
import { AccountEventDetail } from './activity.ts';
import { activityKinds, activityTypes, entryKinds } from './activity-types.ts';
import { commentPlace, EventProposal } from './events.ts';
import { HistoryEntry } from './history.ts';
import { maxPromptNameLength, workspaceIdPattern } from './limits.ts';
import { listOf, pageParameters } from './lists.ts';
import { examplePerson, Person } from './people.ts';
import { objectOf, orNull, queryOf } from './shapes.ts';

const types = Object.keys(activityTypes);

const { id: _id, type: _type, at: _at, by: _by, ...changeFields } = HistoryEntry.properties;

const exampleDetail = { gatedLabels: [], previous: { gatedLabels: ['production'] } };
const ActivityDetail = objectOf('ActivityDetail', exampleDetail, {
  ...AccountEventDetail.properties,
  ...changeFields,
  proposal: Type.Optional(
    Type.Object({
      ...EventProposal.properties,
      problem: Type.Optional(Type.String({ description: 'Why the service could not apply the proposal at its scheduled time.' })),
    }),
  ),
  comment: Type.Optional(
    Type.Object(
      { ...commentPlace, prompt: Type.Optional(Type.String({ description: 'The name of the prompt at that time.' })) },
      { description: 'Where the comment was made. The activity does not contain the text of comments.' },
    ),
  ),
  workspace: Type.Optional(
    Type.Object(
      { id: Type.Optional(Type.String()), name: Type.String() },
      { description: 'The other workspace, to which a prompt was copied or moved, or from which it came.' },
    ),
  ),
});

const exampleEntry = {
  id: 'e_mhz1k3p0_0005f0c9a7e21d4b836',
  kind: 'settings',
  type: 'workspace_changed',
  at: '2026-11-15T08:30:00.000Z',
  by: examplePerson,
  prompt: null,
  detail: exampleDetail,
};
export const ActivityEntry = objectOf('ActivityEntry', exampleEntry, {
  id: Type.String(),
  kind: Type.Enum([...entryKinds]),
  type: Type.Enum(types),
  at: Type.String(),
  by: orNull(Person, 'Who made the change. Null if the service or its operator made it.'),
  prompt: orNull(
    Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'The current name of the prompt.' }),
      deletedAt: Type.Optional(Type.String({ description: 'When the prompt was deleted, if it is in the bin.' })),
    }),
    'The prompt that was changed. Null if the entry concerns the workspace.',
  ),
  detail: Type.Unsafe<Static<typeof ActivityDetail>>({
    ...ActivityDetail,
    description: 'What changed. For settings: the new values, with the earlier values in `previous`.',
  }),
});
export type ActivityEntry = Static<typeof ActivityEntry>;

export const WorkspaceActivity = listOf('WorkspaceActivity', ActivityEntry);

export const WorkspaceActivityQuery = queryOf({
  by: Type.String({
    pattern: workspaceIdPattern,
    description: 'The `userId` of a person or service account. This can be a former member.',
  }),
  type: Type.Enum([...activityKinds, ...types], {
    description:
      'Only entries of this kind or type. `gates` selects changes to gates, label moves that overrode a gate, and restored prompts that ' +
      'overrode one.',
  }),
  prompt: Type.String({
    // This limit counts UTF-16 units. The exact length of a name is checked when the name is looked up.
    maxLength: 2 * maxPromptNameLength,
    description: 'The current name of a prompt, or the last name of a prompt in the bin.',
  }),
  from: Type.String({ maxLength: 40, description: 'ISO 8601. Only entries at or after this time.' }),
  to: Type.String({ maxLength: 40, description: 'ISO 8601. Only entries before this time.' }),
  format: Type.Enum(['json', 'csv', 'jsonl'], {
    description:
      '`csv` and `jsonl` return all entries at once, without `limit` and `cursor`, as CSV (RFC 4180) or as one JSON object per line. The header `Accept: text/csv` or `Accept: application/x-ndjson` has the same effect. In CSV, text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`.',
  }),
  ...pageParameters,
});
export type WorkspaceActivityQuery = Static<typeof WorkspaceActivityQuery>;

import { type Static, Type } from 'typebox';
import { Label } from './labels.ts';
import { maxPromptNameLength, maxProposalChanges, maxProposalTextLength } from './limits.ts';
import { listOf, pageParameters } from './lists.ts';
import { examplePerson, Person } from './people.ts';
import { ProposedRelease } from './releases.ts';
import { bodyOf, exactObject, objectOf, orNull, queryOf } from './shapes.ts';
import { VersionNumber } from './versions.ts';

// A proposal is a move of one or more labels that others can review before it happens.

/**
 * The states that are stored. Whether an open proposal is also approved, scheduled or stale is determined each time the proposal is read.
 */
export const storedProposalStates = ['open', 'applied', 'declined', 'withdrawn', 'expired'] as const;
export type StoredProposalState = (typeof storedProposalStates)[number];
export const proposalStates = ['open', 'approved', 'scheduled', 'stale', 'applied', 'declined', 'withdrawn', 'expired'] as const;
export type ProposalState = (typeof proposalStates)[number];
export const verdicts = ['approve', 'decline'] as const;
export type Verdict = (typeof verdicts)[number];

const exampleChange = { prompt: 'support/triage', label: 'production', version: 4 };
/** The proposal with which a label moved or a release started. */
export const AppliedProposal = Type.Object({
  id: Type.String(),
  automatic: Type.Optional(Type.Literal(true, { description: 'The service applied the proposal at its scheduled time.' })),
  late: Type.Optional(
    Type.Literal(true, {
      description:
        'The service applied the proposal more than 5 minutes after its scheduled time, because the service was not running or the last approval was missing.',
    }),
  ),
});
export type AppliedProposal = Static<typeof AppliedProposal>;

const NewChange = exactObject({
  prompt: Type.String({ maxLength: maxPromptNameLength, description: 'The name of the prompt.' }),
  label: Label,
  version: Type.Optional(Type.Integer({ ...VersionNumber, description: 'The version to move the label to.' })),
  candidate: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the candidate to make a version from.' })),
  release: Type.Optional(ProposedRelease),
});
export type NewChange = Static<typeof NewChange>;

const Changes = Type.Array(NewChange, {
  minItems: 1,
  maxItems: maxProposalChanges,
  description: 'The labels to move. Each has exactly one of `version`, `candidate` and `release`. All of them move in one transaction.',
});
const Text = Type.String({ maxLength: maxProposalTextLength });

export const NewProposal = bodyOf(
  'NewProposal',
  { changes: [exampleChange], message: 'Shorter answers', reviewers: [examplePerson.userId] },
  {
    changes: Changes,
    message: Type.Optional(Type.String({ ...Text, description: 'What the proposal is for.' })),
    reviewers: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 20,
        uniqueItems: true,
        description: 'The ids of members who are asked for a review.',
      }),
    ),
    applyAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the service applies the proposal, once it is approved. Without it, a person applies the proposal.',
      }),
    ),
  },
);
export type NewProposal = Static<typeof NewProposal>;

const Revision = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    'Identifies what the proposal would change. It changes if a candidate changes, if a prompt is renamed, if a label or release changes in the ' +
    'meantime, or if the test cases of a gated label change. Approvals count only for the current revision. A request with an older ' +
    'revision is refused with 409 `proposal_changed`. A proposal that has ended keeps the revision of its last approval or refusal.',
});

const UnruledInclude = Type.Object({ prompt: Type.String(), label: Type.String() });
export type UnruledInclude = Static<typeof UnruledInclude>;

const ProposedChange = Type.Object({
  prompt: Type.Object({ id: Type.String(), name: Type.String() }),
  label: Type.String(),
  from: orNull(Type.Integer(), 'The version that the label points at. Null if the label does not exist or the proposal has ended.'),
  version: Type.Optional(Type.Integer()),
  candidate: Type.Optional(Type.Object({ id: Type.String(), title: Type.String(), revision: Type.Integer() })),
  release: Type.Optional(ProposedRelease),
  unruledIncludes: Type.Optional(
    Type.Array(UnruledInclude, {
      description:
        'Up to 20 prompts that the content includes, directly or indirectly, at labels without a rule. They can change later without an ' +
        'approval. Only `GET /api/proposals/{id}` returns this, for an open proposal and a label with a rule.',
    }),
  ),
  approvals: Type.Object(
    { required: Type.Integer(), given: Type.Integer() },
    { description: 'How many approvals the rule of the label requires, and how many count for this change.' },
  ),
});
export type ProposedChange = Static<typeof ProposedChange>;

const Review = Type.Object({
  id: Type.String(),
  by: Person,
  verdict: Type.Enum([...verdicts]),
  text: Type.String(),
  at: Type.String(),
  current: Type.Boolean({ description: 'Whether the review is about the current revision.' }),
});
export type Review = Static<typeof Review>;

const ProposalResult = Type.Object({
  prompt: Type.String(),
  label: Type.String(),
  version: Type.Optional(Type.Integer()),
  from: Type.Optional(Type.Integer({ description: 'The version that the label pointed at before. Absent if it was new.' })),
  release: Type.Optional(Type.String({ description: 'The id of the release that was started.' })),
});
export type ProposalResult = Static<typeof ProposalResult>;

const MyApproval = Type.Object(
  {
    given: Type.Boolean({ description: 'Whether the caller has approved the current revision.' }),
    counts: Type.Boolean({ description: 'Whether an approval of the caller counts, or would count, for at least one of the changes.' }),
    reason: orNull(
      Type.Enum(['ended', 'program', 'role', 'not_needed', 'opened', 'wrote', 'holds_key']),
      'Why the approval does not count. `program`: the caller is a service account. `role`: the caller may not move one of the labels. ' +
        '`not_needed`: the rules require no approval. `opened` and `wrote`: the caller opened the proposal or contributed to the content. ' +
        '`holds_key`: a service account did so, and the caller has received its key.',
    ),
  },
  { description: 'Whether the approval of the caller counts. People approve in the dashboard, and not with their API keys.' },
);
export type MyApproval = Static<typeof MyApproval>;

const exampleProposal = {
  id: 'prop_mi4w7x2c_000a1d4b8365f0c9a7e',
  state: 'open',
  revision: 'k3Vx0c9a7e21d4b8',
  message: 'Shorter answers',
  changes: [
    {
      prompt: { id: 'p_mhz1k3p0_0005f0c9a7e21d4b836', name: 'support/triage' },
      label: 'production',
      from: 3,
      version: 4,
      approvals: { required: 1, given: 0 },
    },
  ],
  reviewers: [],
  myApproval: { given: false, counts: true, reason: null },
  reviews: [],
  applyAt: null,
  problem: null,
  openedAt: '2026-11-15T08:30:00.000Z',
  openedBy: examplePerson,
  endedAt: null,
  endedBy: null,
  result: null,
};
export const Proposal = objectOf('Proposal', exampleProposal, {
  id: Type.String({ description: 'Starts with `prop_`.' }),
  state: Type.Enum([...proposalStates], {
    description:
      '`approved`: it has all approvals and can be applied. `scheduled`: it has all approvals and is applied at `applyAt`. `stale`: its ' +
      'effect changed after it was approved, so it must be approved again. `expired`: it had no activity for 90 days.',
  }),
  revision: Revision,
  message: Type.String(),
  changes: Type.Array(ProposedChange),
  reviewers: Type.Array(Type.String()),
  myApproval: MyApproval,
  reviews: Type.Array(Review),
  applyAt: orNull(Type.String()),
  problem: orNull(Type.String(), 'Why the service could not apply the proposal at its scheduled time. A person can apply it.'),
  openedAt: Type.String(),
  openedBy: Person,
  endedAt: orNull(Type.String()),
  endedBy: orNull(Person),
  result: orNull(Type.Array(ProposalResult), 'The result of applying the proposal. Null unless it was applied.'),
});
export type Proposal = Static<typeof Proposal>;
export const ProposalList = listOf('ProposalList', Proposal);

export const ProposalQuery = queryOf({
  ...pageParameters,
  state: Type.Enum(['open', 'ended'], { description: '`open`: those that can still be applied.' }),
  prompt: Type.String({ maxLength: maxPromptNameLength, description: 'Only proposals that change the prompt with this name.' }),
  waiting: Type.Enum(['true'], { description: 'Only proposals that are waiting for your review.' }),
});
export type ProposalQuery = Static<typeof ProposalQuery>;

export const NewReview = bodyOf(
  'NewReview',
  { verdict: 'approve', revision: exampleProposal.revision },
  {
    verdict: Type.Enum([...verdicts], { description: '`decline` ends the proposal.' }),
    text: Type.Optional(Text),
    revision: Type.String({ ...Revision, description: 'The revision that was reviewed.' }),
  },
);
export type NewReview = Static<typeof NewReview>;

export const ProposalApplication = bodyOf('ProposalApplication', { revision: exampleProposal.revision }, { revision: Revision });
export type ProposalApplication = Static<typeof ProposalApplication>;

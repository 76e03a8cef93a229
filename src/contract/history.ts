import { type Static, Type } from 'typebox';
import { historyEntryTypes } from './activity-types.ts';
import { labelPattern } from './limits.ts';
import { listOf } from './lists.ts';
import { examplePerson, Person } from './people.ts';
import { AppliedProposal } from './proposals.ts';
import { RecordedRelease } from './releases.ts';
import { exactObject, objectOf } from './shapes.ts';
import { VersionNumber } from './versions.ts';

export const ChangedCases = Type.Object(
  { action: Type.Enum(['added', 'changed', 'deleted']), name: Type.String(), count: Type.Integer() },
  { description: 'For a change of test cases: what was done, the name of the first test case, and how many were changed.' },
);

/** The rules that an override bypassed. */
export const Overridden = Type.Array(Type.Enum(['approval', 'checks']), {
  description: 'For `override`: what was missing, the approval of a proposal or passing checks. Absent in entries of earlier versions.',
});
export type Overridden = Static<typeof Overridden>;

const exampleHistoryEntry = {
  id: 'e_mhz1k3p0_0005f0c9a7e21d4b836',
  type: 'label_moved',
  at: '2026-11-15T08:30:00.000Z',
  by: examplePerson,
  label: 'production',
  from: 2,
  to: 3,
};
export const HistoryEntry = objectOf('HistoryEntry', exampleHistoryEntry, {
  id: Type.String(),
  type: Type.Enum(historyEntryTypes),
  at: Type.String(),
  by: Person,
  version: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  from: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()], { description: 'The previous name or version.' })),
  to: Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: 'The new name or version.' })),
  override: Type.Optional(
    Type.String({
      description: 'The reason given for moving a label, or restoring a prompt, although the rules of the label were not met.',
    }),
  ),
  overridden: Type.Optional(Overridden),
  release: Type.Optional(RecordedRelease),
  proposal: Type.Optional(
    Type.Object(AppliedProposal.properties, {
      description: 'The proposal with which the version was saved, the label moved or the release started.',
    }),
  ),
  cases: Type.Optional(ChangedCases),
  workspace: Type.Optional(
    Type.String({
      description:
        'For `copied` and `moved_in`: the name of the workspace from which the prompt came. For `moved_out`: the name of the workspace ' +
        'to which it was moved.',
    }),
  ),
  copied: Type.Optional(
    Type.Literal(true, { description: 'For `label_moved`: the label was moved on the original, before the prompt was copied.' }),
  ),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

export const History = listOf('History', HistoryEntry);

const compared =
  'A version number, a label, `latest`, or the id of a candidate. Digits always mean a version, and `cand_…` always means a candidate.';
const Compared = (description: string) =>
  Type.Union([VersionNumber, Type.String({ pattern: labelPattern })], { description: `${description} ${compared}` });

export const DiffQuery = exactObject({
  from: Compared('The older side of the comparison.'),
  to: Compared('The newer side of the comparison.'),
});
export type DiffQuery = Static<typeof DiffQuery>;

const exampleDiff = { from: 1, to: 2, text: '--- version 1\n+++ version 2\n@@ -1,1 +1,1 @@\n-Hello\n+Hello {{ name }}\n', config: '' };
const DiffSide = Type.Union([Type.Integer(), Type.String()], { description: 'The version, or the id of the candidate.' });
export const Diff = objectOf('Diff', exampleDiff, {
  from: DiffSide,
  to: DiffSide,
  text: Type.String({ description: 'Unified diff of the text. Empty if there is no difference.' }),
  config: Type.String({ description: 'Unified diff of the config as indented JSON. Empty if there is no difference.' }),
});
export type Diff = Static<typeof Diff>;

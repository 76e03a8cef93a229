import { type Static, Type } from 'typebox';
import { ReleaseFields } from './releases.ts';

// Statistics and results list the releases that divided the callers of a prompt at some point in the requested range.

const { id, label, state, startedAt, changedAt, endedAt } = ReleaseFields.properties;
const arm = {
  arm: Type.String({ description: '`control`, or the version of the arm, such as `v4`.' }),
  version: Type.Integer(),
  weight: Type.Integer({ description: 'In ten-thousandths of the keys. If the release has ended: the last weight.' }),
  reads: Type.Integer({
    minimum: 0,
    description: 'How often a key or a rule chose the version in the range. Does not depend on `status`, `label` or `model`.',
  }),
};
const release = { id, label, state, startedAt, changedAt, endedAt };
const readsWithoutKey = Type.Integer({ minimum: 0, description: 'The reads in the range without a key, which got the control.' });
const order = 'The control first, then the arms.';
const description =
  'The last release of each label, if it overlaps the range. Earlier releases are in the history of the prompt. Sorted by start, latest first.';

export const ReadRelease = Type.Object({
  ...release,
  readsWithoutKey,
  arms: Type.Array(Type.Object(arm), { description: order }),
});
export type ReadRelease = Static<typeof ReadRelease>;
export const ReadReleases = Type.Array(ReadRelease, { description: `Present only if you filter by \`prompt\`. ${description}` });

export const ReportedRelease = Type.Object({
  ...release,
  readsWithoutKey,
  arms: Type.Array(
    Type.Object({
      ...arm,
      units: Type.Integer({ minimum: 0, description: 'The keys with results since the weights last changed.' }),
      calls: Type.Integer({ minimum: 0, description: 'The reported calls with these keys.' }),
    }),
    { description: order },
  ),
});
export type ReportedRelease = Static<typeof ReportedRelease>;
export const ReportedReleases = Type.Array(ReportedRelease, { description: `${description} With \`label\`, only that label’s release.` });

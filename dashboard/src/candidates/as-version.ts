import type { Candidate, Version } from '../lib/types.ts';

/** Returns a candidate in the form of a version whose number is the revision, so that the editor can use it like a version. */
export function asVersion({ revision, changedAt, changedBy, ...content }: Candidate): Version {
  const { id: _, title: __, baseVersion: ___, createdAt: ____, createdBy: _____, ...version } = content;
  return { ...version, version: revision, labels: [], by: changedBy, createdAt: changedAt };
}

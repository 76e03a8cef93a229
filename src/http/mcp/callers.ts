import { type Static, Type } from 'typebox';
import type { Caller } from '../../contract/release-assignment.ts';
import { ReleaseContext, ReleaseKey } from '../../contract/release-callers.ts';
import type { ServedPrompt } from '../../domain/statistics/counters.ts';
import { createValidator } from '../middleware/validation.ts';

const releaseName = 'promptharbor/release';

/** The fields about the caller in the metadata of a request. Other metadata is ignored. */
const CallerMeta = Type.Object({
  'promptharbor/key': Type.Optional(ReleaseKey),
  'promptharbor/context': Type.Optional(ReleaseContext),
});
type CallerMeta = Static<typeof CallerMeta>;
const findProblem = createValidator(CallerMeta);

/** The arguments with which a tool call says for whom it reads a prompt. */
export const callerInput = { key: Type.Optional(ReleaseKey), context: Type.Optional(ReleaseContext) };

/** Reads the key and the context of a caller from the metadata of a request. Throws if they are not valid. */
export function readCallerMeta(meta: Record<string, unknown> = {}): Caller {
  const problem = findProblem(meta);
  if (problem) throw problem;
  // The metadata has just been validated.
  const { 'promptharbor/key': key, 'promptharbor/context': context } = meta as CallerMeta;
  return { key, context };
}

/** Returns the metadata of a response whose version a release chose. */
export function toReleaseMeta(served: ServedPrompt | undefined): { _meta?: Record<string, unknown> } {
  return served?.release ? { _meta: { [releaseName]: served.release } } : {};
}

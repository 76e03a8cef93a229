import type { ResultReport, Version } from '../types.ts';

/** A model call, as it is reported. */
export type CallReport = ResultReport['calls'][number] & Released;

/** The version of a prompt that a call uses. */
export type Called = Pick<CallReport, 'prompt' | 'version' | 'label'> & Released;

/** The release that chose the version by the key, and the key. */
export interface Released {
  release?: string;
  key?: string;
}

/** Returns the fields of a report about a release. A report contains the key only if a release chose the version by this key. */
export function toReleased(release: Version['release'], key: string | undefined): Released {
  return release?.reason === 'SPLIT' && key !== undefined ? { release: release.id, key } : {};
}

/** Gives a call an id if it has none, so that it is counted once however often it is sent. */
export function withIdentity(call: CallReport): CallReport {
  if (call.traceId !== undefined) return { spanId: crypto.randomUUID(), ...call };
  return call.spanId === undefined ? { id: crypto.randomUUID(), ...call } : call;
}

import type { ResultReport } from '../types.ts';

/** A model call, as it is reported. */
export type CallReport = ResultReport['calls'][number];

/** Gives a call an id if it has none, so that it is counted once however often it is sent. */
export function withIdentity(call: CallReport): CallReport {
  if (call.traceId !== undefined) return { spanId: crypto.randomUUID(), ...call };
  return call.spanId === undefined ? { id: crypto.randomUUID(), ...call } : call;
}

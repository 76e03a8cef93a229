import { createHash, randomUUID } from 'node:crypto';
import type { CallRef, RatedRef } from '../../store/statistics/result-batch.ts';
import type { CallIdentity } from './report.ts';

/** Returns the references under which a call is known. A call without ids is always new. */
export function toCallRef({ traceId, spanId }: CallIdentity): CallRef {
  if (traceId === undefined && spanId === undefined) return { traceRef: toRef('call', randomUUID()), spanRef: '' };
  if (traceId === undefined) return { traceRef: toRef('call', spanId ?? ''), spanRef: '' };
  // Calls that name only their trace cannot be told apart, so each of them is new.
  return { traceRef: toRef('trace', traceId), spanRef: toRef('span', spanId ?? randomUUID()) };
}

/** Returns the reference to the call or trace that a score rates. */
export function toRatedRef(identity: CallIdentity): RatedRef {
  const { traceId, spanId, responseId } = identity;
  if (responseId !== undefined) return { responseRef: toRef('response', responseId) };
  return spanId === undefined ? { traceRef: toRef('trace', traceId ?? '') } : toCallRef(identity);
}

/** The ids of OpenTelemetry. */
const telemetryIds = { trace: /^[0-9a-f]{32}$/, span: /^[0-9a-f]{16}$/ };

/** Returns an id of OpenTelemetry unchanged. Hashes any other id, so that a program cannot use ids to store text. */
export function toRef(kind: 'trace' | 'span' | 'response' | 'call' | 'score', id: string): string {
  if ((kind === 'trace' || kind === 'span') && telemetryIds[kind].test(id)) return id;
  return createHash('sha256').update(`${kind}\n${id}`).digest('base64url').slice(0, 22);
}

import type { CallReport } from '../../contract/results.ts';
import type { ReportedCall } from '../../domain/results/report.ts';
import { parseTime } from '../../domain/statistics/time-range.ts';

/** Converts a call in a request body to a reported call. */
export function toReportedCall({ traceId, spanId, responseId, id, endedAt, ...call }: CallReport, index: number): ReportedCall {
  const endedAtMs = parseTime(`/calls/${index}/endedAt`, endedAt)?.getTime();
  return { ...call, endedAtMs, identity: { traceId, spanId: traceId === undefined ? (id ?? spanId) : (spanId ?? id), responseId } };
}

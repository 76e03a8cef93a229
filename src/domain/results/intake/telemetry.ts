import type { Attributes } from './attributes.ts';

/** A span of OpenTelemetry, with its known attributes only. An id is undefined if it is missing or has a wrong length. */
export interface Span {
  traceId: string | undefined;
  spanId: string | undefined;
  parentId: string | undefined;
  /** The start in nanoseconds since 1970, or zero if it is missing. */
  startNs: bigint;
  endNs: bigint;
  hasError: boolean;
  attributes: Attributes | undefined;
}

/** A log record of OpenTelemetry, with its known attributes only. */
export interface LogRecord {
  traceId: string | undefined;
  spanId: string | undefined;
  timeNs: bigint;
  eventName: string | undefined;
  attributes: Attributes | undefined;
}

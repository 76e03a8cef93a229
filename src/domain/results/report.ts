import type { MeasuredUnit } from '../../store/statistics/result-batch.ts';

/** A program's report, in any of the accepted formats. It contains numbers, names and ids, but no inputs or outputs of a model. */
export interface Report {
  calls: ReportedCall[];
  /** The ends of calls that were reported as open. */
  ends: ReportedEnd[];
  scores: ReportedScore[];
  /** The number of spans that do not name a prompt. */
  unnamed: number;
  /** The number of spans and scores that have invalid values or exceed a limit. */
  invalid: number;
}

/** A model call. */
export interface ReportedCall extends Measurements {
  prompt: string;
  /** The number of the version, or a string for it, such as `3`, `v3` or a label. */
  version?: number | string | undefined;
  label?: string | undefined;
  /** The id of the release that chose the version by the key. */
  release?: string | undefined;
  /** The key by which a release divides callers, such as the id of a user. Only a hash of it may be stored. */
  key?: string | undefined;
  identity: CallIdentity;
  /** True if the end of the call follows in a later request. Such a call has no measurements yet. */
  isOpen?: boolean | undefined;
  startedAtMs?: number | undefined;
}

/** The identity of a call. Each identity is counted once. */
export interface CallIdentity {
  traceId?: string | undefined;
  /** The id of the call within its trace or, without a trace, the id of the call. */
  spanId?: string | undefined;
  responseId?: string | undefined;
}

interface Measurements {
  model?: string | undefined;
  /** The provider that runs the model, such as `openai`. */
  provider?: string | undefined;
  endedAtMs?: number | undefined;
  durationMs?: number | undefined;
  firstChunkMs?: number | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  /** The cost in US dollars. */
  cost?: number | undefined;
  /** Why the call failed. */
  error?: string | undefined;
}

/** The end of a call that was reported as open, with the same trace id and span id. */
export interface ReportedEnd extends Measurements {
  identity: CallIdentity;
  /** When the first part of the response arrived. */
  firstChunkAtMs?: number | undefined;
}

/** A score of a call, a trace or a version. */
export interface ReportedScore {
  prompt?: string | undefined;
  version?: number | undefined;
  label?: string | undefined;
  rated?: CallIdentity | undefined;
  /** Set if the score counts for a release and rates a version. */
  unit?: MeasuredUnit | undefined;
  name: string;
  value: number | boolean | string;
  comment?: string | undefined;
  /** The id of the score. Each id is counted once. */
  id?: string | undefined;
}

export const emptyReport = (): Report => ({ calls: [], ends: [], scores: [], unnamed: 0, invalid: 0 });

import type { ResultCounts } from './usage-counts.ts';

/** The version that a call used, with the names under which the call is counted. */
export interface CalledVersion {
  accountId: string;
  promptId: string;
  version: number;
  label: string;
  model: string;
}

/** A key in a stage of a release. The service keeps only a hash of the key, which is different in each release. */
export interface ReleaseUnit {
  releaseId: string;
  stage: number;
  /** The version that the release gives to the key. */
  version: number;
  hash: string;
}

/** A unit, with the names of the scores that its release measures. */
export interface MeasuredUnit extends ReleaseUnit {
  scores: readonly string[];
}

/** A call, which is counted unless its references were already counted. */
export interface CountedCall extends CalledVersion, CallRef {
  responseRef: string | null;
  /** Set if the end of the call is reported later. */
  startedMs: number | null;
  /** Set if the call counts for a release. */
  unit?: MeasuredUnit | undefined;
}

export interface CallRef {
  traceRef: string;
  spanRef: string;
}

/** The subject of a score: a call, all calls of a trace, or the call with a response. */
export type RatedRef = CallRef | { traceRef: string } | { responseRef: string };

/** A score, which is counted unless its id was already counted. */
export interface CountedScore {
  accountId: string;
  /** A hash of the score's id. */
  id: string;
  /** Whether the score was reported without an id. In this case, `id` is random and need not be remembered. */
  isNew: boolean;
  /** The version that is rated, or a reference to the rated calls. */
  target: CalledVersion | RatedRef;
  /** If set, only calls of this prompt are rated. */
  promptId: string | undefined;
  score: ScoreValue;
  /** Set if the target is a version and the score counts for a release. A rated call has its own unit. */
  unit?: MeasuredUnit | undefined;
}

export interface ScoreValue {
  name: string;
  value: number | boolean | string;
  comment: string | undefined;
}

/** The end of an open call. */
export interface CallEnd<Measured> extends CallRef {
  accountId: string;
  /** The model, if the end names it. */
  model: string | undefined;
  measured: Measured;
}

/** The data that is recorded in one transaction. */
export interface ResultBatch<Measured> {
  /** The minute of the arrival, such as `2026-03-01T14:05`. */
  minute: string;
  calls: { call: CountedCall; measured: Measured }[];
  ends: CallEnd<Measured>[];
  scores: CountedScore[];
}

/** The calls and scores of a batch that were not counted before. */
export interface NewResults<Measured> {
  calls: NewCall<Measured>[];
  scores: NewScore[];
}

export interface NewCall<Measured> {
  version: CalledVersion;
  measured: Measured;
  startedMs: number | null;
  unit: ReleaseUnit | undefined;
}

export interface NewScore {
  version: CalledVersion;
  score: ScoreValue;
  unit: ReleaseUnit | undefined;
}

export interface CommentRow extends CalledVersion {
  id: string;
  at: string;
  name: string;
  value: string;
  comment: string;
}

/** The amounts that are added to the results of a unit. */
export interface UnitCounts extends ReleaseUnit {
  accountId: string;
  calls: number;
  errors: number;
  /** The successful calls whose duration is known, and the sum of the natural logarithms of their durations. */
  timed: number;
  logDuration: number;
  /** The successful calls whose cost is known, and the sum of the natural logarithms of their costs. */
  priced: number;
  logCost: number;
  scores: Map<string, { count: number; total: number }>;
}

/** The counters, units and comments that follow from new results. */
export interface ResultRows {
  counts: ResultCounts;
  units: UnitCounts[];
  comments: CommentRow[];
}

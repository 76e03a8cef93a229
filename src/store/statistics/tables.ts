import type { ReleaseReason } from '../../contract/release-assignment.ts';
import type { Fixed, FixedOrNull } from '../columns.ts';

/**
 * The tables of the statistics. The embedded engine stores them in a separate file, PostgreSQL in the same database as all other tables.
 */
export interface StatisticsDatabase {
  /** Calls made with a key. */
  call_statistics: Counted & {
    route: Fixed<string>;
    status: Fixed<number>;
    /** The duration bucket, see domain/statistics/durations.ts. */
    bucket: Fixed<number>;
  };

  /** Calls, by the prompt in the response. If the call had no version or label, `version` is 0 or `label` is empty. */
  prompt_statistics: Counted & { prompt_id: Fixed<string>; version: Fixed<number>; label: Fixed<string>; status: Fixed<number> };

  /**
   * Renders of a prompt. For a failed render, `code` is the cause, and `name` is the name of the missing variable or include, or empty. A
   * successful render has a row with `renderedCode`, whose name contains the label and the variables that the version required. For each
   * variable that was sent although it was not required, it has a row with `sentCode`, whose name contains the label and the variable.
   * Beyond the limit of names, the variable is left out.
   */
  render_errors: Counted & { prompt_id: Fixed<string>; code: Fixed<string>; name: Fixed<string> };

  /**
   * Calls by the member whose key was used. An account's calls in its own workspace have no rows, because these calls are all calls minus
   * the calls of the other members. `member_id` is empty for calls beyond the limit of counters.
   */
  member_statistics: Counted & { member_id: Fixed<string>; route: Fixed<string>; status: Fixed<number> };

  /** Requests to models. `member_id` and `model` are empty beyond the limit of counters. */
  run_statistics: Counted & {
    member_id: Fixed<string>;
    model: Fixed<string>;
    has_failed: Fixed<number>;
    bucket: Fixed<number>;
    input_tokens: number;
    output_tokens: number;
    /** The cost in US dollars. */
    cost: number;
    /** The number of requests that used tokens of a model without a price. */
    unpriced: number;
  };

  /** Reads of a label with a release, by the version that the caller got and the reason, see `ReleaseReason`. */
  release_statistics: Counted & { release_id: Fixed<string>; version: Fixed<number>; reason: Fixed<ReleaseReason> };

  /** The distinct keys with which a prompt was read on a day, see `KeySketch`. */
  prompt_keys: { account_id: Fixed<string>; prompt_id: Fixed<string>; day: Fixed<string>; sketch: string };

  /** Model calls that programs reported. A version that is unknown or beyond a limit is 0, and such a label or model is empty. */
  result_sums: Counted &
    ResultKey & {
      errors: number;
      input_tokens: number;
      output_tokens: number;
      /** The cost in US dollars. */
      cost: number;
      /** The number of calls whose cost is known. */
      priced: number;
      /** The number of calls that used tokens of a model without a price. */
      unpriced: number;
    };

  /** Counts by name, such as calls by duration bucket or by type of error. `kind` says what `name` is, see `ResultKind`. */
  result_counts: Counted & ResultKey & { kind: Fixed<ResultKind>; name: Fixed<string> };

  /** Reported scores. Each category has its own row. The values of all other scores are added up. */
  result_scores: Counted &
    ResultKey & { name: Fixed<string>; kind: Fixed<ScoreKind>; value: Fixed<string>; total: number; squares: number };

  /**
   * The calls and scores that were counted. The rows ensure that each call and score is counted once, and show which version a score rates.
   * The references are OpenTelemetry's ids, or hashes of other ids. The row of a score has no prompt.
   */
  counted_calls: {
    account_id: Fixed<string>;
    trace_ref: Fixed<string>;
    span_ref: Fixed<string>;
    response_ref: FixedOrNull;
    time: Fixed<string>;
    prompt_id: Fixed<string>;
    version: Fixed<number>;
    label: Fixed<string>;
    model: string;
    /** Set until the end of the call is reported. The call is counted only then. */
    started_ms: number | null;
    /** The unit of a release for which the call counts, see `toUnitRef`. */
    release_unit: FixedOrNull;
  };

  /**
   * The stages of releases that have units. A stage begins when the weights change. `units` is the number of units, and `scores` contains
   * the names of the scores that the release measures, as JSON.
   */
  release_stages: StageKey & { units: number; scores: string };

  /**
   * The results of each unit, which is a key, in a stage of a release. `unit` is a hash of the key. `log_duration` and `log_cost` are sums
   * of natural logarithms over the `timed` and `priced` calls.
   */
  release_units: StageKey & {
    version: Fixed<number>;
    unit: Fixed<string>;
    calls: number;
    errors: number;
    timed: number;
    log_duration: number;
    priced: number;
    log_cost: number;
  };

  /** The scores of each unit in a stage of a release. */
  release_scores: StageKey & { version: Fixed<number>; name: Fixed<string>; unit: Fixed<string>; count: number; total: number };

  /** Scores of calls that have not been reported yet. */
  waiting_scores: { account_id: Fixed<string>; ref: Fixed<string>; id: Fixed<string>; time: Fixed<string>; score: Fixed<string> };

  /** The comments that were sent with feedback. The order of the ids is the order of the times. */
  feedback_comments: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    time: Fixed<string>;
    at: Fixed<string>;
    version: Fixed<number>;
    label: Fixed<string>;
    name: Fixed<string>;
    value: Fixed<string>;
    comment: Fixed<string>;
  };

  key_uses: { account_id: Fixed<string>; key_serial: number; last_used_at: string };

  /** The last batch written by each instance, so that no batch is counted twice. */
  statistics_writers: { id: Fixed<string>; sequence: number; updated_at: string };
}

export const renderedCode = 'rendered';
export const sentCode = 'sent';

/** Returns the name under which renders at a label are counted. Neither labels nor counted variables contain line breaks. */
export const nameRenders = (label: string, required: string[]) => [label, ...required].join('\n');

/** `time` is an hour (`2026-03-01T14`), or a day (`2026-03-01`) once hours are aggregated. */
interface Counted {
  account_id: Fixed<string>;
  time: Fixed<string>;
  calls: number;
}

interface StageKey {
  account_id: Fixed<string>;
  release_id: Fixed<string>;
  stage: Fixed<number>;
}

interface ResultKey {
  prompt_id: Fixed<string>;
  version: Fixed<number>;
  label: Fixed<string>;
  model: Fixed<string>;
}

/**
 * The kinds of counts in `result_counts`. `duration`: successful calls by duration bucket. `first_chunk`: successful calls by the bucket of
 * the time to the first part of the response. `error`: failed calls by type of error. `dropped`: calls and scores that were not counted, by
 * reason. These rows have no prompt.
 */
export type ResultKind = 'duration' | 'first_chunk' | 'error' | 'dropped';
export type ScoreKind = 'number' | 'boolean' | 'category';

/** The tables that count calls, with their primary keys. All other columns are sums. */
export const countKeys = {
  call_statistics: ['account_id', 'time', 'route', 'status', 'bucket'],
  prompt_statistics: ['account_id', 'time', 'prompt_id', 'version', 'label', 'status'],
  render_errors: ['account_id', 'time', 'prompt_id', 'code', 'name'],
  member_statistics: ['account_id', 'time', 'member_id', 'route', 'status'],
  run_statistics: ['account_id', 'time', 'member_id', 'model', 'has_failed', 'bucket'],
  release_statistics: ['account_id', 'time', 'release_id', 'version', 'reason'],
  result_sums: ['account_id', 'time', 'prompt_id', 'version', 'label', 'model'],
  result_counts: ['account_id', 'time', 'prompt_id', 'version', 'label', 'model', 'kind', 'name'],
  result_scores: ['account_id', 'time', 'prompt_id', 'version', 'label', 'model', 'name', 'kind', 'value'],
} satisfies { [Table in keyof StatisticsDatabase]?: (keyof StatisticsDatabase[Table])[] };

export type CountTable = keyof typeof countKeys;
export const countTables = Object.keys(countKeys) as CountTable[];

/** The primary key of the sketches of keys. Rows are deleted by age. */
export const sketchKeys = { prompt_keys: ['account_id', 'prompt_id', 'day'] } satisfies {
  prompt_keys: (keyof StatisticsDatabase['prompt_keys'])[];
};

/** The tables with one row per call, score or comment, with their primary keys. Rows are deleted by age and number. */
export const resultKeys = {
  counted_calls: ['account_id', 'trace_ref', 'span_ref'],
  waiting_scores: ['account_id', 'ref', 'id'],
  feedback_comments: ['account_id', 'prompt_id', 'id'],
} satisfies { [Table in keyof StatisticsDatabase]?: (keyof StatisticsDatabase[Table])[] };

export type ResultTable = keyof typeof resultKeys;
export const resultTables = Object.keys(resultKeys) as ResultTable[];

/**
 * The tables with the results of releases, with their primary keys. Rows are deleted by stage. Queries add up
 * rows by version and name, so these columns come before the unit. The version is not needed to tell rows apart, because a unit has only one
 * version in a stage.
 */
export const releaseKeys = {
  release_scores: ['account_id', 'release_id', 'stage', 'version', 'name', 'unit'],
  release_units: ['account_id', 'release_id', 'stage', 'version', 'unit'],
  release_stages: ['account_id', 'release_id', 'stage'],
} satisfies { [Table in keyof StatisticsDatabase]?: (keyof StatisticsDatabase[Table])[] };

export type ReleaseTable = keyof typeof releaseKeys;
/** The order in which the rows of a stage are deleted. The row of the stage itself is last, because it is needed to find the other rows. */
export const releaseTables = Object.keys(releaseKeys) as ReleaseTable[];

const sums: { [Table in CountTable]?: string[] } = {
  run_statistics: ['calls', 'input_tokens', 'output_tokens', 'cost', 'unpriced'],
  result_sums: ['calls', 'errors', 'input_tokens', 'output_tokens', 'cost', 'priced', 'unpriced'],
  result_scores: ['calls', 'total', 'squares'],
};

/** Returns the columns that contain sums. */
export const sumsOf = (table: CountTable): string[] => sums[table] ?? ['calls'];

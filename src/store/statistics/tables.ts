import type { Fixed } from '../columns.ts';

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
   * Calls by the member whose key was used. An account's calls in its own workspace have no rows, because they are all calls minus those of
   * the other members. `member_id` is empty for calls beyond the limit of counters.
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

/** The tables that count calls, with their primary keys. All other columns are sums. */
export const countKeys = {
  call_statistics: ['account_id', 'time', 'route', 'status', 'bucket'],
  prompt_statistics: ['account_id', 'time', 'prompt_id', 'version', 'label', 'status'],
  render_errors: ['account_id', 'time', 'prompt_id', 'code', 'name'],
  member_statistics: ['account_id', 'time', 'member_id', 'route', 'status'],
  run_statistics: ['account_id', 'time', 'member_id', 'model', 'has_failed', 'bucket'],
} satisfies { [Table in keyof StatisticsDatabase]?: (keyof StatisticsDatabase[Table])[] };

export type CountTable = keyof typeof countKeys;
export const countTables: CountTable[] = ['call_statistics', 'prompt_statistics', 'render_errors', 'member_statistics', 'run_statistics'];

const runSums = ['calls', 'input_tokens', 'output_tokens', 'cost', 'unpriced'];

/** Returns the columns that contain sums. */
export const sumsOf = (table: CountTable): string[] => (table === 'run_statistics' ? runSums : ['calls']);

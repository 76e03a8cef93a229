import type { Fixed } from '../columns.ts';

/** The tables of the statistics. The embedded engine has them in a file of their own, PostgreSQL beside the others. */
export interface StatisticsDatabase {
  call_statistics: CallStatisticTable;
  prompt_statistics: PromptStatisticTable;
  render_errors: RenderErrorTable;
  key_uses: KeyUseTable;
  statistics_writers: StatisticsWriterTable;
}

/** The tables that count calls. */
export type CountTable = 'call_statistics' | 'prompt_statistics' | 'render_errors';

/** Their primary keys. All other columns are the count. */
export const countKeys = {
  call_statistics: ['account_id', 'time', 'route', 'status', 'bucket'],
  prompt_statistics: ['account_id', 'time', 'prompt_id', 'version', 'label', 'status'],
  render_errors: ['account_id', 'time', 'prompt_id', 'code', 'name'],
} satisfies { [Table in CountTable]: (keyof StatisticsDatabase[Table])[] };

export const countTables: CountTable[] = ['call_statistics', 'prompt_statistics', 'render_errors'];

/** Calls made with a key. `time` is an hour (`2026-03-01T14`), or a day (`2026-03-01`) after the rollup. */
interface CallStatisticTable {
  account_id: Fixed<string>;
  time: Fixed<string>;
  route: Fixed<string>;
  status: Fixed<number>;
  /** The duration bucket, see domain/statistics/durations.ts. */
  bucket: Fixed<number>;
  calls: number;
}

/** Calls by the prompt they returned. `version` is 0 and `label` is empty if the call had none. */
interface PromptStatisticTable {
  account_id: Fixed<string>;
  time: Fixed<string>;
  prompt_id: Fixed<string>;
  version: Fixed<number>;
  label: Fixed<string>;
  status: Fixed<number>;
  calls: number;
}

/** Calls that could not render a prompt, by cause. `name` is what was missing, or empty. Times are those of the calls. */
interface RenderErrorTable {
  account_id: Fixed<string>;
  time: Fixed<string>;
  prompt_id: Fixed<string>;
  code: Fixed<string>;
  name: Fixed<string>;
  calls: number;
}

interface KeyUseTable {
  account_id: Fixed<string>;
  key_serial: number;
  last_used_at: string;
}

/** The last batch written by each instance, so that no batch is counted twice. */
interface StatisticsWriterTable {
  id: Fixed<string>;
  sequence: number;
  updated_at: string;
}

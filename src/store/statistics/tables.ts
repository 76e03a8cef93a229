import type { Fixed } from '../columns.ts';

export interface StatisticsTables {
  call_statistics: CallStatisticTable;
  prompt_statistics: PromptStatisticTable;
  render_errors: RenderErrorTable;
  key_uses: KeyUseTable;
  usage_blocks: UsageBlockTable;
  statistics_writers: StatisticsWriterTable;
}

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

/** A part of a batch of counted calls, as lines sorted by account. See statistics/usage-block.ts. */
interface UsageBlockTable {
  writer: Fixed<string>;
  sequence: Fixed<number>;
  part: Fixed<number>;
  created_at: Fixed<string>;
  first_account: Fixed<string>;
  last_account: Fixed<string>;
  bytes: Fixed<number>;
  body: Fixed<string>;
}

/** The last batch written by each instance, so that no batch is counted twice. */
interface StatisticsWriterTable {
  id: Fixed<string>;
  sequence: number;
  updated_at: string;
}

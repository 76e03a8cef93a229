import type { ColumnType, Generated } from 'kysely';
import type { PromptType } from '../contract/versions.ts';

/**
 * The tables. Times are ISO 8601 UTC text on both engines: they sort as text, and the API sends them as they are.
 * Written once and never updated: `Fixed`.
 */
type Fixed<T> = ColumnType<T, T, never>;

export interface Database {
  accounts: AccountTable;
  sessions: SessionTable;
  verifications: VerificationTable;
  throttles: ThrottleTable;
  two_factors: TwoFactorTable;
  recovery_codes: RecoveryCodeTable;
  prompts: PromptTable;
  prompt_versions: PromptVersionTable;
  prompt_labels: PromptLabelTable;
  prompt_tags: PromptTagTable;
  prompt_events: PromptEventTable;
  call_statistics: CallStatisticTable;
  prompt_statistics: PromptStatisticTable;
  key_uses: KeyUseTable;
  statistics_writers: StatisticsWriterTable;
  account_events: AccountEventTable;
  meta: MetaTable;
  migrations: MigrationTable;
  migration_lock: MigrationLockTable;
}

/** The key lives on the account's own row: one key per account is the schema's doing. */
export interface AccountTable {
  id: Fixed<string>;
  email: string;
  name: string;
  password_hash: string;
  key_digest: string;
  key_cipher: string;
  key_created_at: string;
  /** Counts the account's keys, so that uses of one can be told from uses of the next. */
  key_serial: Generated<number>;
  /** Goes up with every write to the account's prompts. */
  revision: Generated<number>;
  created_at: Fixed<string>;
  updated_at: string;
}

export interface SessionTable {
  id: Fixed<string>;
  token: Fixed<string>;
  account_id: Fixed<string>;
  expires_at: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Fixed<string>;
  updated_at: string;
}

export interface VerificationTable {
  id: Fixed<string>;
  identifier: string;
  value: string;
  expires_at: string;
  created_at: Fixed<string>;
  updated_at: string;
}

export interface ThrottleTable {
  name: Fixed<string>;
  failures: number;
  blocked_until: string;
  updated_at: string;
}

export interface TwoFactorTable {
  account_id: Fixed<string>;
  secret_cipher: string;
  /** Null until the owner has shown a code: only then is the second factor asked for. */
  confirmed_at: string | null;
  /** The time step of the last code that was accepted, so that none is accepted twice. */
  last_step: number;
  codes_created_at: string | null;
}

export interface RecoveryCodeTable {
  account_id: Fixed<string>;
  code_digest: Fixed<string>;
}

export interface PromptTable {
  account_id: Fixed<string>;
  id: Fixed<string>;
  name: string;
  search_name: string;
  type: Fixed<PromptType>;
  description: string;
  search_description: string;
  latest_version: number;
  created_at: Fixed<string>;
  updated_at: string;
  deleted_at: string | null;
}

/** Never updated: a version is what it was when it was saved. */
export interface PromptVersionTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  version: Fixed<number>;
  /** JSON: the template as a string, or the messages as an array. */
  content: Fixed<string>;
  config: Fixed<string>;
  /** JSON: what the analysis of the template found. */
  variables: Fixed<string>;
  partials: Fixed<string>;
  message: Fixed<string>;
  created_at: Fixed<string>;
}

export interface PromptLabelTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  label: Fixed<string>;
  version: number;
}

export interface PromptTagTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  tag: Fixed<string>;
}

export interface PromptEventTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  id: Fixed<string>;
  type: Fixed<string>;
  /** JSON: what changed. */
  detail: Fixed<string>;
  by: Fixed<string>;
  at: Fixed<string>;
}

/** Calls made with a key. `time` is an hour (`2026-03-01T14`), or a day (`2026-03-01`) once the hours have been rolled up. */
export interface CallStatisticTable {
  account_id: Fixed<string>;
  time: Fixed<string>;
  route: Fixed<string>;
  status: Fixed<number>;
  /** How long they took: see domain/durations.ts. */
  bucket: Fixed<number>;
  calls: number;
}

/** Which prompt the calls were answered with. `version` is 0 and `label` empty where there was none. */
export interface PromptStatisticTable {
  account_id: Fixed<string>;
  time: Fixed<string>;
  prompt_id: Fixed<string>;
  version: Fixed<number>;
  label: Fixed<string>;
  status: Fixed<number>;
  calls: number;
}

export interface KeyUseTable {
  account_id: Fixed<string>;
  key_serial: number;
  last_used_at: string;
}

/** The last batch each instance has written, so that none is ever counted twice. */
export interface StatisticsWriterTable {
  id: Fixed<string>;
  sequence: number;
  updated_at: string;
}

/** No foreign key: that an account was deleted is worth knowing afterwards. */
export interface AccountEventTable {
  account_id: Fixed<string>;
  id: Fixed<string>;
  type: Fixed<string>;
  at: Fixed<string>;
  address: Fixed<string | null>;
  user_agent: Fixed<string | null>;
}

export interface MetaTable {
  name: Fixed<string>;
  value: string;
}

export interface MigrationTable {
  id: Fixed<number>;
  name: Fixed<string>;
  applied_at: Fixed<string>;
}

/** One row. Whoever has written it in an open transaction is the one who migrates. */
export interface MigrationLockTable {
  id: Fixed<number>;
  holder: string;
}

import type { ColumnType, Generated } from 'kysely';
import type { Via } from '../contract/people.ts';
import type { MemberRole } from '../contract/roles.ts';
import type { PromptType, TemplateSyntax } from '../contract/versions.ts';
import type { DeliveryState } from '../contract/webhook-states.ts';

/** A column that is never updated. */
type Fixed<T> = ColumnType<T, T, never>;
/** A column that is never updated, and null where an insert does not mention it. */
type FixedOrNull<T = string> = ColumnType<T | null, T | null | undefined, never>;

/** The tables. Times are ISO 8601 text in UTC on both engines: they sort as text, and the API returns them unchanged. */
export interface Database {
  accounts: AccountTable;
  deleted_accounts: DeletedAccountTable;
  sign_in_addresses: SignInAddressTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  sessions: SessionTable;
  verifications: VerificationTable;
  throttles: ThrottleTable;
  two_factors: TwoFactorTable;
  recovery_codes: RecoveryCodeTable;
  prompts: PromptTable;
  prompt_versions: PromptVersionTable;
  prompt_labels: PromptLabelTable;
  prompt_tags: PromptTagTable;
  prompt_references: PromptReferenceTable;
  prompt_events: PromptEventTable;
  events: EventTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_queues: WebhookQueueTable;
  model_connections: ModelConnectionTable;
  model_usage: ModelUsageTable;
  prompt_runs: PromptRunTable;
  prompt_cases: PromptCaseTable;
  prompt_checks: PromptCheckTable;
  call_statistics: CallStatisticTable;
  prompt_statistics: PromptStatisticTable;
  render_errors: RenderErrorTable;
  key_uses: KeyUseTable;
  usage_blocks: UsageBlockTable;
  statistics_writers: StatisticsWriterTable;
  account_events: AccountEventTable;
  meta: MetaTable;
  migrations: MigrationTable;
  migration_lock: MigrationLockTable;
}

/** The key is stored in the account's row, so that the schema guarantees one key per account. */
export interface AccountTable {
  id: Fixed<string>;
  email: string;
  name: string;
  password_hash: string;
  key_digest: string;
  key_cipher: string;
  key_created_at: string;
  /** Increases with every reset, so that uses of the current key can be distinguished from uses of earlier ones. */
  key_serial: Generated<number>;
  /**
   * Increases with every write to the account's prompts, and when the account is renamed. Read it together with `revision_salt`, see
   * accounts/revision.ts.
   */
  revision: Generated<number>;
  /** A random number, renewed with every write to the account's prompts. */
  revision_salt: Generated<number>;
  /** What the quotas limit. Prompts in the bin count. */
  prompt_count: Generated<number>;
  version_count: Generated<number>;
  content_bytes: Generated<number>;
  created_at: Fixed<string>;
  updated_at: string;
  /** Set once the account is deleted: it has lost its key, email and password, and its rows are being removed. */
  deleted_at: Generated<string | null>;
  /** The workspace that a service account belongs to. Null for accounts of people, who have a workspace of their own. */
  home_workspace_id: FixedOrNull;
  /** JSON: the labels of this workspace that only deployers may move. */
  protected_labels: Generated<string>;
  /** JSON: the labels of this workspace that want passing checks. */
  gated_labels: Generated<string>;
  /** How many webhooks of this workspace are enabled. */
  enabled_webhooks: Generated<number>;
  /** JSON: what the models of this workspace may use in a day. Null: no limit. */
  daily_budget: Generated<string | null>;
}

/** Accounts that work in another account's workspace. Its owner has no row here. */
export interface MembershipTable {
  workspace_id: Fixed<string>;
  account_id: Fixed<string>;
  role: MemberRole;
  created_at: Fixed<string>;
  updated_at: string;
}

interface InvitationTable {
  workspace_id: Fixed<string>;
  id: Fixed<string>;
  email: Fixed<string>;
  role: MemberRole;
  /** The digest of the link's token. */
  token_digest: string;
  invited_by: Fixed<string>;
  invited_by_name: Fixed<string>;
  created_at: Fixed<string>;
  expires_at: string;
}

/** What remains of a deleted account: that it existed, and when it was deleted. */
interface DeletedAccountTable {
  id: Fixed<string>;
  deleted_at: Fixed<string>;
}

/** Where an account has signed in from. Guesses by others do not make it wait there. */
interface SignInAddressTable {
  account_id: Fixed<string>;
  /** An IPv4 address or an IPv6 network, as in the names of throttles. */
  address: Fixed<string>;
  last_used_at: string;
}

interface SessionTable {
  id: Fixed<string>;
  /** The digest of the token in the cookie. */
  token: Fixed<string>;
  account_id: Fixed<string>;
  expires_at: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Fixed<string>;
  updated_at: string;
}

/** Password reset links. */
interface VerificationTable {
  /** The digest of the link's token. */
  id: Fixed<string>;
  identifier: string;
  /** The account id. */
  value: string;
  expires_at: string;
  created_at: Fixed<string>;
  updated_at: string;
}

interface ThrottleTable {
  name: Fixed<string>;
  failures: number;
  blocked_until: string;
  updated_at: string;
}

interface TwoFactorTable {
  account_id: Fixed<string>;
  secret_cipher: string;
  /** Null until the owner has entered a first code; before that, signing in needs no code. */
  confirmed_at: string | null;
  /** The time step of the last accepted code, so that no code is accepted twice. */
  last_step: number;
  codes_created_at: string | null;
}

interface RecoveryCodeTable {
  account_id: Fixed<string>;
  code_digest: Fixed<string>;
}

interface PromptTable {
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

/** A version never changes. When it is deleted, everything but its number and its author is emptied. */
export interface PromptVersionTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  version: Fixed<number>;
  /** JSON: a template string or an array of messages. */
  content: string;
  config: string;
  /** JSON: the variables that the template uses. */
  variables: string;
  /** JSON: references to the prompts that the template includes. */
  partials: string;
  message: string;
  created_at: Fixed<string>;
  /** Who saved it, with their name at that time. Null if it was saved before workspaces had members: then it was the owner. */
  by_account_id: FixedOrNull;
  by_name: FixedOrNull;
  by_via: FixedOrNull<Via>;
  syntax: Generated<TemplateSyntax>;
  /** Set once the version is deleted: its content is gone, and its number is never used again. */
  deleted_at: Generated<string | null>;
}

/** A prompt that a version includes, and the label at which it is included. The prompt need not exist. */
interface PromptReferenceTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  version: Fixed<number>;
  name: Fixed<string>;
  label: Fixed<string>;
}

interface PromptLabelTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  label: Fixed<string>;
  version: number;
}

interface PromptTagTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  tag: Fixed<string>;
}

interface PromptEventTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  id: Fixed<string>;
  type: Fixed<string>;
  /** JSON: what changed. */
  detail: Fixed<string>;
  by: Fixed<Via>;
  /** Who made the change, with their name at that time. Null if it happened before workspaces had members: then it was the owner. */
  by_account_id: FixedOrNull;
  by_name: FixedOrNull;
  at: Fixed<string>;
}

/** The outbox of a workspace. Kept for a while, for streams that reconnect and webhooks that are retried. */
interface EventTable {
  account_id: Fixed<string>;
  revision: Fixed<number>;
  type: Fixed<string>;
  at: Fixed<string>;
  by_account_id: FixedOrNull;
  by_name: FixedOrNull;
  by_via: FixedOrNull;
  prompt_id: FixedOrNull;
  prompt_name: FixedOrNull;
  /** JSON: what changed. */
  detail: Fixed<string>;
}

/** Where the events of a workspace are sent to. */
interface WebhookTable {
  account_id: Fixed<string>;
  id: Fixed<string>;
  url: string;
  /** JSON: the types of events that are sent. Null: all. */
  events: string | null;
  description: string;
  secret_cipher: string;
  /** The secret before the last rotation, which still signs until a time. */
  previous_secret_cipher: string | null;
  previous_secret_until: string | null;
  disabled_at: string | null;
  /** Null if a person disabled it. */
  disabled_reason: string | null;
  created_at: Fixed<string>;
  updated_at: string;
}

/** An event that is or was to be sent to a webhook. The row outlives its webhook, until it is deleted by age. */
interface WebhookDeliveryTable {
  account_id: Fixed<string>;
  webhook_id: Fixed<string>;
  /** Of the event. */
  revision: Fixed<number>;
  type: Fixed<string>;
  state: DeliveryState;
  /** The queue it waits in. Null once it does not wait anymore. */
  queue: string | null;
  /** Failed attempts since it was put into its queue. */
  failures: number;
  /** JSON: the last attempts. */
  attempts: string;
  next_attempt_at: string | null;
  created_at: Fixed<string>;
}

/** What waits for a webhook and must be sent in order: the deliveries of one prompt. The row exists only while some wait. */
interface WebhookQueueTable {
  account_id: Fixed<string>;
  webhook_id: Fixed<string>;
  queue: Fixed<string>;
  /** Of the newest delivery in it. */
  last_revision: number;
  /** When the first delivery in it is to be attempted or, with a lease, when the lease ends. */
  next_at: string;
  /** Says which instance is sending from it. */
  lease: string | null;
}

/** A server that runs models for a workspace. */
interface ModelConnectionTable {
  account_id: Fixed<string>;
  id: Fixed<string>;
  name: string;
  base_url: string;
  /** JSON: the names of models that may be used. */
  models: string;
  /** JSON: prices by model. */
  prices: string;
  key_cipher: string | null;
  key_hint: string | null;
  created_at: Fixed<string>;
  updated_at: string;
}

/** What the models of a workspace have used on a day in UTC. */
interface ModelUsageTable {
  account_id: Fixed<string>;
  day: Fixed<string>;
  requests: number;
  tokens: number;
  /** US dollars. */
  cost: number;
}

/** A prompt that was run on a model. */
interface PromptRunTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  id: Fixed<string>;
  bytes: Fixed<number>;
  created_at: Fixed<string>;
  /** JSON: what a list shows. */
  summary: Fixed<string>;
  /** JSON: the rest. */
  detail: Fixed<string>;
}

/** An input of a prompt, and what must hold for the output. */
interface PromptCaseTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  id: Fixed<string>;
  /** Of the content. */
  digest: string;
  bytes: number;
  name: string;
  created_at: Fixed<string>;
  updated_at: string;
  /** JSON: variables and checks. */
  content: string;
}

/** The result of running all cases of a prompt on a version. */
interface PromptCheckTable {
  account_id: Fixed<string>;
  prompt_id: Fixed<string>;
  id: Fixed<string>;
  version: Fixed<number>;
  has_passed: Fixed<number>;
  /** Says which cases were run. */
  cases_digest: Fixed<string>;
  bytes: Fixed<number>;
  created_at: Fixed<string>;
  /** JSON: what a list shows. */
  summary: Fixed<string>;
  /** JSON: the results of the cases. */
  detail: Fixed<string>;
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

/** Sign-ins, key resets and other events of an account. They are deleted with it. */
interface AccountEventTable {
  account_id: Fixed<string>;
  id: Fixed<string>;
  type: Fixed<string>;
  at: Fixed<string>;
  address: Fixed<string | null>;
  user_agent: Fixed<string | null>;
  /** Who did it, if it was another account: a member of the workspace. */
  by_account_id: FixedOrNull;
  by_name: FixedOrNull;
  /** JSON: what changed. */
  detail: FixedOrNull;
}

interface MetaTable {
  name: Fixed<string>;
  value: string;
}

interface MigrationTable {
  id: Fixed<number>;
  name: Fixed<string>;
  applied_at: Fixed<string>;
}

/** A single row. The instance whose open transaction has updated it runs the migration. */
interface MigrationLockTable {
  id: Fixed<number>;
  holder: string;
}

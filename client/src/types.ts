// Generated from openapi.json by scripts/client-types.ts. Run `npm run openapi` to write it anew.

/** How a template uses a value. */
export interface Shape {
  kind?: 'text' | 'list' | 'object';
  /** The fields of an object. */
  fields?: Field[];
  /** The shape of each item of a list. */
  items?: Shape;
}

export interface Field extends Shape {
  name: string;
  /** Whether the value is used outside conditions. If an optional value is missing, nothing is shown in its place. */
  required: boolean;
}

/** A variable that a version declares or that its templates use. */
export interface Variable extends Field {
  /** The declared type. Absent if no type is declared. */
  type?: 'text' | 'number' | 'boolean' | 'enum' | 'list' | 'object' | 'image';
  description?: string;
  /** The value that is used if the caller sends none. */
  default?: unknown;
  example?: unknown;
  /** The values of an enum. */
  values?: string[];
  /** True if an included prompt declares this, and not the version itself. */
  inherited?: boolean;
}

export interface TextPart {
  type: 'text';
  text: string;
}

/** A part of a rendered message. */
export type ModelPart =
  | TextPart
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } };

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/**
 * A rendered message, in the form of OpenAI's chat completions. The messages of a placeholder are those that you sent. A mustache version
 * may have other roles, too.
 */
export type RenderedMessage =
  | { role: 'system' | 'developer'; content: string | TextPart[] }
  | { role: 'user'; content: string | ModelPart[] }
  | { role: 'assistant'; content?: string | TextPart[] | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; content: string | TextPart[]; tool_call_id: string };

export type AcceptedInvitation = {
  workspace: {
    /** The value for `PromptHarbor-Workspace`. */
    id: string;
    name: string;
    /** `personal`: the workspace of an account, which has the account’s name. */
    kind: 'personal' | 'team';
  };
  /** The role in the workspace. If the account was already a member, it keeps the higher of the two roles. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
};

export type Account = {
  /** Starts with `u_`. */
  userId: string;
  email: string;
  name: string;
  /** When the account was created. */
  createdAt: string;
  /** When the current key was created. */
  keyCreatedAt: string;
  /** Whether the account has a password. Without one, its owner signs in with a provider or a passkey. */
  hasPassword: boolean;
  /** Whether signing in with the password requires a code from an authenticator app. */
  twoFactor: boolean;
  /** Whether the account has a passkey. Signing in with the password then requires a code, which may be a recovery code. */
  hasPasskeys: boolean;
  /** Whether the email address is verified. Notifications are sent only to verified addresses. */
  emailVerified: boolean;
  /** Whether the account cannot use workspaces until its email address is verified. See `REQUIRE_VERIFIED_EMAIL`. */
  verificationRequired: boolean;
  /** The new email address, if a change is waiting for confirmation. */
  pendingEmail: string | null;
  /** Whether the account was registered with an invitation, or has accepted an invitation since its password was last reset. */
  acceptedInvitation: boolean;
  /** Whether this service sends email. */
  sendsEmail: boolean;
};

export type AccountChange = {
  /** The display name, 1 to 100 characters. */
  name: string;
};

export type AccountDeletion = {
  /** The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session. */
  password?: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
};

export type AccountEvent = {
  id: string;
  type: 'account_created' | 'sign_in' | 'sign_in_failed' | 'sign_out' | 'sessions_ended' | 'confirmation_failed' | 'attempts_throttled' | 'key_reset' | 'password_changed' | 'password_reset_requested' | 'password_reset' | 'verification_requested' | 'email_verified' | 'email_change_requested' | 'email_change_canceled' | 'email_changed' | 'two_factor_started' | 'two_factor_enabled' | 'two_factor_disabled' | 'recovery_code_used' | 'recovery_codes_replaced' | 'passkey_added' | 'passkey_removed' | 'cli_sign_in_approved' | 'identity_linked' | 'identity_unlinked' | 'member_invited' | 'invitation_removed' | 'member_joined' | 'member_role_changed' | 'member_removed' | 'member_left' | 'service_account_created' | 'service_account_key_reset' | 'workspace_created' | 'workspace_changed' | 'workspace_transferred' | 'webhook_created' | 'webhook_changed' | 'webhook_secret_rotated' | 'webhook_disabled' | 'webhook_deleted' | 'model_created' | 'model_changed' | 'model_deleted' | 'prompts_imported' | 'prompt_copied' | 'prompt_moved' | 'team_created' | 'team_deleted' | 'invitation_accepted' | 'role_changed' | 'removed_from_workspace' | 'workspace_left';
  at: string;
  address: string | null;
  userAgent: string | null;
  /** Who caused the event. Null for events that concern only the account, such as sign-ins. */
  by: {
    userId: string;
    /** Their name at that time. */
    name: string;
  } | null;
  detail: AccountEventDetail | null;
};

export type AccountEventDetail = {
  /** The member or service account. */
  userId?: string;
  /** The name of the member, service account, passkey or computer at that time, or the new name of the workspace. */
  name?: string;
  /** The email address that was invited, or the new address of the account. */
  email?: string;
  role?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  previousRole?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  /** The workspace in which the event happened, if that is not the account’s own, or the workspace to which a prompt was copied. */
  workspace?: {
    id: string;
    name: string;
  };
  protectedLabels?: string[];
  gatedLabels?: string[];
  /** The labels that require proposals, with their rules. A new workspace has none. */
  labelRules?: Record<string, LabelRule>;
  dailyBudget?: DailyBudget;
  /** The previous values of changed settings. */
  previous?: {
    name?: string;
    protectedLabels?: string[];
    gatedLabels?: string[];
    /** The labels that require proposals, with their rules. A new workspace has none. */
    labelRules?: Record<string, LabelRule>;
    dailyBudget?: DailyBudget;
    webhook?: {
      host?: string;
      events?: 'all' | string[];
      format?: string;
      enabled?: boolean;
    };
    model?: {
      name?: string;
      host?: string;
    };
  };
  /** The name of the sign-in provider. */
  provider?: string;
  /** The model connection. */
  model?: {
    id: string;
    name: string;
    host: string;
  };
  /** How many prompts were imported. `replaced` is absent in entries of earlier versions, which counted replaced prompts as created. */
  prompts?: {
    created: number;
    completed: number;
    replaced?: number;
  };
  /** The name of the prompt that was copied or moved to `workspace`. */
  prompt?: string;
  /** The webhook, with the settings that were changed. */
  webhook?: {
    id: string;
    /** The host in the URL of the webhook. */
    host: string;
    events?: 'all' | string[];
    format?: string;
    enabled?: boolean;
  };
  /** The fields of a webhook or model connection that were changed. Fields with long or secret values appear only here, without their values. */
  changed?: string[];
};

export type Activity = {
  data: AccountEvent[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

/** What changed. For settings: the new values, with the earlier values in `previous`. */
export type ActivityDetail = {
  /** The member or service account. */
  userId?: string;
  /** The name of the member, service account, passkey or computer at that time, or the new name of the workspace. */
  name?: string;
  /** The email address that was invited, or the new address of the account. */
  email?: string;
  role?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  previousRole?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  /** The other workspace, to which a prompt was copied or moved, or from which it came. */
  workspace?: {
    id?: string;
    name: string;
  };
  protectedLabels?: string[];
  gatedLabels?: string[];
  /** The labels that require proposals, with their rules. A new workspace has none. */
  labelRules?: Record<string, LabelRule>;
  dailyBudget?: DailyBudget;
  /** The previous values of changed settings. */
  previous?: {
    name?: string;
    protectedLabels?: string[];
    gatedLabels?: string[];
    /** The labels that require proposals, with their rules. A new workspace has none. */
    labelRules?: Record<string, LabelRule>;
    dailyBudget?: DailyBudget;
    webhook?: {
      host?: string;
      events?: 'all' | string[];
      format?: string;
      enabled?: boolean;
    };
    model?: {
      name?: string;
      host?: string;
    };
  };
  /** The name of the sign-in provider. */
  provider?: string;
  /** The model connection. */
  model?: {
    id: string;
    name: string;
    host: string;
  };
  /** How many prompts were imported. `replaced` is absent in entries of earlier versions, which counted replaced prompts as created. */
  prompts?: {
    created: number;
    completed: number;
    replaced?: number;
  };
  /** The name of the prompt that was copied or moved to `workspace`. */
  prompt?: string;
  /** The webhook, with the settings that were changed. */
  webhook?: {
    id: string;
    /** The host in the URL of the webhook. */
    host: string;
    events?: 'all' | string[];
    format?: string;
    enabled?: boolean;
  };
  /** The fields of a webhook or model connection that were changed. Fields with long or secret values appear only here, without their values. */
  changed?: string[];
  version?: number;
  message?: string;
  label?: string;
  /** The previous name or version. */
  from?: string | number | null;
  /** The new name or version. */
  to?: string | number;
  /** The reason given for moving a label, or restoring a prompt, although the rules of the label were not met. */
  override?: string;
  /** For `override`: what was missing, the approval of a proposal or passing checks. Absent in entries of earlier versions. */
  overridden?: Array<'approval' | 'checks'>;
  release?: {
    id: string;
    control: number;
    arms: Array<{
      version: number;
      weight: number;
    }>;
    cause?: 'person' | 'regression' | 'sample_ratio' | 'not_allowed' | 'deleted';
    /** The service made the change. `by` is the person or program that started the release. */
    automatic?: true;
    /** The numbers that led to an automatic change. */
    guards?: Array<{
      metric: string;
      margin: number;
      /** Which values of a score are better. Default: `higher`. */
      better: 'higher' | 'lower';
      arm: string;
      /** The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the geometric mean. */
      control: number | null;
      /** The mean of the arm. */
      value: number | null;
      difference: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** `passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is. `undecided`: there are not enough results yet. */
      verdict: 'passed' | 'worse' | 'undecided';
    }>;
    /** The units that led to an automatic change, with the weights before the change. */
    units?: Array<{
      arm: string;
      weight: number;
      units: number;
    }>;
  };
  proposal?: {
    id: string;
    /** The service applied the proposal at its scheduled time. */
    automatic?: true;
    /** The service applied the proposal more than 5 minutes after its scheduled time, because the service was not running or the last approval was missing. */
    late?: true;
    message?: string;
    changes?: Array<{
      prompt: string;
      label: string;
      version?: number;
    }>;
    verdict?: 'approve' | 'decline';
    /** What the reviewer wrote. */
    text?: string;
    /** Why the service could not apply the proposal at its scheduled time. */
    problem?: string;
  };
  /** For a change of test cases: what was done, the name of the first test case, and how many were changed. */
  cases?: {
    action: 'added' | 'changed' | 'deleted';
    name: string;
    count: number;
  };
  /** For `label_moved`: the label was moved on the original, before the prompt was copied. */
  copied?: true;
  /** Where the comment was made. The activity does not contain the text of comments. */
  comment?: {
    /** The id of the proposal. */
    proposal?: string;
    version?: number;
    /** The id of the candidate. */
    candidate?: string;
    part?: 'text' | 'variables' | 'tools' | 'output' | 'config';
    line?: number;
    /** The name of the prompt at that time. */
    prompt?: string;
  };
};

export type ActivityEntry = {
  id: string;
  kind: 'prompts' | 'labels' | 'members' | 'keys' | 'settings' | 'webhooks' | 'models' | 'proposals' | 'comments';
  type: 'created' | 'version_saved' | 'version_deleted' | 'label_moved' | 'label_removed' | 'release_started' | 'release_widened' | 'release_paused' | 'release_resumed' | 'release_rolled_back' | 'release_finished' | 'renamed' | 'described' | 'deleted' | 'restored' | 'cases_changed' | 'copied' | 'moved_in' | 'moved_out' | 'member_invited' | 'invitation_removed' | 'member_joined' | 'member_role_changed' | 'member_removed' | 'member_left' | 'workspace_transferred' | 'service_account_created' | 'service_account_key_reset' | 'key_reset' | 'workspace_created' | 'workspace_changed' | 'webhook_created' | 'webhook_changed' | 'webhook_secret_rotated' | 'webhook_disabled' | 'webhook_deleted' | 'model_created' | 'model_changed' | 'model_deleted' | 'prompts_imported' | 'prompt_copied' | 'proposal_opened' | 'proposal_approved' | 'proposal_declined' | 'proposal_applied' | 'proposal_failed' | 'proposal_withdrawn' | 'proposal_expired' | 'comment_added' | 'comment_replied' | 'comment_resolved' | 'comment_reopened' | 'comment_deleted';
  at: string;
  /** Who made the change. Null if the service or its operator made it. */
  by: Person | null;
  /** The prompt that was changed. Null if the entry concerns the workspace. */
  prompt: {
    id: string;
    /** The current name of the prompt. */
    name: string;
    /** When the prompt was deleted, if it is in the bin. */
    deletedAt?: string;
  } | null;
  detail: ActivityDetail;
};

export type AddedPasskey = {
  passkey: Passkey;
  /** Ten recovery codes, returned only once. Null if the account already had a second factor. Each code works once, together with the password. */
  recoveryCodes: string[] | null;
};

export type AnsweredCliSignIn = {
  /** The URL with which the browser returns to the command. Null if the command polls for the key. */
  redirect: string | null;
};

export type Batch = {
  /** Up to 50 items with different names, and up to 200 labels in total. */
  items: BatchItem[];
  /** With `true`, no new version is saved if the newest version of a prompt has the same content and config, regardless of `baseVersion`. The labels in `labels` then move to the newest version. Default: `false`. */
  skipUnchanged?: boolean;
};

/** A new prompt, or a new version of the prompt with this name. If you omit the description or tags, an existing prompt keeps them. */
export type BatchItem = {
  /** 1 to 200 printable characters, except \ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`. */
  name: string;
  /** Default: `text` with `template`, `chat` with `messages`. */
  type?: 'text' | 'chat';
  description?: string;
  /** Up to 20 tags of up to 50 characters. */
  tags?: string[];
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  variables?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The version message: a note about what changed, which the history shows. */
  message?: string;
  /** Labels to move to this version. */
  labels?: string[];
  /** The version on which the new version is based. If that version is no longer the newest, nothing is saved. 0 means that no prompt with this name may exist. */
  baseVersion?: number;
};

export type BrowserFeedback = {
  token: string;
  /** Such as `helpful`. */
  name: string;
  /** A number, true or false, or the name of a category. Values of different types under one name are separate scores. */
  value: number | boolean | string;
  /** Kept for 90 days and shown with the results. */
  comment?: string;
  /** Feedback that is sent again with the same id is counted once. */
  id?: string;
};

export type Candidate = {
  title: string;
  /** Starts with `cand_`. */
  id: string;
  /** Increases with every change. A change that names an older revision is refused with 409 `candidate_changed`. */
  revision: number;
  name: string;
  type: 'text' | 'chat';
  syntax: 'liquid' | 'mustache';
  /** For text prompts. */
  template?: string;
  /** For chat prompts. */
  messages?: Array<Message | Placeholder>;
  /** The declared variables and those that the templates use, including those of included prompts. */
  variables: Variable[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  message: string;
  baseVersion: number;
  createdAt: string;
  createdBy: Person;
  changedAt: string;
  /** Who last changed the content. */
  changedBy: {
    /** The account or service account. Absent if the change was imported. */
    userId?: string;
    /** Their name at that time. */
    name: string;
    /** `api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were saved before the service recorded this. */
    via?: 'api' | 'dashboard';
    /** The change was made in another service and imported. A member of this workspace who has the same name may be a different person. */
    imported?: true;
  };
};

export type CandidateApplication = {
  /** Increases with every change. A change that names an older revision is refused with 409 `candidate_changed`. */
  revision: number;
  /** Labels to move to this version. */
  labels?: string[];
};

export type CandidateChange = {
  /** What the candidate is about. */
  title: string;
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  variables?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The version message: a note about what changed, which the history shows. */
  message?: string;
  /** The version on which the candidate is based. Default: the newest version, or the candidate’s previous base version. */
  baseVersion?: number;
  /** Increases with every change. A change that names an older revision is refused with 409 `candidate_changed`. */
  revision: number;
};

export type CandidateList = {
  data: Candidate[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type Case = {
  /** Starts with `c_`. */
  id: string;
  name: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables: Record<string, unknown>;
  /** The test case passes if all checks pass. */
  checks: CaseCheck[];
  createdAt: string;
  updatedAt: string;
};

export type CaseChange = {
  name?: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  /** The test case passes if all checks pass. */
  checks?: CaseCheck[];
};

export type CaseCheck = {
  kind: 'contains' | 'notContains' | 'equals' | 'matches' | 'json' | 'jsonSchema' | 'maxCharacters' | 'maxTokens' | 'maxLatencyMs' | 'judge';
  /** What the check looks at: the model’s output (default), or the rendered prompt, which requires no model. */
  on?: 'output' | 'prompt';
  /** Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`; a JSON Schema for `jsonSchema`; a number for `maxCharacters`, `maxTokens` and `maxLatencyMs`; a prompt name for `judge`, unless it has a `rubric`; nothing for `json`. */
  value?: unknown;
  /** For `judge`: the requirement in words, such as “Is polite and names the order”. A rubric replaces the prompt in `value`. */
  rubric?: string;
  /** For `judge`: the label of the prompt. Default: `production`. */
  label?: string;
  /** For `judge`: the id or name of the model connection. Default: the connection of the check run. */
  connection?: string;
  /** For `judge`: the model. Default: the model of its prompt, of its connection, or of the check run. */
  model?: string;
};

export type CaseImport = {
  /** Test cases in the format of the list response. They are added to the existing test cases. */
  data: Array<{
    name: string;
    /** Values by variable name. The value of a placeholder is an array of messages. */
    variables?: Record<string, unknown>;
    /** The test case passes if all checks pass. */
    checks?: CaseCheck[];
    /** Ignored. You can send test cases in the format of the list response. */
    id?: string;
    /** Ignored. You can send test cases in the format of the list response. */
    createdAt?: string;
    /** Ignored. You can send test cases in the format of the list response. */
    updatedAt?: string;
  }>;
};

export type CaseList = {
  data: Case[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type CaseResult = {
  id: string;
  name: string;
  passed: boolean;
  checks: CheckResult[];
  /** The first 4,000 characters of the model’s output. Null if no model was needed. */
  output: string | null;
  /** Why the test case could not be run. Null if the test case ran, even if checks failed. */
  error: {
    code: string;
    /** A description of the error, with the message from the server. */
    message: string;
    /** The status of the server’s response. */
    status: number | null;
    /** How long the server asks you to wait. */
    retryAfterSeconds: number | null;
  } | null;
  /** The tokens that the model used. Null if no model was needed. */
  usage: TokenUsage | null;
  /** The cost in US dollars, including judges. Null if the price is unknown. */
  cost: number | null;
  /** Time until the first token. */
  firstTokenMs: number | null;
  /** Duration of the model’s response. */
  durationMs: number | null;
};

export type ChangedRelease = {
  id: string;
  label: string;
  state: 'running' | 'paused' | 'rolled_back' | 'finished';
  /** Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not match the weights, so the results cannot be trusted. `not_allowed`: the next step would need checks or approvals that a version does not have. */
  cause: 'person' | 'regression' | 'sample_ratio' | 'not_allowed' | 'deleted' | null;
  /** The arm of a key depends on the salt and the key. It stays the same when weights change. */
  salt: string;
  control: number;
  arms: Array<{
    version: number;
    /** In ten-thousandths of the keys. The control gets the rest. */
    weight: number;
  }>;
  rules: Array<{
    /** The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key. */
    if: Record<string, string[]>;
    /** The version of an arm or of the control. */
    version: number;
  }>;
  metric: string | null;
  guards: Array<{
    metric: string;
    margin: number;
    /** Which values of a score are better. Default: `higher`. */
    better: 'higher' | 'lower';
  }>;
  steps: number[];
  /** The number of steps that the release has reached. */
  step: number;
  minUnits: number;
  everyMinutes: number;
  onRegression: 'rollback' | 'pause';
  startedAt: string;
  startedBy: Person;
  /** When the weights or the state last changed. Results are measured from this time. */
  changedAt: string;
  endedAt: string | null;
};

export type Check = {
  /** Starts with `k_`. */
  id: string;
  /** Null for a candidate. */
  version: number | null;
  /** The candidate that was checked. Its check runs also count for the version that is made from it. */
  candidate?: {
    title: string;
    id: string;
    revision: number;
  };
  /** Null if no model was needed. */
  connection: {
    id: string;
    name: string;
  } | null;
  /** Null if no model was needed. */
  model: string | null;
  /** How many test cases passed. */
  passed: number;
  /** How many test cases failed. */
  failed: number;
  /** Whether the test cases are unchanged since the check run. Gated labels require a current check run. */
  current: boolean;
  /** The cost in US dollars of the models that have a price. Null if no model has a price. */
  cost: number | null;
  durationMs: number;
  createdAt: string;
  by: Person;
  cases: CaseResult[];
};

export type CheckList = {
  data: CheckSummary[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type CheckRequest = {
  label?: string | 'latest';
  version?: number;
  /** The id of a candidate, instead of a label or a version. */
  candidate?: string;
  /** The id or name of the model connection. Not needed if all checks apply to the rendered prompt. */
  connection?: string;
  model?: string;
  /** How many test cases run at the same time. */
  parallel?: number;
};

export type CheckResult = {
  kind: 'contains' | 'notContains' | 'equals' | 'matches' | 'json' | 'jsonSchema' | 'maxCharacters' | 'maxTokens' | 'maxLatencyMs' | 'judge';
  /** What the check looks at: the model’s output (default), or the rendered prompt, which requires no model. */
  on?: 'output' | 'prompt';
  /** Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`; a JSON Schema for `jsonSchema`; a number for `maxCharacters`, `maxTokens` and `maxLatencyMs`; a prompt name for `judge`, unless it has a `rubric`; nothing for `json`. */
  value?: unknown;
  /** For `judge`: the requirement in words, such as “Is polite and names the order”. A rubric replaces the prompt in `value`. */
  rubric?: string;
  /** For `judge`: the label of the prompt. Default: `production`. */
  label?: string;
  /** For `judge`: the id or name of the model connection. Default: the connection of the check run. */
  connection?: string;
  /** For `judge`: the model. Default: the model of its prompt, of its connection, or of the check run. */
  model?: string;
  passed: boolean;
  /** Why the check failed, or the judge’s answer. */
  message: string;
};

export type CheckSummary = {
  /** Starts with `k_`. */
  id: string;
  /** Null for a candidate. */
  version: number | null;
  /** The candidate that was checked. Its check runs also count for the version that is made from it. */
  candidate?: {
    title: string;
    id: string;
    revision: number;
  };
  /** Null if no model was needed. */
  connection: {
    id: string;
    name: string;
  } | null;
  /** Null if no model was needed. */
  model: string | null;
  /** How many test cases passed. */
  passed: number;
  /** How many test cases failed. */
  failed: number;
  /** Whether the test cases are unchanged since the check run. Gated labels require a current check run. */
  current: boolean;
  /** The cost in US dollars of the models that have a price. Null if no model has a price. */
  cost: number | null;
  durationMs: number;
  createdAt: string;
  by: Person;
};

export type CliSignIn = {
  userCode: string;
  /** The name that the command sent. Nobody has verified it. */
  computer: string;
  /** The IP address from which the command started the sign-in. */
  address: string;
  /** Whether this request comes from the same address or network as the command. */
  sameNetwork: boolean;
  /** Whether only a command on this browser’s computer can receive the key. */
  returnsToBrowser: boolean;
  createdAt: string;
  expiresAt: string;
};

export type CliSignInClaim = {
  /** The random verifier. The challenge is its digest. */
  verifier: string;
  /** The code with which the browser returned to the port. Required if the sign-in has a port. */
  code?: string;
};

export type Comment = {
  id: string;
  at: string;
  version: number | null;
  label: string | null;
  /** The name of the score. */
  name: string;
  /** The value of the score, as text. */
  value: string;
  comment: string;
};

export type CommentChange = {
  /** The new text. Only the author can change it. Nobody is notified. */
  text?: string;
  /** Resolves or reopens the thread. Only for the first comment of a thread. */
  resolved?: boolean;
};

export type CommentPage = {
  data: Comment[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type CommentThreads = {
  data: DiscussionComment[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type ContentPart = {
  type: 'text';
  /** A template. */
  text: string;
} | {
  type: 'image';
  /** A URL or data URL. `{{ photo }}` takes it from a variable. */
  url: string;
  /** How closely a model looks at the image. */
  detail?: 'auto' | 'low' | 'high';
} | {
  type: 'image';
  /** The bytes in Base64. */
  data: string;
  /** Such as `image/png`. */
  mediaType: string;
  /** How closely a model looks at the image. */
  detail?: 'auto' | 'low' | 'high';
} | {
  type: 'audio';
  /** The bytes in Base64. */
  data: string;
  /** The formats that model APIs accept. */
  mediaType: 'audio/wav' | 'audio/mpeg';
} | {
  type: 'file';
  /** A data URL, or a URL if the model API accepts one. */
  url: string;
  /** The name that the model sees. */
  filename?: string;
} | {
  type: 'file';
  /** The bytes in Base64. */
  data: string;
  /** Such as `image/png`. */
  mediaType: string;
  /** The name that the model sees. */
  filename?: string;
};

export type CopiedPrompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version that each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. A response with one prompt contains up to 2,000 of the newest numbers, and a list contains at least 100 for each prompt. */
  deletedVersions?: number[];
  createdAt: string;
  updatedAt: string;
  workspace: {
    id: string;
    name: string;
  };
  /** Problems that did not prevent the copy. They concern included prompts that do not exist in the target workspace, labels that were not copied and, after a move, prompts that can no longer be rendered. */
  warnings: Warning[];
};

export type CopyRequest = {
  /** The id of the workspace to copy to, in which you need the role `editor`. This can be the current workspace. */
  workspace: string;
  /** The name of the copy. Default: the name of the prompt. */
  name?: string;
  /** Moves the original to the bin of its workspace, in the same transaction. Requires the role `editor` in that workspace too. */
  move?: boolean;
};

export type CreatedInvitation = {
  id: string;
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  /** Who sent the invitation. */
  invitedBy: {
    userId: string;
    /** Their name at that time. */
    name: string;
  };
  createdAt: string;
  /** 7 days after the invitation was created. */
  expiresAt: string;
  /** The link to accept the invitation. The link works once and is not shown again. */
  url: string;
  /** Whether the mail server accepted an email with the link. If it is false, send the link yourself. A failed email is retried for about a minute. */
  mailed: boolean;
};

export type CreatedPrompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version that each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. A response with one prompt contains up to 2,000 of the newest numbers, and a list contains at least 100 for each prompt. */
  deletedVersions?: number[];
  createdAt: string;
  updatedAt: string;
  version: Version;
  /** Problems that did not prevent saving. */
  warnings: Warning[];
};

export type CreatedServiceAccount = {
  userId: string;
  name: string;
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  /** The account's API key: `ph_` followed by 64 hexadecimal characters. */
  token: string;
};

/** The most that runs and check runs may spend per day (UTC). Once the budget is used up, runs and check runs are refused with 429 `budget_exceeded`. */
export type DailyBudget = {
  /** The limit in US dollars. Only runs of models with a price are counted. Null means no limit. */
  cost: number | null;
  /** The limit in input and output tokens combined. Null means no limit. */
  tokens: number | null;
};

export type Dependent = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  /** The prompt through which the dependent includes this one. Null if the dependent includes this one directly. */
  via: string | null;
  includes: Array<{
    /** The label at which the dependent includes this prompt, or the prompt in `via`. */
    label: string;
    /** The version of the dependent that has the include. */
    version: number;
    /** The labels of the dependent that point at this version, including `latest`. */
    labels: string[];
  }>;
  /** How often the dependent was called in the last 24 hours. */
  callsLast24Hours: number;
};

export type DependentList = {
  data: Dependent[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type Diff = {
  /** The version, or the id of the candidate. */
  from: number | string;
  /** The version, or the id of the candidate. */
  to: number | string;
  /** Unified diff of the text. Empty if there is no difference. */
  text: string;
  /** Unified diff of the config as indented JSON. Empty if there is no difference. */
  config: string;
};

export type DiscussionComment = {
  /** Starts with `com_`. */
  id: string;
  /** The id of the first comment of the thread. */
  thread: string;
  /** The proposal to which the comment belongs. */
  proposal: string | null;
  /** The prompt of the version or candidate. Null if the comment is about a proposal as a whole. */
  prompt: {
    id: string;
    /** Empty if the prompt is in the bin. */
    name: string;
  } | null;
  version: number | null;
  candidate: string | null;
  /** The line that the comment is about. Null if it is about the whole content. */
  anchor: {
    /** The part of the content. `text` is the template, or the messages as in a diff. The others are indented JSON. */
    part: 'text' | 'variables' | 'tools' | 'output' | 'config';
    /** The number of the line in the part. The first line is 1. */
    line: number;
    /** The text of the line when the comment was made. */
    quote: string;
  } | null;
  text: string;
  mentions: Array<{
    userId: string;
    /** The name or email address, as it appears in the text after `@`. */
    name: string;
  }>;
  by: Person;
  at: string;
  editedAt: string | null;
  /** When the comment was deleted. A deleted comment remains only as the first of a thread with replies, and without its text. */
  deletedAt: string | null;
  /** When and by whom the thread was resolved. Only the first comment of a thread has this field. */
  resolved: {
    at: string;
    by: Person;
  } | null;
};

export type DraftRunRequest = {
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  declarations?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The name of the prompt to which the draft belongs. The run is listed among the runs of this prompt. */
  name?: string;
  /** Values by variable name. The value of a placeholder is an array of messages. Their `content` can be a string or an array of parts, such as images. */
  variables?: Record<string, unknown>;
  /** The id or the name of a model connection. */
  connection: string;
  /** Default: the model in the prompt’s config if the connection offers it, otherwise the first model of the connection. */
  model?: string;
  /** Parameters of the request to the model. They override the prompt’s config. Null removes a parameter. */
  parameters?: Record<string, unknown>;
};

export type EmailChange = {
  /** The new email address. */
  email: string;
  /** The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session. */
  password?: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
};

export type EmailChangeConfirmation = {
  /** The token in the link. */
  token: string;
};

export type EmailVerification = {
  /** The token in the verification link. */
  token: string;
};

export type ErrorBody = {
  /** Human-readable text. */
  error: string;
  /** Stable machine-readable code in snake_case. */
  code?: string;
  /** The invalid fields. */
  details?: Array<{
    /** A JSON pointer to the field. */
    path: string;
    message: string;
    /** The line of a syntax error in a template. */
    line?: number;
    /** The column of a syntax error in a template. */
    column?: number;
  }>;
  proposal?: NewProposal;
  /** For `has_warnings`: the problems that the request would cause. */
  warnings?: Warning[];
};

export type EvaluatedFlag = {
  key: string;
  /** For a text prompt, its template. For a chat prompt, an object with `messages` and `config`, and with `tools` and `output` if the version has them. The texts of included prompts are inserted. */
  value: string | Record<string, unknown>;
  /** `STATIC`: the label has no release. `SPLIT`: the key chose the version. `TARGETING_MATCH`: a rule chose it. `DEFAULT`: the control, because there is no key. */
  reason: 'STATIC' | 'SPLIT' | 'TARGETING_MATCH' | 'DEFAULT';
  /** `control`, or `v` followed by the version number. */
  variant: string;
  metadata: {
    prompt: string;
    label: string;
    version: number;
    /** The id of the release. */
    release?: string;
  };
};

export type EvaluatedFlags = {
  flags: Array<{
    key: string;
    /** For a text prompt, its template. For a chat prompt, an object with `messages` and `config`, and with `tools` and `output` if the version has them. The texts of included prompts are inserted. */
    value: string | Record<string, unknown>;
    /** `STATIC`: the label has no release. `SPLIT`: the key chose the version. `TARGETING_MATCH`: a rule chose it. `DEFAULT`: the control, because there is no key. */
    reason: 'STATIC' | 'SPLIT' | 'TARGETING_MATCH' | 'DEFAULT';
    /** `control`, or `v` followed by the version number. */
    variant: string;
    metadata: {
      prompt: string;
      label: string;
      version: number;
      /** The id of the release. */
      release?: string;
    };
  } | {
    key: string;
    errorCode: 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL';
    errorDetails: string;
  }>;
};

export type EvaluationError = {
  key?: string;
  errorCode: 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL';
  errorDetails: string;
};

export type EvaluationRequest = {
  /** All attributes except `targetingKey` are the context that the rules of a release use. Only strings, numbers and booleans match rules. */
  context?: {
    /** The key by which a release divides callers, such as the id of a user. Without it, the value comes from the control. */
    targetingKey?: string | null;
  };
};

export type FailedRun = {
  /** Human-readable text. */
  error: string;
  /** Stable machine-readable code in snake_case. */
  code?: string;
  /** The invalid fields. */
  details?: Array<{
    /** A JSON pointer to the field. */
    path: string;
    message: string;
    /** The line of a syntax error in a template. */
    line?: number;
    /** The column of a syntax error in a template. */
    column?: number;
  }>;
  proposal?: NewProposal;
  /** For `has_warnings`: the problems that the request would cause. */
  warnings?: Warning[];
  run: Run;
};

export type Favorite = {
  /** The id of the prompt. */
  id: string;
  name: string;
  type: 'text' | 'chat';
};

export type FavoriteList = {
  /** Sorted by name, at most 200. Prompts in the bin are not listed. */
  data: Favorite[];
};

export type Feedback = {
  /** The name of a prompt. */
  prompt: string;
  version?: number;
  /** The label with which the prompt was fetched. Without a version, the default is `production`. */
  label?: string;
  /** The id of the trace to which the call belongs. Feedback can refer to it for 72 hours. */
  traceId?: string;
  /** The id that the model API gave to its response. Feedback can refer to it for 72 hours. */
  responseId?: string;
  /** The key with which the prompt was fetched, if neither `traceId` nor `responseId` is sent. If the label has a release, the score counts for the release, and the default version is the one that the weights assign to the key. Only a hash of the key is kept. */
  key?: string;
  /** Such as `helpful`. */
  name: string;
  /** A number, true or false, or the name of a category. Values of different types under one name are separate scores. */
  value: number | boolean | string;
  /** Kept for 90 days and shown with the results. */
  comment?: string;
  /** Feedback that is sent again with the same id is counted once. */
  id?: string;
};

export type FeedbackToken = {
  token: string;
  expiresAt: string;
};

export type FeedbackTokenRequest = {
  /** The name of a prompt. */
  prompt: string;
  version?: number;
  label?: string;
  /** The key with which the prompt was fetched. If the label has a release, the feedback counts for the release, and the default version is the one that the weights assign to the key. The token contains only a hash of the key. */
  key?: string;
};

export type Folder = {
  /** Empty for prompts that are not in a folder. */
  path: string;
  /** The number of prompts directly in the folder, excluding prompts in subfolders. */
  prompts: number;
};

export type FolderList = {
  /** The folders that directly contain prompts, sorted, up to 5,000. */
  data: Folder[];
  /** Whether the list is complete. */
  complete: boolean;
};

export type Health = {
  status: 'ok';
};

export type History = {
  data: HistoryEntry[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type HistoryEntry = {
  id: string;
  type: 'created' | 'version_saved' | 'version_deleted' | 'label_moved' | 'label_removed' | 'release_started' | 'release_widened' | 'release_paused' | 'release_resumed' | 'release_rolled_back' | 'release_finished' | 'renamed' | 'described' | 'deleted' | 'restored' | 'cases_changed' | 'copied' | 'moved_in' | 'moved_out';
  at: string;
  by: Person;
  version?: number;
  message?: string;
  label?: string;
  /** The previous name or version. */
  from?: string | number | null;
  /** The new name or version. */
  to?: string | number;
  /** The reason given for moving a label, or restoring a prompt, although the rules of the label were not met. */
  override?: string;
  /** For `override`: what was missing, the approval of a proposal or passing checks. Absent in entries of earlier versions. */
  overridden?: Array<'approval' | 'checks'>;
  release?: {
    id: string;
    control: number;
    arms: Array<{
      version: number;
      weight: number;
    }>;
    cause?: 'person' | 'regression' | 'sample_ratio' | 'not_allowed' | 'deleted';
    /** The service made the change. `by` is the person or program that started the release. */
    automatic?: true;
    /** The numbers that led to an automatic change. */
    guards?: Array<{
      metric: string;
      margin: number;
      /** Which values of a score are better. Default: `higher`. */
      better: 'higher' | 'lower';
      arm: string;
      /** The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the geometric mean. */
      control: number | null;
      /** The mean of the arm. */
      value: number | null;
      difference: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** `passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is. `undecided`: there are not enough results yet. */
      verdict: 'passed' | 'worse' | 'undecided';
    }>;
    /** The units that led to an automatic change, with the weights before the change. */
    units?: Array<{
      arm: string;
      weight: number;
      units: number;
    }>;
  };
  /** The proposal with which the version was saved, the label moved or the release started. */
  proposal?: {
    id: string;
    /** The service applied the proposal at its scheduled time. */
    automatic?: true;
    /** The service applied the proposal more than 5 minutes after its scheduled time, because the service was not running or the last approval was missing. */
    late?: true;
  };
  /** For a change of test cases: what was done, the name of the first test case, and how many were changed. */
  cases?: {
    action: 'added' | 'changed' | 'deleted';
    name: string;
    count: number;
  };
  /** For `copied` and `moved_in`: the name of the workspace from which the prompt came. For `moved_out`: the name of the workspace to which it was moved. */
  workspace?: string;
  /** For `label_moved`: the label was moved on the original, before the prompt was copied. */
  copied?: true;
};

export type Identity = {
  issuer: string;
  /** The id of the provider. Null if it is no longer configured. */
  provider: string | null;
  /** The name of the provider, or its issuer if it is no longer configured. */
  name: string;
  /** The email address that the provider stated last. It may differ from the address of the account. */
  email: string | null;
  createdAt: string;
  lastUsedAt: string;
};

export type IdentityList = {
  data: Identity[];
};

export type IdentityRemoval = {
  issuer: string;
};

export type ImportedCases = {
  data: Case[];
};

export type ImportedPrompt = {
  name: string;
  /** `created`: there was no prompt with this name. `completed`: missing parts were added, because nobody had changed the prompt here since its last import. `replaced`: the existing prompt was moved to the bin. `unchanged`: the existing prompt already has all content of the export. `conflict`: the prompt was not imported, and `reason` says why. */
  status: 'created' | 'completed' | 'replaced' | 'unchanged' | 'conflict';
  reason?: string;
  /** Present if a prompt with the same name exists, so that you can import this one under another name. True if `replace` would also resolve the conflict. */
  replaceable?: boolean;
};

export type ImportedPrompts = {
  /** The results, in the order of the request. */
  data: ImportedPrompt[];
};

export type Invitation = {
  id: string;
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  /** Who sent the invitation. */
  invitedBy: {
    userId: string;
    /** Their name at that time. */
    name: string;
  };
  createdAt: string;
  /** 7 days after the invitation was created. */
  expiresAt: string;
};

export type JudgedPrompt = {
  name: string;
  /** The number of its test cases that use this prompt as a judge. */
  cases: number;
};

export type JudgedPrompts = {
  data: JudgedPrompt[];
};

export type LabelRule = {
  /** How many people must approve a proposal to move the label. 0: the move needs a proposal, but no approval. */
  approvals: number;
  /** Whether the approvals of those who wrote the content or opened the proposal count. */
  authorMayApprove: boolean;
  /** Whether an API key may apply an approved proposal. */
  keysMayApply: boolean;
  /** The lowest role that may move the label without a proposal by giving a reason (`override`). Only members with at least this role may change or remove the rule. If it is `nobody`, only the owner may do so. */
  override: 'admin' | 'owner' | 'nobody';
};

export type LabelTarget = {
  version: number;
  /** The reason for moving a gated label without passing checks. Requires the role `admin`. The reason is shown in the history and the event. */
  override?: string;
};

export type LangfuseBatch = {
  batch: Array<{
    /** The id of the event. */
    id: string;
    /** `generation-create`, `generation-update`, `observation-create` and `observation-update` for generations and embeddings that name a prompt, and `score-create`. Events of other types are accepted and dropped. */
    type: string;
    timestamp: string;
    body: Record<string, unknown>;
  }>;
};

export type LangfuseBatchOutcome = {
  successes: Array<{
    id: string;
    status: number;
  }>;
  errors: Array<{
    id: string;
    status: number;
    message: string;
    error: string;
  }>;
};

export type LangfuseError = {
  message: string;
  error: string | Array<{
    path: Array<string | number>;
    message: string;
  }>;
};

export type LangfuseHealth = {
  status: 'OK';
  version: string;
};

export type LangfuseLabels = {
  newLabels: string[];
};

export type LangfuseProjects = {
  data: Array<{
    id: string;
    name: string;
    organization: {
      id: string;
      name: string;
    };
    metadata: Record<string, unknown>;
  }>;
};

export type LangfusePrompt = {
  id: string;
  projectId: string;
  name: string;
  type: 'text' | 'chat';
  version: number;
  prompt: string | Array<{
    type: 'placeholder';
    name: string;
  } | {
    type?: 'chatmessage';
    role: string;
    content: string;
  }>;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  labels: string[];
  tags: string[];
  commitMessage: string | null;
  createdAt: string;
  updatedAt: string;
  createdBy: string;
  /** Whether the version has the label `production`. */
  isActive: boolean;
  resolutionGraph: {
    root: {
      id: string;
      name: string;
      version: number;
    };
    /** The includes of each version, by the id of the including version. */
    dependencies: Record<string, Array<{
      id: string;
      name: string;
      version: number;
    }>>;
  } | null;
};

export type LangfusePromptList = {
  data: Array<{
    name: string;
    type: 'text' | 'chat';
    /** The newest 1,000 versions. */
    versions: number[];
    labels: string[];
    tags: string[];
    lastUpdatedAt: string;
    /** Null for the remaining prompts once the configs on the page exceed 1 MB in total. */
    lastConfig: unknown | null;
  }>;
  meta: {
    page: number;
    limit: number;
    totalItems: number;
    totalPages: number;
  };
  pagination: {
    page: number;
    limit: number;
    totalItems: number;
    totalPages: number;
  };
};

export type LangfuseRead = {
  /** The address of Langfuse, including its path if it has one. */
  url: string;
  publicKey: string;
  /** Used only for this request. Neither stored nor logged. */
  secretKey: string;
  /** The page of the prompt list to read. A page has 50 prompts. */
  page?: number;
  /** With `version`: the name of the prompt whose version is read. */
  name?: string;
  version?: number;
};

export type LangfuseResponse = {
  /** The status of Langfuse’s response. 0 if there was no response. */
  status: number;
  /** The JSON text of the response, if the status is 200. */
  body: string | null;
  /** The `Retry-After` header of the response, if there is one. */
  retryAfter: string | null;
  /** A sentence that says what is wrong. */
  problem: string | null;
};

export type LangfuseScoreReceipt = {
  id: string;
};

export type ListedPrompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version that each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. A response with one prompt contains up to 2,000 of the newest numbers, and a list contains at least 100 for each prompt. */
  deletedVersions?: number[];
  createdAt: string;
  updatedAt: string;
  /** With `deleted=true`: when the prompt was moved to the bin. */
  deletedAt?: string;
  deletedBy?: Person;
  /** With `include=content`: the version at `label`, or null if there is none. */
  version?: Version | null;
  /** With `include=content`, if the label has a release. `version` is the control, unless the query has a `key` or a context. */
  release?: {
    id: string;
    salt: string;
    control: number;
    arms: Array<{
      version: number;
      /** In ten-thousandths of the keys. The control gets the rest. */
      weight: number;
    }>;
    rules: Array<{
      /** The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key. */
      if: Record<string, string[]>;
      /** The version of an arm or of the control. */
      version: number;
    }>;
    /** The versions of the arms. */
    versions: Version[];
  };
  /** With `include=author`: who saved the newest version. */
  author?: {
    /** The account or service account. Absent if the change was imported. */
    userId?: string;
    /** Their name at that time. */
    name: string;
    /** `api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were saved before the service recorded this. */
    via?: 'api' | 'dashboard';
    /** The change was made in another service and imported. A member of this workspace who has the same name may be a different person. */
    imported?: true;
  };
  usage?: PromptUsage;
  /** The last release of each label, which may have ended. Absent if there are none, and with `include=content`. */
  releases?: Record<string, {
    id: string;
    state: 'running' | 'paused' | 'rolled_back' | 'finished';
    control: number;
    arms: Array<{
      version: number;
      /** In ten-thousandths of the keys. The control gets the rest. */
      weight: number;
    }>;
    /** When the weights or the state last changed. Results are measured from this time. */
    changedAt: string;
  }>;
  /** With `search`: the first lines that contain the text, at most 5, from the newest version that contains it. */
  matches?: SearchMatch[];
};

export type Login = {
  email: string;
  password: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
};

export type LogoutAccepted = {
  status: 'ok';
};

/** A logout token of OpenID Connect Back-Channel Logout 1.0. */
export type LogoutToken = {
  logout_token: string;
};

export type LogsResponse = {
  partialSuccess?: {
    /** The number of log records that were refused, as text. */
    rejectedLogRecords: string;
    errorMessage: string;
  };
};

/** One JSON-RPC message. Clients that use earlier protocol revisions receive the message as a server-sent event. */
export type McpMessage = unknown;

export type Member = {
  /** Starts with `u_`. */
  userId: string;
  name: string;
  /** Null for a service account. */
  email: string | null;
  /** `service`: an account for a program, which cannot sign in. */
  kind: 'person' | 'service';
  role: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  /** When the member joined. For the owner and service accounts: when the account was created. */
  joinedAt: string;
  /** When the key was created. Only for service accounts. */
  keyCreatedAt?: string;
  /** When the key was last used. Null if never. Only for service accounts. */
  keyLastUsedAt?: string | null;
};

export type MemberChange = {
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
};

export type MemberList = {
  /** The owner comes first, followed by the other members, sorted by id. */
  data: Member[];
  /** The open invitations, which are listed after all members. Only admins can see them. */
  invitations: Invitation[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type Message = {
  /** `system`, `developer`, `user`, `assistant` or `tool`. In a mustache version, any string. */
  role: string;
  /** A template, or a list of parts: text, images, audio and files. */
  content: string | ContentPart[];
};

export type ModelConnection = {
  /** Starts with `m_`. */
  id: string;
  /** Unique in the workspace. Runs can refer to the connection by this name. */
  name: string;
  /** The protocol of the server: `openai` for chat completions, which most servers have, `anthropic` for the Messages API, and `gemini` for the Gemini API. Runs have the same input and events with every protocol. */
  kind: 'openai' | 'anthropic' | 'gemini';
  /** The base URL of the server’s API, to which the service appends `/models`, `/chat/completions`, `/messages` or `/models/{model}:streamGenerateContent`. It usually ends in `/v1`, or in `/v1beta` for `gemini`. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  baseUrl: string;
  /** The models that can be used. The first is the default. If the list is empty, all models are allowed. */
  models: string[];
  /** Prices by model. They replace the built-in list prices of well-known models from OpenAI, Anthropic and Google. The cost of a run is unknown if its model has no price at all. */
  prices: Record<string, {
    /** US dollars per million input tokens. */
    input: number;
    /** US dollars per million output tokens. */
    output: number;
  }>;
  /** The last four characters of the key. Null without a key. */
  keyHint: string | null;
  createdAt: string;
  updatedAt: string;
};

export type ModelConnectionChange = {
  /** Unique in the workspace. Runs can refer to the connection by this name. */
  name?: string;
  /** The protocol of the server: `openai` for chat completions, which most servers have, `anthropic` for the Messages API, and `gemini` for the Gemini API. Runs have the same input and events with every protocol. */
  kind?: 'openai' | 'anthropic' | 'gemini';
  /** Changing the address deletes the stored key unless you send a new one. */
  baseUrl?: string;
  /** The models that can be used. The first is the default. If the list is empty, all models are allowed. */
  models?: string[];
  /** Prices by model. They replace the built-in list prices of well-known models from OpenAI, Anthropic and Google. The cost of a run is unknown if its model has no price at all. */
  prices?: Record<string, {
    /** US dollars per million input tokens. */
    input: number;
    /** US dollars per million output tokens. */
    output: number;
  }>;
  /** A new key, or null to remove it. */
  apiKey?: string | null;
};

export type ModelConnectionList = {
  data: ModelConnection[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type ModelConnectionTest = {
  ok: boolean;
  /** The models that the server offers, up to 1,000. Empty if the server does not list its models. */
  models: string[];
  /** The problem and how to solve it. Null if the connection works. */
  problem: string | null;
  durationMs: number;
};

export type NewCandidate = {
  /** What the candidate is about. */
  title: string;
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  variables?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The version message: a note about what changed, which the history shows. */
  message?: string;
  /** The version on which the candidate is based. Default: the newest version, or the candidate’s previous base version. */
  baseVersion?: number;
};

export type NewCase = {
  name: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  /** The test case passes if all checks pass. */
  checks?: CaseCheck[];
};

export type NewCliSignIn = {
  /** The SHA-256 digest of a random verifier, in base64url. */
  challenge: string;
  /** The name of the computer, which the person who approves the sign-in sees. */
  computer: string;
  /** The port on 127.0.0.1 to which the browser returns with a code. Without a port, the person types the user code in the dashboard, and the command polls until the sign-in is approved. */
  port?: number;
};

export type NewComment = {
  /** `@` with the name or email address of a member mentions this member. */
  text: string;
  /** The proposal. With `prompt`, the comment is also about its version or candidate. */
  proposal?: string;
  /** The name of the prompt. */
  prompt?: string;
  /** The version of the prompt. */
  version?: number;
  /** The id of a candidate of the prompt, instead of a version. */
  candidate?: string;
  anchor?: {
    /** The part of the content. `text` is the template, or the messages as in a diff. The others are indented JSON. */
    part: 'text' | 'variables' | 'tools' | 'output' | 'config';
    /** The number of the line in the part. The first line is 1. */
    line: number;
  };
  /** The id of a comment in the thread to reply to. Then send only `text`. */
  replyTo?: string;
};

export type NewInvitation = {
  /** Only the account with this email can accept the invitation. Case-insensitive. */
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
};

export type NewLabelRule = {
  /** How many people must approve a proposal to move the label. 0: the move needs a proposal, but no approval. */
  approvals: number;
  /** Whether the approvals of those who wrote the content or opened the proposal count. */
  authorMayApprove?: boolean;
  /** Whether an API key may apply an approved proposal. */
  keysMayApply?: boolean;
  /** The lowest role that may move the label without a proposal by giving a reason (`override`). Only members with at least this role may change or remove the rule. If it is `nobody`, only the owner may do so. */
  override?: 'admin' | 'owner' | 'nobody';
};

export type NewLangfusePrompt = {
  name: string;
  type?: 'text' | 'chat';
  prompt: string | Array<{
    type: 'placeholder';
    name: string;
  } | {
    type?: 'chatmessage';
    role: string;
    content: string;
  }>;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  labels?: string[] | null;
  tags?: string[] | null;
  commitMessage?: string | null;
};

export type NewLangfuseScore = {
  /** A score that is sent again with the same id is counted once. */
  id?: string;
  traceId?: string | null;
  observationId?: string | null;
  name: string;
  value: number | boolean | string;
  dataType?: string | null;
  comment?: string | null;
};

export type NewModelConnection = {
  /** Unique in the workspace. Runs can refer to the connection by this name. */
  name: string;
  /** The protocol of the server. Default: `openai`. */
  kind?: 'openai' | 'anthropic' | 'gemini';
  /** The base URL of the server’s API, to which the service appends `/models`, `/chat/completions`, `/messages` or `/models/{model}:streamGenerateContent`. It usually ends in `/v1`, or in `/v1beta` for `gemini`. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  baseUrl: string;
  /** The models that can be used. The first is the default. If the list is empty, all models are allowed. */
  models?: string[];
  /** Prices by model. They replace the built-in list prices of well-known models from OpenAI, Anthropic and Google. The cost of a run is unknown if its model has no price at all. */
  prices?: Record<string, {
    /** US dollars per million input tokens. */
    input: number;
    /** US dollars per million output tokens. */
    output: number;
  }>;
  /** Sent in the header of the protocol: `Authorization`, `x-api-key` or `x-goog-api-key`. Stored encrypted, for this base address only, and never shown again. */
  apiKey?: string;
};

export type NewPasskey = {
  /** A name for the passkey, 1 to 100 characters. */
  name: string;
  /** The new credential that the browser returned. */
  credential: {
    /** The id of the credential. */
    id: string;
    /** The client data, in base64url. */
    clientDataJSON: string;
    /** The attestation object, in base64url. */
    attestationObject: string;
    transports?: string[];
  };
};

export type NewPrompt = {
  /** 1 to 200 printable characters, except \ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`. */
  name: string;
  /** Default: `text` with `template`, `chat` with `messages`. */
  type?: 'text' | 'chat';
  description?: string;
  /** Up to 20 tags of up to 50 characters. */
  tags?: string[];
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  variables?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The version message: a note about what changed, which the history shows. */
  message?: string;
  /** Labels to move to this version. */
  labels?: string[];
};

/** For `approval_required`: the body with which you can propose the change with `POST /api/proposals`. */
export type NewProposal = {
  /** The labels to move. Each has exactly one of `version`, `candidate` and `release`. All of them move in one transaction. */
  changes: Array<{
    /** The name of the prompt. */
    prompt: string;
    /** A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a letter or digit. */
    label: string;
    /** The version to move the label to. */
    version?: number;
    /** The id of the candidate to make a version from. */
    candidate?: string;
    release?: ProposedRelease;
  }>;
  /** What the proposal is for. */
  message?: string;
  /** The ids of members who are asked for a review. */
  reviewers?: string[];
  /** When the service applies the proposal, once it is approved. Without it, a person applies the proposal. */
  applyAt?: string;
};

export type NewRelease = {
  /** The version for everyone who gets no arm. If the label points at another version, the label is moved to this version first. */
  control: number;
  arms: Array<{
    version: number;
    /** In ten-thousandths of the keys. The control gets the rest. */
    weight: number;
  }>;
  /** The first matching rule decides. Rules take precedence over weights, and also apply to callers without a key. All rules together: up to 16,384 characters. */
  rules?: Array<{
    /** The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key. */
    if: Record<string, string[]>;
    /** The version of an arm or of the control. */
    version: number;
  }>;
  /** `errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as `score:helpful`. */
  metric?: string;
  /** What an arm must not make worse. Default: `errorRate`. */
  guards?: Array<{
    /** `errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as `score:helpful`. */
    metric: string;
    /** How much worse than the control an arm may be. For `errorRate`, a difference of shares: 0.02 allows 7% of failed calls instead of 5%. Default: 0.02. For `latency` and `cost`, a ratio: 0.1 allows 10% more. Default: 0.1. For a score, a difference of means. A score has no default, so its margin is required. */
    margin?: number;
    /** Which values of a score are better. Default: `higher`. */
    better?: 'higher' | 'lower';
  }>;
  /** Increasing weights for the only arm. The service widens the arm to the next weight once every guard has passed. Without steps, only people widen the arms. */
  steps?: number[];
  /** The number of units (keys with results) that the control and each arm need before the next step. Up to 200,000 units are kept per step. The number is therefore refused if a version has too small a share of the keys to ever have so many units. */
  minUnits?: number;
  /** The shortest time between two steps. */
  everyMinutes?: number;
  /** What happens if an arm is worse than a guard allows. `rollback`: everyone gets the control again. */
  onRegression?: 'rollback' | 'pause';
  /** The reason for moving a gated label without passing checks. Requires the role `admin`. The reason is shown in the history and the event. */
  override?: string;
};

export type NewReview = {
  /** `decline` ends the proposal. */
  verdict: 'approve' | 'decline';
  text?: string;
  /** The revision that was reviewed. */
  revision: string;
};

export type NewServiceAccount = {
  /** The name of the program, 1 to 100 characters. */
  name: string;
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
};

export type NewToken = {
  /** The account's API key: `ph_` followed by 64 hexadecimal characters. */
  token: string;
};

export type NewVersion = {
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  variables?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The version message: a note about what changed, which the history shows. */
  message?: string;
  /** Labels to move to this version. */
  labels?: string[];
  /** The version on which the new version is based. If that version is no longer the newest, the response is 409. */
  baseVersion?: number;
};

export type NewView = {
  name: string;
  filters: ViewFilters;
};

export type NewWebhook = {
  /** The URL to which events are sent with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url: string;
  /** The types of events to send, or `all` for all events, including future ones. Default: `all`. */
  events?: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'candidate.created' | 'candidate.changed' | 'candidate.deleted' | 'label.moved' | 'label.removed' | 'proposal.opened' | 'proposal.reviewed' | 'proposal.applied' | 'proposal.declined' | 'proposal.withdrawn' | 'proposal.expired' | 'comment.added' | 'comment.changed' | 'comment.deleted' | 'release.started' | 'release.widened' | 'release.paused' | 'release.resumed' | 'release.rolled_back' | 'release.finished' | 'dependency.changed' | 'results.worsened' | 'rules.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description?: string;
  /** `json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default: `json`. */
  format?: 'json' | 'slack';
  /** Events that happen while the webhook is disabled are not sent later. */
  enabled?: boolean;
};

export type NewWorkspace = {
  /** The name of the workspace, 1 to 100 characters. */
  name: string;
};

export type Notification = {
  /** Starts with `n_`. */
  id: string;
  kind: 'invited' | 'role_changed' | 'removed' | 'workspace_transferred' | 'webhook_disabled' | 'budget_used_up' | 'release_stopped' | 'review_requested' | 'proposal_reviewed' | 'proposal_applied' | 'proposal_failed' | 'mentioned' | 'comment_added' | 'new_sign_in';
  at: string;
  read: boolean;
  text: string;
  /** The dashboard page that the notification is about. */
  path: string | null;
  workspace: {
    id: string;
    /** The name of the workspace at that time. */
    name: string;
  } | null;
  /** Who caused the notification. Null if the service did. */
  by: {
    userId: string;
    name: string;
  } | null;
};

export type NotificationList = {
  data: Notification[];
  /** The `cursor` of the next page. Null on the last page. */
  nextCursor: string | null;
  /** The number of unread notifications on all pages. */
  unread: number;
};

export type NotificationSettings = {
  invited: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  role_changed: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  removed: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  workspace_transferred: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  webhook_disabled: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  budget_used_up: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  release_stopped: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  review_requested: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  proposal_reviewed: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  proposal_applied: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  proposal_failed: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  mentioned: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  comment_added: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
  new_sign_in: {
    /** Whether the dashboard shows such notifications. */
    page: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email: boolean;
  };
};

export type NotificationSettingsChange = {
  invited?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  role_changed?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  removed?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  workspace_transferred?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  webhook_disabled?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  budget_used_up?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  release_stopped?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  review_requested?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  proposal_reviewed?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  proposal_applied?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  proposal_failed?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  mentioned?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  comment_added?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
  new_sign_in?: {
    /** Whether the dashboard shows such notifications. */
    page?: boolean;
    /** Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified. */
    email?: boolean;
  };
};

export type OtlpError = {
  /** A gRPC status code. */
  code: number;
  message: string;
};

/** The schema that the output of the model must follow. */
export type Output = {
  /** A JSON Schema (2020-12). Descriptions in it may be templates. */
  schema: Record<string, unknown>;
  /** The name of the schema in the request to the model. */
  name?: string;
  /** Whether the model must follow the schema exactly, where the model API supports it. */
  strict?: boolean;
};

export type Overview = {
  /** The number of prompts that match the filters, excluding the bin. */
  prompts: number;
  /** The tags in use, sorted, up to 500. */
  tags: string[];
  /** The labels in use, sorted, up to 500. */
  labels: string[];
  /** The people and programs that have saved versions, including former members, up to 100. */
  authors: Array<{
    userId: string;
    /** The name of the author when they saved a version. */
    name: string;
  }>;
};

export type Passkey = {
  id: string;
  name: string;
  /** The host at which the passkey works: that of `PUBLIC_URL` when it was created. */
  host: string;
  createdAt: string;
  /** The time of the last sign-in with the passkey. Null if there was none. */
  lastUsedAt: string | null;
};

export type PasskeyAssertion = {
  /** The id of the credential. */
  id: string;
  /** The client data, in base64url. */
  clientDataJSON: string;
  /** The authenticator data, in base64url. */
  authenticatorData: string;
  /** The signature, in base64url. */
  signature: string;
  /** The user handle, in base64url. It identifies the account. */
  userHandle: string;
};

export type PasskeyChange = {
  /** A name for the passkey, 1 to 100 characters. */
  name: string;
};

/** The options for the browser's `navigator.credentials`, as `PublicKeyCredentialCreationOptionsJSON` of the Web Authentication specification. They are valid for 5 minutes. */
export type PasskeyCreationOptions = Record<string, unknown>;

export type PasskeyList = {
  data: Passkey[];
};

/** The options for the browser's `navigator.credentials`, as `PublicKeyCredentialRequestOptionsJSON` of the Web Authentication specification. They are valid for 5 minutes. */
export type PasskeyRequestOptions = Record<string, unknown>;

export type PasswordChange = {
  /** Required if the account has a password. Without one, this session needs a sign-in or a confirmation within the last 10 minutes. */
  currentPassword?: string;
  newPassword: string;
};

export type PasswordReset = {
  /** The token in the reset link. */
  token: string;
  /** 8 to 128 characters of any kind. 15 or more are recommended. Very common passwords are rejected. */
  newPassword: string;
};

/** Always the same, whether or not the account exists. */
export type PasswordResetAccepted = {
  status: 'ok';
};

export type PasswordResetRequest = {
  email: string;
};

export type Person = {
  /** The account or service account. Absent if the change was imported. */
  userId?: string;
  /** Their name at that time. */
  name: string;
  /** `api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were saved before the service recorded this. */
  via?: 'api' | 'dashboard';
  /** The change was made in another service and imported. A member of this workspace who has the same name may be a different person. */
  imported?: true;
};

export type Placeholder = {
  /** The name of the variable that holds the caller’s messages. */
  placeholder: string;
};

export type Preview = {
  /** For text prompts. */
  text?: string;
  /** For chat prompts. */
  messages?: RenderedMessage[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  variables: Variable[];
  /** With `placeholders`: the values shown for missing required variables, by name. */
  placeholders?: Record<string, unknown>;
  /** With `problems`: why the template cannot be rendered, such as an included prompt that does not exist. */
  problem?: string;
};

export type PreviewRequest = {
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
  declarations?: VariableDeclaration[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config?: unknown;
  /** The id of a candidate of the prompt `name`, instead of content and `config`. */
  candidate?: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  /** The name of the prompt to which the draft or the candidate belongs. If the draft includes this prompt, rendering fails, because a prompt cannot include itself. */
  name?: string;
  /** With `true`, missing required variables are shown by name, such as ‹customer.name›. Otherwise the response is 422. */
  placeholders?: boolean;
  /** With `true`, the response for a template that cannot be rendered contains its variables and a `problem`. Otherwise the response is 422. */
  problems?: boolean;
};

export type Prompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version that each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. A response with one prompt contains up to 2,000 of the newest numbers, and a list contains at least 100 for each prompt. */
  deletedVersions?: number[];
  createdAt: string;
  updatedAt: string;
};

export type PromptChange = {
  /** 1 to 200 printable characters, except \ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`. */
  name?: string;
  description?: string;
  /** Up to 20 tags of up to 50 characters. */
  tags?: string[];
};

export type PromptKeyCount = {
  /** The number of distinct keys with which any label of the prompt was read, or with which its calls were reported. It is exact up to 512, and above that accurate to about 5%. A caller that sends no key is not counted. */
  keys: number;
  /** The number of days that are counted, including today (UTC). */
  days: number;
};

export type PromptList = {
  data: ListedPrompt[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type PromptResults = {
  from: string;
  /** The end of the range, exclusive. */
  to: string;
  /** The time of the response. The interval that contains it is still in progress. */
  now: string;
  interval: 'hour' | 'day';
  timeZone: string;
  totals: {
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
    /** Most frequent first. `other` counts the rest. */
    errorTypes: Array<{
      type: string;
      calls: number;
    }>;
    /** Sorted by name. */
    scores: Array<{
      name: string;
      kind: 'number' | 'boolean' | 'category';
      count: number;
      /** For booleans, the share of `true`. Null for categories. */
      mean: number | null;
      /** The lower bound of the 95% confidence interval of the mean. Null for categories and for a single value. */
      low: number | null;
      high: number | null;
      /** Empty unless the values are categories. */
      categories: Array<{
        value: string;
        count: number;
      }>;
    }>;
  };
  /** The 50 versions with the most calls, newest version first. */
  versions: Array<{
    /** Null for calls that were reported without a version. */
    version: number | null;
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
    /** Most frequent first. `other` counts the rest. */
    errorTypes: Array<{
      type: string;
      calls: number;
    }>;
    /** Sorted by name. */
    scores: Array<{
      name: string;
      kind: 'number' | 'boolean' | 'category';
      count: number;
      /** For booleans, the share of `true`. Null for categories. */
      mean: number | null;
      /** The lower bound of the 95% confidence interval of the mean. Null for categories and for a single value. */
      low: number | null;
      high: number | null;
      /** Empty unless the values are categories. */
      categories: Array<{
        value: string;
        count: number;
      }>;
    }>;
  }>;
  /** The 500 models with the highest cost. Models with the same cost are sorted by calls. */
  models: Array<{
    /** Null for calls without a model, and for calls beyond the limit of 100 models per hour. */
    model: string | null;
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
  }>;
  /** Every interval in the range, including those without calls. */
  series: Array<{
    /** The start of the interval. */
    time: string;
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
    versions: Array<{
      /** Null for calls that were reported without a version. */
      version: number | null;
      calls: number;
      errors: number;
    }>;
  }>;
  /** The last 100 label moves in the range, oldest first. */
  deployments: Array<{
    at: string;
    label: string;
    version: number;
    /** The version that the label pointed at before. Null if the label was new. */
    from: number | null;
  }>;
  /** The calls of the current version at a label, and of the version that had the label before, in the whole range. The label is the one in the parameter `label`, or else `production`. The comparison is filtered by `model`, but not by `version`. Null if one of the two versions has no calls. */
  comparison: {
    label: string;
    /** When the label was moved to its current version. */
    since: string;
    current: {
      version: number;
      calls: number;
      errors: number;
      /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
      errorRate: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
      durationMs: {
        p50: number | null;
        p95: number | null;
      };
      /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
      firstChunkMs: {
        p50: number | null;
        p95: number | null;
      };
      inputTokens: number;
      outputTokens: number;
      /** In US dollars, as reported, or calculated with the prices at the time of the report. */
      cost: number;
      /** The mean over the calls whose cost is known. Null if there are no such calls. */
      costPerCall: number | null;
      /** The calls that reported tokens, but whose model has no known price. */
      unpriced: number;
      /** Most frequent first. `other` counts the rest. */
      errorTypes: Array<{
        type: string;
        calls: number;
      }>;
      /** Sorted by name. */
      scores: Array<{
        name: string;
        kind: 'number' | 'boolean' | 'category';
        count: number;
        /** For booleans, the share of `true`. Null for categories. */
        mean: number | null;
        /** The lower bound of the 95% confidence interval of the mean. Null for categories and for a single value. */
        low: number | null;
        high: number | null;
        /** Empty unless the values are categories. */
        categories: Array<{
          value: string;
          count: number;
        }>;
      }>;
    };
    previous: {
      version: number;
      calls: number;
      errors: number;
      /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
      errorRate: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
      durationMs: {
        p50: number | null;
        p95: number | null;
      };
      /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
      firstChunkMs: {
        p50: number | null;
        p95: number | null;
      };
      inputTokens: number;
      outputTokens: number;
      /** In US dollars, as reported, or calculated with the prices at the time of the report. */
      cost: number;
      /** The mean over the calls whose cost is known. Null if there are no such calls. */
      costPerCall: number | null;
      /** The calls that reported tokens, but whose model has no known price. */
      unpriced: number;
      /** Most frequent first. `other` counts the rest. */
      errorTypes: Array<{
        type: string;
        calls: number;
      }>;
      /** Sorted by name. */
      scores: Array<{
        name: string;
        kind: 'number' | 'boolean' | 'category';
        count: number;
        /** For booleans, the share of `true`. Null for categories. */
        mean: number | null;
        /** The lower bound of the 95% confidence interval of the mean. Null for categories and for a single value. */
        low: number | null;
        high: number | null;
        /** Empty unless the values are categories. */
        categories: Array<{
          value: string;
          count: number;
        }>;
      }>;
    };
  } | null;
  /** The last release of each label, if it overlaps the range. Earlier releases are in the history of the prompt. Sorted by start, latest first. With `label`, only that label’s release. */
  releases: Array<{
    id: string;
    label: string;
    state: 'running' | 'paused' | 'rolled_back' | 'finished';
    startedAt: string;
    /** When the weights or the state last changed. Results are measured from this time. */
    changedAt: string;
    endedAt: string | null;
    /** The reads in the range without a key, which got the control. */
    readsWithoutKey: number;
    /** The control first, then the arms. */
    arms: Array<{
      /** `control`, or the version of the arm, such as `v4`. */
      arm: string;
      version: number;
      /** In ten-thousandths of the keys. If the release has ended: the last weight. */
      weight: number;
      /** How often a key or a rule chose the version in the range. Does not depend on `status`, `label` or `model`. */
      reads: number;
      /** The keys with results since the weights last changed. */
      units: number;
      /** The reported calls with these keys. */
      calls: number;
    }>;
  }>;
};

export type PromptUsage = {
  callsLast24Hours: number;
  /** The hour of the last call, or the day if it was more than 90 days ago. Null if there was no call. */
  lastUsedAt: string | null;
};

export type Proposal = {
  /** Starts with `prop_`. */
  id: string;
  /** `approved`: it has all approvals and can be applied. `scheduled`: it has all approvals and is applied at `applyAt`. `stale`: its effect changed after it was approved, so it must be approved again. `expired`: it had no activity for 90 days. */
  state: 'open' | 'approved' | 'scheduled' | 'stale' | 'applied' | 'declined' | 'withdrawn' | 'expired';
  /** Identifies what the proposal would change. It changes if a candidate changes, if a prompt is renamed, if a label or release changes in the meantime, or if the test cases of a gated label change. Approvals count only for the current revision. A request with an older revision is refused with 409 `proposal_changed`. A proposal that has ended keeps the revision of its last approval or refusal. */
  revision: string;
  message: string;
  changes: Array<{
    prompt: {
      id: string;
      name: string;
    };
    label: string;
    /** The version that the label points at. Null if the label does not exist or the proposal has ended. */
    from: number | null;
    version?: number;
    candidate?: {
      title: string;
      id: string;
      revision: number;
    };
    release?: ProposedRelease;
    /** Up to 20 prompts that the content includes, directly or indirectly, at labels without a rule. They can change later without an approval. Only `GET /api/proposals/{id}` returns this, for an open proposal and a label with a rule. */
    unruledIncludes?: Array<{
      prompt: string;
      label: string;
    }>;
    /** How many approvals the rule of the label requires, and how many count for this change. */
    approvals: {
      required: number;
      given: number;
    };
  }>;
  reviewers: string[];
  /** Whether the approval of the caller counts. People approve in the dashboard, and not with their API keys. */
  myApproval: {
    /** Whether the caller has approved the current revision. */
    given: boolean;
    /** Whether an approval of the caller counts, or would count, for at least one of the changes. */
    counts: boolean;
    /** Why the approval does not count. `program`: the caller is a service account. `role`: the caller may not move one of the labels. `not_needed`: the rules require no approval. `opened` and `wrote`: the caller opened the proposal or contributed to the content. `holds_key`: a service account did so, and the caller has received its key. */
    reason: 'ended' | 'program' | 'role' | 'not_needed' | 'opened' | 'wrote' | 'holds_key' | null;
  };
  reviews: Array<{
    id: string;
    by: Person;
    verdict: 'approve' | 'decline';
    text: string;
    at: string;
    /** Whether the review is about the current revision. */
    current: boolean;
  }>;
  applyAt: string | null;
  /** Why the service could not apply the proposal at its scheduled time. A person can apply it. */
  problem: string | null;
  openedAt: string;
  openedBy: Person;
  endedAt: string | null;
  endedBy: Person | null;
  /** The result of applying the proposal. Null unless it was applied. */
  result: Array<{
    prompt: string;
    label: string;
    version?: number;
    /** The version that the label pointed at before. Absent if it was new. */
    from?: number;
    /** The id of the release that was started. */
    release?: string;
  }> | null;
};

export type ProposalApplication = {
  /** Identifies what the proposal would change. It changes if a candidate changes, if a prompt is renamed, if a label or release changes in the meantime, or if the test cases of a gated label change. Approvals count only for the current revision. A request with an older revision is refused with 409 `proposal_changed`. A proposal that has ended keeps the revision of its last approval or refusal. */
  revision: string;
};

export type ProposalList = {
  data: Proposal[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type ProposedRelease = {
  /** The version for everyone who gets no arm. If the label points at another version, the label is moved to this version first. */
  control: number;
  arms: Array<{
    version: number;
    /** In ten-thousandths of the keys. The control gets the rest. */
    weight: number;
  }>;
  /** The first matching rule decides. Rules take precedence over weights, and also apply to callers without a key. All rules together: up to 16,384 characters. */
  rules?: Array<{
    /** The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key. */
    if: Record<string, string[]>;
    /** The version of an arm or of the control. */
    version: number;
  }>;
  /** `errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as `score:helpful`. */
  metric?: string;
  /** What an arm must not make worse. Default: `errorRate`. */
  guards?: Array<{
    /** `errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as `score:helpful`. */
    metric: string;
    /** How much worse than the control an arm may be. For `errorRate`, a difference of shares: 0.02 allows 7% of failed calls instead of 5%. Default: 0.02. For `latency` and `cost`, a ratio: 0.1 allows 10% more. Default: 0.1. For a score, a difference of means. A score has no default, so its margin is required. */
    margin?: number;
    /** Which values of a score are better. Default: `higher`. */
    better?: 'higher' | 'lower';
  }>;
  /** Increasing weights for the only arm. The service widens the arm to the next weight once every guard has passed. Without steps, only people widen the arms. */
  steps?: number[];
  /** The number of units (keys with results) that the control and each arm need before the next step. Up to 200,000 units are kept per step. The number is therefore refused if a version has too small a share of the keys to ever have so many units. */
  minUnits?: number;
  /** The shortest time between two steps. */
  everyMinutes?: number;
  /** What happens if an arm is worse than a guard allows. `rollback`: everyone gets the control again. */
  onRegression?: 'rollback' | 'pause';
};

export type ProviderUrl = {
  /** The page of the provider to open in this browser. */
  url: string;
};

export type ReadNotifications = {
  ids?: string[];
  /** Marks this notification and all older notifications as read. */
  upTo?: string;
};

export type ReceivedInvitation = {
  workspace: {
    name: string;
    /** `personal`: the workspace of an account, which has the account’s name. */
    kind: 'personal' | 'team';
  };
  invitedBy: {
    name: string;
  };
  /** Only this email can register with the link, and only the account with this email can accept the invitation. */
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be assigned. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  expiresAt: string;
};

export type RecoveryCodes = {
  /** Ten codes, shown only once. Each code can be used once instead of a code from the authenticator app. */
  recoveryCodes: string[];
};

export type Registration = {
  /** Case-insensitive. */
  email: string;
  /** 8 to 128 characters of any kind. 15 or more are recommended. Very common passwords are rejected. */
  password: string;
  /** Default: the part of `email` before the @. */
  name?: string;
  /** The token of an invitation to `email`. The token allows registration even if registration is closed. Registering does not accept the invitation. Sign in and accept the invitation afterwards. */
  invitation?: string;
};

export type Release = {
  id: string;
  label: string;
  state: 'running' | 'paused' | 'rolled_back' | 'finished';
  /** Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not match the weights, so the results cannot be trusted. `not_allowed`: the next step would need checks or approvals that a version does not have. */
  cause: 'person' | 'regression' | 'sample_ratio' | 'not_allowed' | 'deleted' | null;
  /** The arm of a key depends on the salt and the key. It stays the same when weights change. */
  salt: string;
  control: number;
  arms: Array<{
    version: number;
    /** In ten-thousandths of the keys. The control gets the rest. */
    weight: number;
  }>;
  rules: Array<{
    /** The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key. */
    if: Record<string, string[]>;
    /** The version of an arm or of the control. */
    version: number;
  }>;
  metric: string | null;
  guards: Array<{
    metric: string;
    margin: number;
    /** Which values of a score are better. Default: `higher`. */
    better: 'higher' | 'lower';
  }>;
  steps: number[];
  /** The number of steps that the release has reached. */
  step: number;
  minUnits: number;
  everyMinutes: number;
  onRegression: 'rollback' | 'pause';
  startedAt: string;
  startedBy: Person;
  /** When the weights or the state last changed. Results are measured from this time. */
  changedAt: string;
  endedAt: string | null;
  progress: {
    /** The control first, then the arms. */
    arms: Array<{
      arm: string;
      version: number;
      weight: number;
      /** The keys with results since the weights last changed. */
      units: number;
      /** The reported calls with these keys. */
      calls: number;
      /** How often a key or a rule chose the version since the start. */
      reads: number;
    }>;
    /** The reads without a key since the start, which got the control. */
    readsWithoutKey: number;
    guards: Array<{
      metric: string;
      margin: number;
      /** Which values of a score are better. Default: `higher`. */
      better: 'higher' | 'lower';
      arm: string;
      /** The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the geometric mean. */
      control: number | null;
      /** The mean of the arm. */
      value: number | null;
      difference: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** `passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is. `undecided`: there are not enough results yet. */
      verdict: 'passed' | 'worse' | 'undecided';
    }>;
    /** The metric that the release should improve. The service shows it, but decides nothing with it. */
    metric: {
      metric: string;
      arms: Array<{
        arm: string;
        value: number | null;
        difference: {
          value: number;
          low: number;
          high: number;
        } | null;
        /** For shares: the probability that the arm is better than the control. The service decides nothing with it. */
        probabilityBetter: number | null;
      }>;
    } | null;
    /** Null if the release is not running. */
    next: {
      /** The next step. Null after the last step. */
      weight: number | null;
      /** The earliest time of the next step. */
      at: string | null;
      /** The results that the next step waits for, in words. Empty if it waits only for the time. */
      waitsFor: string[];
    } | null;
  };
};

export type ReleaseChange = {
  /** `paused`: callers keep their versions, and the service neither widens the release nor rolls it back. */
  state?: 'running' | 'paused';
  /** All arms of the release with their new weights, none of which may be smaller than before. */
  arms?: Array<{
    version: number;
    /** In ten-thousandths of the keys. The control gets the rest. */
    weight: number;
  }>;
};

export type ReleaseFinish = {
  /** The version of an arm or of the control. */
  version: number;
  /** The reason for moving a gated label without passing checks. Requires the role `admin`. The reason is shown in the history and the event. */
  override?: string;
};

export type RenderRequest = {
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  label?: string | 'latest';
  version?: number;
  /** The key by which a release divides callers, such as the id of a user. If the label has a release, the key decides which version the response has: the same key always gets the same version. */
  key?: string;
  /** Attributes that the rules of a release use. */
  context?: Record<string, string | number | boolean>;
  /** Whether the response contains a token with which a browser can rate this version for 24 hours. */
  feedbackToken?: boolean;
};

export type RenderedPrompt = {
  name: string;
  version: number;
  /** For text prompts. */
  text?: string;
  /** For chat prompts. */
  messages?: RenderedMessage[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  /** Present if the label has a release. */
  release?: {
    id: string;
    /** `control`, or `v` followed by the version number. */
    arm: string;
    /** `SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because there is no key. */
    reason: 'SPLIT' | 'RULE' | 'NO_KEY';
  };
  /** For `POST /api/feedback/browser`. Present if the request asked for it. */
  feedbackToken?: string;
};

export type ReportReceipt = {
  /** The calls that were counted, by this report or an earlier one. */
  accepted: number;
  /** The calls whose prompt or version does not exist in the workspace. */
  dropped: number;
  /** Present if calls have a `key`, but no `release`, while a release divides the callers of the prompt. Such calls do not count for the release. */
  hint?: string;
};

export type RestoreRequest = {
  /** The reason for restoring the prompt although one of its gated labels points at a version that has not passed its checks. Requires the role `admin`. The reason is shown in the history and the event. */
  override?: string;
};

export type ResultReport = {
  calls: Array<{
    /** The name of a prompt. */
    prompt: string;
    version?: number;
    /** The label with which the prompt was fetched. */
    label?: string;
    /** The id of the release that chose the version by the key (`reason` is `SPLIT`). With `version` and `key`, the call counts for the release. */
    release?: string;
    /** The key with which the prompt was fetched. Only a hash of it is kept, which is different in each release. */
    key?: string;
    model?: string;
    /** Who runs the model, such as `openai`. Determines the list price. */
    provider?: string;
    /** How long the call took. */
    durationMs: number;
    /** The time until the first part of the response arrived. */
    firstChunkMs?: number;
    inputTokens?: number;
    outputTokens?: number;
    /** In US dollars. By default, the cost is calculated from the tokens and the price of the model. */
    cost?: number;
    /** Why the call failed, such as `timeout` or `429`. Absent if the call succeeded. */
    error?: string;
    /** The id of the trace to which the call belongs. Feedback can refer to it for 72 hours. */
    traceId?: string;
    /** The id of the call within its trace. */
    spanId?: string;
    /** The id that the model API gave to its response. Feedback can refer to it for 72 hours. */
    responseId?: string;
    /** An id of your own, for calls without a `spanId`. A call that is reported again with the same id is counted once. */
    id?: string;
    /** ISO 8601. Determines the hour in which the call is counted. Default: the time of arrival, which also replaces times in the future and times more than 24 hours ago. */
    endedAt?: string;
  }>;
};

export type Run = {
  /** Starts with `r_`. */
  id: string;
  /** Null for a draft or a candidate. */
  version: number | null;
  /** The candidate that was run. */
  candidate?: {
    title: string;
    id: string;
    revision: number;
  };
  /** Present if the label has a release. */
  release?: {
    id: string;
    /** `control`, or `v` followed by the version number. */
    arm: string;
    /** `SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because there is no key. */
    reason: 'SPLIT' | 'RULE' | 'NO_KEY';
  };
  connection: {
    id: string;
    name: string;
  };
  model: string;
  createdAt: string;
  by: Person;
  /** The variables of the run. */
  variables: Record<string, unknown>;
  /** All parameters of the request to the model. */
  parameters: Record<string, unknown>;
  messages: Array<Record<string, unknown>>;
  /** The content of a draft or a candidate. */
  draft?: {
    /** The language of the templates. */
    syntax?: 'liquid' | 'mustache';
    template?: string;
    messages?: Array<Message | Placeholder>;
    /** Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. The `variables` of a response can be sent back. */
    declarations?: VariableDeclaration[];
    /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
    tools?: Tool[];
    output?: Output;
    /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
    config: unknown;
  };
  /** The text that the model wrote. After an error, the part that was received. */
  output: string;
  toolCalls: Array<Record<string, unknown>>;
  /** The finish reason as the server sent it, such as `stop`, `length` or `tool_calls`. Finish reasons of Anthropic and Gemini are converted to OpenAI’s names. */
  finishReason: string | null;
  usage: TokenUsage;
  /** In US dollars. Null if neither the connection nor the built-in list has a price for the model. */
  cost: number | null;
  /** Time until the first token. Null if there was none. */
  firstTokenMs: number | null;
  durationMs: number;
  /** Why the run failed. Null if it succeeded. */
  error: RunError | null;
  /** True if the run was too large to be stored completely. Parts of its input are then missing. */
  truncated?: boolean;
};

export type RunError = {
  code: 'unreachable' | 'rejected' | 'incomplete' | 'timeout' | 'invalid_response' | 'too_long' | 'canceled';
  /** A description of the error, with the message from the server. */
  message: string;
  /** The status of the server’s response. */
  status: number | null;
  /** How long the server asks you to wait. */
  retryAfterSeconds: number | null;
};

export type RunList = {
  data: RunSummary[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type RunRequest = {
  /** Values by variable name. The value of a placeholder is an array of messages. Their `content` can be a string or an array of parts, such as images. */
  variables?: Record<string, unknown>;
  /** The id or the name of a model connection. */
  connection: string;
  /** Default: the model in the prompt’s config if the connection offers it, otherwise the first model of the connection. */
  model?: string;
  /** Parameters of the request to the model. They override the prompt’s config. Null removes a parameter. */
  parameters?: Record<string, unknown>;
  label?: string | 'latest';
  version?: number;
  /** The id of a candidate, instead of a label or a version. */
  candidate?: string;
  /** The key by which a release divides callers, such as the id of a user. If the label has a release, the key decides which version the response has: the same key always gets the same version. */
  key?: string;
  /** Attributes that the rules of a release use. */
  context?: Record<string, string | number | boolean>;
};

export type RunStatistics = {
  from: string;
  /** The end of the range, exclusive. */
  to: string;
  /** The time of the response. The interval that contains it is still in progress. */
  now: string;
  interval: 'hour' | 'day';
  timeZone: string;
  totals: {
    /** Requests to models. A check run makes several requests. */
    runs: number;
    /** Requests that failed or were canceled. */
    errors: number;
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, at the prices of that time. */
    cost: number;
    /** Requests whose cost is unknown, because there was no price for the model. */
    unpriced: number;
    /** Percentiles of the duration of successful requests, accurate to 10%. Null if no request succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
  };
  /** Every interval in the range, including those without runs, as in `GET /api/stats`. */
  series: Array<{
    /** The start of the interval. */
    time: string;
    /** Requests to models. A check run makes several requests. */
    runs: number;
    /** Requests that failed or were canceled. */
    errors: number;
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, at the prices of that time. */
    cost: number;
    /** Requests whose cost is unknown, because there was no price for the model. */
    unpriced: number;
    /** Percentiles of the duration of successful requests, accurate to 10%. Null if no request succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
  }>;
  /** Sorted by cost, highest first, and then by the number of runs. */
  byModel: Array<{
    /** Null for the requests that are not counted by model. Up to 200 combinations of member and model are counted per hour. */
    model: string | null;
    /** Requests to models. A check run makes several requests. */
    runs: number;
    /** Requests that failed or were canceled. */
    errors: number;
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, at the prices of that time. */
    cost: number;
    /** Requests whose cost is unknown, because there was no price for the model. */
    unpriced: number;
    /** Percentiles of the duration of successful requests, accurate to 10%. Null if no request succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
  }>;
  /** The members who started the runs and check runs, with a key or in the dashboard. Sorted by cost, highest first. */
  byMember: Array<{
    /** Null for calls and runs that are not counted by member. Per hour, up to 1,000 combinations of member, route and status are counted for calls, and up to 200 combinations of member and model for runs. */
    userId: string | null;
    /** The current name. Null if the account is no longer a member. */
    name: string | null;
    /** `service`: an account for a program. Null if the account is no longer a member. */
    kind: 'person' | 'service' | null;
    /** Requests to models. A check run makes several requests. */
    runs: number;
    /** Requests that failed or were canceled. */
    errors: number;
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, at the prices of that time. */
    cost: number;
    /** Requests whose cost is unknown, because there was no price for the model. */
    unpriced: number;
    /** Percentiles of the duration of successful requests, accurate to 10%. Null if no request succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
  }>;
};

export type RunSummary = {
  /** Starts with `r_`. */
  id: string;
  /** Null for a draft or a candidate. */
  version: number | null;
  /** The candidate that was run. */
  candidate?: {
    title: string;
    id: string;
    revision: number;
  };
  /** Present if the label has a release. */
  release?: {
    id: string;
    /** `control`, or `v` followed by the version number. */
    arm: string;
    /** `SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because there is no key. */
    reason: 'SPLIT' | 'RULE' | 'NO_KEY';
  };
  connection: {
    id: string;
    name: string;
  };
  model: string;
  createdAt: string;
  by: Person;
  /** The finish reason as the server sent it, such as `stop`, `length` or `tool_calls`. Finish reasons of Anthropic and Gemini are converted to OpenAI’s names. */
  finishReason: string | null;
  usage: TokenUsage;
  /** In US dollars. Null if neither the connection nor the built-in list has a price for the model. */
  cost: number | null;
  /** Time until the first token. Null if there was none. */
  firstTokenMs: number | null;
  durationMs: number;
  /** Why the run failed. Null if it succeeded. */
  error: RunError | null;
  /** The first 200 characters of the output. */
  preview: string;
};

export type SavedBatch = {
  /** The results, in the order of the items in the request. */
  data: Array<{
    name: string;
    /** The newest version. */
    version: number;
    /** `created`: a new prompt. `updated`: a new version. `changed`: only the description, tags or labels have changed. `unchanged`: nothing has changed. */
    status: 'created' | 'updated' | 'changed' | 'unchanged';
    /** The problems at the moved labels. Absent if there are none. */
    warnings?: Warning[];
  }>;
};

export type SavedCandidate = {
  title: string;
  /** Starts with `cand_`. */
  id: string;
  /** Increases with every change. A change that names an older revision is refused with 409 `candidate_changed`. */
  revision: number;
  name: string;
  type: 'text' | 'chat';
  syntax: 'liquid' | 'mustache';
  /** For text prompts. */
  template?: string;
  /** For chat prompts. */
  messages?: Array<Message | Placeholder>;
  /** The declared variables and those that the templates use, including those of included prompts. */
  variables: Variable[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  message: string;
  baseVersion: number;
  createdAt: string;
  createdBy: Person;
  changedAt: string;
  /** Who last changed the content. */
  changedBy: {
    /** The account or service account. Absent if the change was imported. */
    userId?: string;
    /** Their name at that time. */
    name: string;
    /** `api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were saved before the service recorded this. */
    via?: 'api' | 'dashboard';
    /** The change was made in another service and imported. A member of this workspace who has the same name may be a different person. */
    imported?: true;
  };
  /** Problems that did not prevent saving the candidate. */
  warnings: Warning[];
};

export type SavedRelease = {
  id: string;
  label: string;
  state: 'running' | 'paused' | 'rolled_back' | 'finished';
  /** Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not match the weights, so the results cannot be trusted. `not_allowed`: the next step would need checks or approvals that a version does not have. */
  cause: 'person' | 'regression' | 'sample_ratio' | 'not_allowed' | 'deleted' | null;
  /** The arm of a key depends on the salt and the key. It stays the same when weights change. */
  salt: string;
  control: number;
  arms: Array<{
    version: number;
    /** In ten-thousandths of the keys. The control gets the rest. */
    weight: number;
  }>;
  rules: Array<{
    /** The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key. */
    if: Record<string, string[]>;
    /** The version of an arm or of the control. */
    version: number;
  }>;
  metric: string | null;
  guards: Array<{
    metric: string;
    margin: number;
    /** Which values of a score are better. Default: `higher`. */
    better: 'higher' | 'lower';
  }>;
  steps: number[];
  /** The number of steps that the release has reached. */
  step: number;
  minUnits: number;
  everyMinutes: number;
  onRegression: 'rollback' | 'pause';
  startedAt: string;
  startedBy: Person;
  /** When the weights or the state last changed. Results are measured from this time. */
  changedAt: string;
  endedAt: string | null;
  /** Problems that callers of the arms will have. */
  warnings: Warning[];
};

export type SavedVersion = {
  name: string;
  type: 'text' | 'chat';
  version: number;
  labels: string[];
  syntax: 'liquid' | 'mustache';
  /** For text prompts. */
  template?: string;
  /** For chat prompts. */
  messages?: Array<Message | Placeholder>;
  /** The declared variables and those that the templates use, including those of included prompts. */
  variables: Variable[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  message: string;
  createdAt: string;
  by: Person;
  /** Present if the label has a release. */
  release?: {
    id: string;
    /** `control`, or `v` followed by the version number. */
    arm: string;
    /** `SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because there is no key. */
    reason: 'SPLIT' | 'RULE' | 'NO_KEY';
  };
  /** Problems that did not prevent saving the version or moving the label. */
  warnings: Warning[];
};

export type SearchMatch = {
  /** Absent if the match is in the name or the description, which do not belong to a version. */
  version?: number;
  /** A JSON pointer: `/name`, `/description`, `/template`, `/messages/0/content` or `/config/model`. */
  path: string;
  line: number;
  /** The line, shortened around the match. A setting in `config` is shown as `name: value`. */
  text: string;
  /** Where the match starts in `text`, in UTF-16 code units as in JavaScript. */
  start: number;
  end: number;
};

export type Session = {
  id: string;
  /** When the user signed in. */
  createdAt: string;
  /** Accurate to the hour. */
  lastUsedAt: string;
  address: string | null;
  userAgent: string | null;
  /** Whether this request was made with this session. */
  current: boolean;
};

export type SessionConfirmation = {
  /** The account's password. */
  password?: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
  passkey?: PasskeyAssertion;
};

export type SessionList = {
  data: Session[];
};

export type SignInOptions = {
  /** The OpenID Connect providers. A browser signs in at `/api/session/oidc/{id}/start`. */
  providers: Array<{
    id: string;
    /** The name on the button. */
    name: string;
    /** The icon on the button, as a `data:` URL. */
    icon: string | null;
  }>;
  /** Whether everyone may sign in with a password. */
  password: boolean;
};

export type SignedOut = {
  /** The page that also ends the session at the provider. Null if there is none. */
  url: string | null;
};

export type StartedCliSignIn = {
  /** The code that the command shows. In the dashboard, the person compares it or, without a port, types it. */
  userCode: string;
  /** The page to open, or its path if the service does not know its public URL. It contains the user code only if the sign-in has a port. */
  url: string;
  expiresAt: string;
  /** The time to wait between two requests for the key. */
  intervalSeconds: number;
};

export type Statistics = {
  from: string;
  /** The end of the range, exclusive. */
  to: string;
  /** The time of the response. The interval that contains it is still in progress. */
  now: string;
  interval: 'hour' | 'day';
  timeZone: string;
  totals: {
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  };
  /** Percentiles of the call duration, accurate to 10%. Null if there were no calls, or if you filter by `prompt` or `member`. */
  durationMs: {
    p50: number | null;
    p95: number | null;
    p99: number | null;
  };
  /** Every interval in the range, including those without calls. The first and the last day count only the hours in the range. A day begins with the first full hour in UTC after midnight in the time zone. Calls older than 90 days are counted at midnight UTC on the day on which they were made. */
  series: Array<{
    /** The start of the interval. */
    time: string;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  }>;
  /** Sorted by calls, most first. Empty if you filter by `prompt`. */
  byRoute: Array<{
    /** The method and path pattern. */
    route: string;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  }>;
  /** The 500 most called prompts, with up to 100 versions each and 5,000 versions in total. Empty if you filter by `member`. */
  byPrompt: Array<{
    promptId: string;
    /** Null if the prompt was permanently deleted. */
    name: string | null;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
    /** The versions that were returned, most calls first. */
    versions: Array<{
      version: number;
      /** The requested label. Null if the version was requested by number. */
      label: string | null;
      calls: number;
    }>;
  }>;
  /** The members whose keys were used, most calls first. Every account has one key, and calls with its former keys count too. Empty if you filter by `prompt`. Calls that were made before the service counted calls by member are attributed to the owner. */
  byMember: Array<{
    /** Null for calls and runs that are not counted by member. Per hour, up to 1,000 combinations of member, route and status are counted for calls, and up to 200 combinations of member and model for runs. */
    userId: string | null;
    /** The current name. Null if the account is no longer a member. */
    name: string | null;
    /** `service`: an account for a program. Null if the account is no longer a member. */
    kind: 'person' | 'service' | null;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  }>;
  byStatus: Array<{
    status: number;
    calls: number;
  }>;
  /** Present only if you filter by `prompt`. Lists the 20 most frequent combinations of version and requested label. */
  byVersion?: Array<{
    version: number;
    label: string | null;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
    /** The calls in each interval of the top-level `series`. */
    series: number[];
  }>;
  /** Present only if you filter by `prompt`. Lists why the prompt could not be rendered, most frequent reasons first. A call in which two required variables are missing counts once for each variable. */
  errors?: Array<{
    /** The error code. */
    code: string;
    /** The missing variable, or the included prompt that was not found, with its label unless that is `production`. Null if the error concerns neither, or if 20 other names were already counted in that hour. */
    name: string | null;
    calls: number;
  }>;
  /** Present only if you filter by `prompt`. The last release of each label, if it overlaps the range. Earlier releases are in the history of the prompt. Sorted by start, latest first. */
  releases?: Array<{
    id: string;
    label: string;
    state: 'running' | 'paused' | 'rolled_back' | 'finished';
    startedAt: string;
    /** When the weights or the state last changed. Results are measured from this time. */
    changedAt: string;
    endedAt: string | null;
    /** The reads in the range without a key, which got the control. */
    readsWithoutKey: number;
    /** The control first, then the arms. */
    arms: Array<{
      /** `control`, or the version of the arm, such as `v4`. */
      arm: string;
      version: number;
      /** In ten-thousandths of the keys. If the release has ended: the last weight. */
      weight: number;
      /** How often a key or a rule chose the version in the range. Does not depend on `status`, `label` or `model`. */
      reads: number;
    }>;
  }>;
  /** When the current key was last used. Null if never. */
  keyLastUsedAt: string | null;
};

export type TokenInfo = {
  /** The account's API key: `ph_` followed by 64 hexadecimal characters. */
  token: string;
  /** Starts with `u_`. */
  userId: string;
  email: string;
  name: string;
};

export type TokenUsage = {
  inputTokens: number;
  outputTokens: number;
  /** True if the tokens are estimated because the server did not report them: four characters per token, one for East Asian scripts, and 1,000 tokens for an image or a file. */
  estimated: boolean;
};

export type Tool = {
  /** Up to 64 letters, digits, `_` and `-`. */
  name: string;
  /** A template that tells the model when to call the tool. */
  description?: string;
  /** A JSON Schema (2020-12). Descriptions in it may be templates. */
  parameters?: Record<string, unknown>;
  /** Whether the model must follow the schema exactly, where the model API supports it. */
  strict?: boolean;
};

export type TraceResponse = {
  partialSuccess?: {
    /** The number of spans that were refused, as text. */
    rejectedSpans: string;
    errorMessage: string;
  };
};

export type TwoFactorConfirmation = {
  /** The current 6 digits from the authenticator app. */
  code: string;
};

export type TwoFactorProof = {
  /** The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session. */
  password?: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
};

/** A secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). */
export type TwoFactorSecret = {
  /** The secret in base32, for manual entry. */
  secret: string;
  /** The secret as an `otpauth:` URI, for a QR code. */
  uri: string;
};

export type TwoFactorStart = {
  /** The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session. */
  password?: string;
  /** A recovery code, if the account has a passkey and the password is given. */
  code?: string;
};

/** The key is missing, malformed, unknown or revoked. */
export type Unauthorized = {
  error: 'Unauthorized';
};

export type User = {
  userId: string;
  email: string;
  name: string;
};

export type VariableDeclaration = {
  name: string;
  /** The declared type. Other values are refused with 422 when the prompt is rendered. `text` can also be a number, true or false, `enum` is one of `values`, and `image` is a URL or data URL. Absent if no type is declared. */
  type?: 'text' | 'number' | 'boolean' | 'enum' | 'list' | 'object' | 'image';
  /** What the variable is for. */
  description?: string;
  /** The value that is used if the caller sends none. The variable is then optional. */
  default?: unknown;
  /** A value that the dashboard suggests. */
  example?: unknown;
  /** The values of an `enum`. */
  values?: string[];
  /** Ignored: inferred from the templates and the default. */
  required?: boolean;
  /** If true, all other fields are ignored, because an included prompt declares the variable. */
  inherited?: boolean;
  /** Ignored: inferred from the templates. */
  kind?: unknown;
  /** Ignored: inferred from the templates. */
  fields?: unknown;
  /** Ignored: inferred from the templates. */
  items?: unknown;
};

/** A link was created. */
export type VerificationAccepted = {
  status: 'ok';
  /** Whether the mail server accepted an email with the link. A failed email is retried for about a minute. */
  mailed: boolean;
};

export type Version = {
  name: string;
  type: 'text' | 'chat';
  version: number;
  labels: string[];
  syntax: 'liquid' | 'mustache';
  /** For text prompts. */
  template?: string;
  /** For chat prompts. */
  messages?: Array<Message | Placeholder>;
  /** The declared variables and those that the templates use, including those of included prompts. */
  variables: Variable[];
  /** The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON. */
  tools?: Tool[];
  output?: Output;
  /** Any JSON up to 64 KiB, usually an object with the model and its parameters. */
  config: unknown;
  message: string;
  createdAt: string;
  by: Person;
  /** Present if the label has a release. */
  release?: {
    id: string;
    /** `control`, or `v` followed by the version number. */
    arm: string;
    /** `SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because there is no key. */
    reason: 'SPLIT' | 'RULE' | 'NO_KEY';
  };
};

export type VersionList = {
  data: Version[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type View = {
  id: string;
  name: string;
  filters: ViewFilters;
  createdAt: string;
  updatedAt: string;
};

export type ViewChange = {
  name?: string;
  filters?: ViewFilters;
};

/** The filters and the order of the list. A tag, label or author that no longer exists matches no prompt. */
export type ViewFilters = {
  search?: string;
  folder?: string;
  tag?: string;
  label?: string | 'latest';
  author?: string;
  deployed?: boolean;
  /** Only prompts that were changed since this date, or since `today`, `7d` or `30d` relative to the day on which the view is opened. */
  changed?: string;
  favorites?: true;
  sort?: 'name' | '-name' | 'updatedAt' | '-updatedAt' | 'calls' | '-calls' | 'lastUsedAt' | '-lastUsedAt';
};

export type ViewList = {
  /** Sorted by name, at most 50. */
  data: View[];
};

export type Warning = {
  /** The problem that occurs when the version is used. `unknown_partial`, `circular_partial`, `deep_partial`, `many_partials`, `long_partials`, `many_variables`, `chat_partial` and `other_syntax_partial`: the version cannot be rendered. `empty_message`: a message is empty. `missing_variable`: callers of the label do not send the variable. `included_label`: another prompt includes the label or prompt that is removed, or the service cannot determine whether one does. `label_not_copied`: the rules of the workspace do not allow the label. `release_not_copied`: the copy has the control of the release for all callers. `candidates_not_copied`: the prompt has candidates, which are not copied. `unused_variable`: a variable is assigned but never used; nothing fails. */
  code: string;
  message: string;
  /** For `included_label`: the prompt that includes this one. For `missing_variable`: the dependent whose callers are affected, or absent if callers of this prompt itself are affected. In a refused batch: the prompt that the warning concerns. */
  prompt?: string;
  /** The label whose callers are affected. Absent if all callers are affected. */
  label?: string;
  /** For `missing_variable`: the name of the variable. */
  variable?: string;
  /** For `missing_variable`: how many renders of the label in the last 24 hours would have failed, if that is known. */
  rendersLast24Hours?: number;
};

export type Webhook = {
  /** Starts with `w_`. */
  id: string;
  /** The URL to which events are sent with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url: string;
  /** The types of events to send, or `all` for all events, including future ones. */
  events: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'candidate.created' | 'candidate.changed' | 'candidate.deleted' | 'label.moved' | 'label.removed' | 'proposal.opened' | 'proposal.reviewed' | 'proposal.applied' | 'proposal.declined' | 'proposal.withdrawn' | 'proposal.expired' | 'comment.added' | 'comment.changed' | 'comment.deleted' | 'release.started' | 'release.widened' | 'release.paused' | 'release.resumed' | 'release.rolled_back' | 'release.finished' | 'dependency.changed' | 'results.worsened' | 'rules.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description: string;
  /** `json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default: `json`. */
  format: 'json' | 'slack';
  /** Events that happen while the webhook is disabled are not sent later. */
  enabled: boolean;
  /** When it was disabled. */
  disabledAt: string | null;
  /** Why the service disabled the webhook. Null if a person disabled the webhook. */
  disabledReason: string | null;
  /** After a rotation: the time until which deliveries are also signed with the old secret. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WebhookChange = {
  /** The URL to which events are sent with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url?: string;
  /** The types of events to send, or `all` for all events, including future ones. */
  events?: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'candidate.created' | 'candidate.changed' | 'candidate.deleted' | 'label.moved' | 'label.removed' | 'proposal.opened' | 'proposal.reviewed' | 'proposal.applied' | 'proposal.declined' | 'proposal.withdrawn' | 'proposal.expired' | 'comment.added' | 'comment.changed' | 'comment.deleted' | 'release.started' | 'release.widened' | 'release.paused' | 'release.resumed' | 'release.rolled_back' | 'release.finished' | 'dependency.changed' | 'results.worsened' | 'rules.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description?: string;
  /** `json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default: `json`. */
  format?: 'json' | 'slack';
  /** Events that happen while the webhook is disabled are not sent later. */
  enabled?: boolean;
};

export type WebhookDelivery = {
  /** The `webhook-id` header of every attempt. */
  id: string;
  /** The type of the event. */
  type: string;
  /** `canceled`: the delivery was still queued when the webhook was disabled. */
  state: 'pending' | 'delivered' | 'failed' | 'canceled';
  /** The event. It is the body of the request or, with the format `slack`, the source of the message. Null if the event is no longer kept. */
  payload: {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  } | null;
  /** The last attempts, oldest first. */
  attempts: Array<{
    at: string;
    /** Null if there was no response. */
    status: number | null;
    durationMs: number;
    /** Why the attempt failed. */
    error: string | null;
    /** The first 1 KB of the response. Stored only for the last attempt, and only if that attempt failed. Otherwise null. */
    response: string | null;
  }>;
  /** When the next attempt is due. The attempt waits until earlier events of the same prompt are delivered. */
  nextAttemptAt: string | null;
  /** When the event happened. */
  createdAt: string;
};

export type WebhookDeliveryList = {
  data: WebhookDelivery[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type WebhookList = {
  data: Webhook[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type WebhookWithSecret = {
  /** Starts with `w_`. */
  id: string;
  /** The URL to which events are sent with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url: string;
  /** The types of events to send, or `all` for all events, including future ones. */
  events: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'candidate.created' | 'candidate.changed' | 'candidate.deleted' | 'label.moved' | 'label.removed' | 'proposal.opened' | 'proposal.reviewed' | 'proposal.applied' | 'proposal.declined' | 'proposal.withdrawn' | 'proposal.expired' | 'comment.added' | 'comment.changed' | 'comment.deleted' | 'release.started' | 'release.widened' | 'release.paused' | 'release.resumed' | 'release.rolled_back' | 'release.finished' | 'dependency.changed' | 'results.worsened' | 'rules.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description: string;
  /** `json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default: `json`. */
  format: 'json' | 'slack';
  /** Events that happen while the webhook is disabled are not sent later. */
  enabled: boolean;
  /** When it was disabled. */
  disabledAt: string | null;
  /** Why the service disabled the webhook. Null if a person disabled the webhook. */
  disabledReason: string | null;
  /** After a rotation: the time until which deliveries are also signed with the old secret. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  /** The secret for verifying signatures. It is shown only in this response. */
  secret: string;
};

export type Workspace = {
  /** To act in this workspace, send this id as `PromptHarbor-Workspace`. The id of a team workspace starts with `w_`. Any other id is the `userId` of the owner. */
  id: string;
  name: string;
  /** `personal`: the workspace of an account, which has the account’s name. */
  kind: 'personal' | 'team';
  /** Whether other accounts have access. Always true for a team workspace. */
  shared: boolean;
  /** Your role in the workspace. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  owner: {
    name: string;
    email: string;
  };
};

export type WorkspaceActivity = {
  data: ActivityEntry[];
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null;
};

export type WorkspaceChange = {
  /** The name of the workspace. Only the owner can change the name. */
  name?: string;
  /** The labels that only deployers, admins and the owner can move or remove. A new workspace has none. */
  protectedLabels?: string[];
  /** The labels that move only to versions that have passed all current test cases of their prompt. A new workspace has none. */
  gatedLabels?: string[];
  /** The labels that require proposals, with their rules. A new workspace has none. */
  labelRules?: Record<string, NewLabelRule>;
  dailyBudget?: DailyBudget;
};

export type WorkspaceDeletion = {
  /** The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session. */
  password?: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
};

export type WorkspaceEvent = {
  type: 'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'candidate.created' | 'candidate.changed' | 'candidate.deleted' | 'label.moved' | 'label.removed' | 'proposal.opened' | 'proposal.reviewed' | 'proposal.applied' | 'proposal.declined' | 'proposal.withdrawn' | 'proposal.expired' | 'comment.added' | 'comment.changed' | 'comment.deleted' | 'release.started' | 'release.widened' | 'release.paused' | 'release.resumed' | 'release.rolled_back' | 'release.finished' | 'dependency.changed' | 'results.worsened' | 'rules.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed' | 'test';
  at: string;
  by?: {
    /** The account or service account. Absent if the change was imported. */
    userId?: string;
    /** Their name at that time. */
    name: string;
    /** `api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were saved before the service recorded this. */
    via?: 'api' | 'dashboard';
    /** The change was made in another service and imported. A member of this workspace who has the same name may be a different person. */
    imported?: true;
  };
  prompt?: {
    id: string;
    name: string;
  };
  version?: number;
  message?: string;
  label?: string;
  /** The previous name or version. */
  from?: string | number | null;
  member?: {
    userId: string;
    name: string;
    role?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  };
  previousRole?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  /** The new name or version. */
  to?: string | number | null;
  /** The reason given for moving a label, or restoring a prompt, although the rules of the label were not met. */
  override?: string;
  /** For `override`: what was missing, the approval of a proposal or passing checks. Absent in entries of earlier versions. */
  overridden?: Array<'approval' | 'checks'>;
  /** The candidate. If it was deleted because it was applied, `version` is the version that was made from it. */
  candidate?: {
    id: string;
    title: string;
    revision: number;
  };
  /** The proposal that the event is about, with its message and changes, or the proposal with which a label moved or a release started. */
  proposal?: {
    id: string;
    /** The service applied the proposal at its scheduled time. */
    automatic?: true;
    /** The service applied the proposal more than 5 minutes after its scheduled time, because the service was not running or the last approval was missing. */
    late?: true;
    message?: string;
    changes?: Array<{
      prompt: string;
      label: string;
      version?: number;
    }>;
    verdict?: 'approve' | 'decline';
    /** What the reviewer wrote. */
    text?: string;
  };
  /** The comment. `prompt` is the prompt of its version or candidate, or the first prompt of its proposal. */
  comment?: {
    id: string;
    /** The id of the first comment of the thread. */
    thread: string;
    /** The id of the proposal. */
    proposal?: string;
    version?: number;
    /** The id of the candidate. */
    candidate?: string;
    part?: 'text' | 'variables' | 'tools' | 'output' | 'config';
    line?: number;
    /** Absent if the comment was deleted. */
    text?: string;
    /** For `comment.changed`: the thread was resolved or reopened. */
    resolved?: boolean;
  };
  release?: {
    id: string;
    control: number;
    arms: Array<{
      version: number;
      weight: number;
    }>;
    cause?: 'person' | 'regression' | 'sample_ratio' | 'not_allowed' | 'deleted';
    /** The service made the change. `by` is the person or program that started the release. */
    automatic?: true;
    /** The numbers that led to an automatic change. */
    guards?: Array<{
      metric: string;
      margin: number;
      /** Which values of a score are better. Default: `higher`. */
      better: 'higher' | 'lower';
      arm: string;
      /** The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the geometric mean. */
      control: number | null;
      /** The mean of the arm. */
      value: number | null;
      difference: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** `passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is. `undecided`: there are not enough results yet. */
      verdict: 'passed' | 'worse' | 'undecided';
    }>;
    /** The units that led to an automatic change, with the weights before the change. */
    units?: Array<{
      arm: string;
      weight: number;
      units: number;
    }>;
  };
  /** For a change of test cases: what was done, the name of the first test case, and how many were changed. */
  cases?: {
    action: 'added' | 'changed' | 'deleted';
    name: string;
    count: number;
  };
  /** For a prompt that was copied or moved: the name of the other workspace. `from` or `to` is the name of the prompt there. */
  workspace?: string;
  /** For `dependency.changed`: the labels of this prompt that are affected, including `latest`. For `rules.changed`: the labels whose protection, required checks or required approvals were added, changed or removed. */
  labels?: string[];
  /** For `dependency.changed`: the prompt that changed, and the label at which it is included. */
  cause?: {
    prompt: {
      id: string;
      name: string;
    };
    label: string;
  };
  /** For `results.worsened`: what became worse. `errors`: the share of calls that failed. `p95`: the 95th percentile of the duration of successful calls. */
  metric?: 'errors' | 'p95';
  /** For `results.worsened`: the value for `version`. A share from 0 to 1 for `errors`, milliseconds for `p95`. */
  current?: number;
  /** For `results.worsened`: the value for the version before it, which is `from`. */
  previous?: number;
  /** For `results.worsened`: the number of compared calls of `version`, which were reported with `label` in the last 7 days. */
  calls?: number;
  /** For `test`: the webhook to which the event is sent. */
  webhook?: {
    id: string;
  };
};

export type WorkspaceList = {
  data: Workspace[];
};

export type WorkspaceRename = {
  /** The name of the workspace, 1 to 100 characters. */
  name: string;
};

export type WorkspaceResults = {
  from: string;
  /** The end of the range, exclusive. */
  to: string;
  /** The time of the response. The interval that contains it is still in progress. */
  now: string;
  interval: 'hour' | 'day';
  timeZone: string;
  totals: {
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
  };
  /** The 500 prompts with the highest cost. Prompts with the same cost are sorted by calls. */
  prompts: Array<{
    promptId: string;
    /** Null if the prompt was permanently deleted. */
    name: string | null;
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
  }>;
  /** The 500 models with the highest cost. */
  models: Array<{
    model: string | null;
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
  }>;
  series: Array<{
    time: string;
    calls: number;
    errors: number;
    /** The share of calls that failed, with its 95% confidence interval. Null if there were no calls. */
    errorRate: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded. */
    durationMs: {
      p50: number | null;
      p95: number | null;
    };
    /** Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported. */
    firstChunkMs: {
      p50: number | null;
      p95: number | null;
    };
    inputTokens: number;
    outputTokens: number;
    /** In US dollars, as reported, or calculated with the prices at the time of the report. */
    cost: number;
    /** The mean over the calls whose cost is known. Null if there are no such calls. */
    costPerCall: number | null;
    /** The calls that reported tokens, but whose model has no known price. */
    unpriced: number;
  }>;
  /** What was reported but not counted. */
  dropped: Array<{
    /** `no_prompt`: spans that do not name a prompt. `unknown_prompt`, `unknown_version`: the workspace does not have the prompt or version. `no_match`: scores whose trace or response is unknown. `invalid`: values of the wrong type, and spans and scores beyond a limit. */
    reason: 'no_prompt' | 'unknown_prompt' | 'unknown_version' | 'no_match' | 'invalid';
    count: number;
  }>;
  /** The hour of the last reported call, or its day if the call is older than 90 days. Null if no call was reported. */
  lastReportedAt: string | null;
};

export type WorkspaceSettings = {
  /** The name of the workspace. For an account’s own workspace, this is also the display name of the account. */
  name: string;
  /** The labels that only deployers, admins and the owner can move or remove. A new workspace has none. */
  protectedLabels: string[];
  /** The labels that move only to versions that have passed all current test cases of their prompt. A new workspace has none. */
  gatedLabels: string[];
  /** The labels that require proposals, with their rules. A new workspace has none. */
  labelRules: Record<string, LabelRule>;
  dailyBudget: DailyBudget;
};

export type WorkspaceTransfer = {
  /** The account's password. Not needed within 10 minutes of a sign-in or confirmation in this session. */
  password?: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each code is accepted once. */
  code?: string;
  /** The member who becomes the owner. */
  userId: string;
};

export interface ListPromptsQuery {
  /** Only prompts that contain this text. The search covers the name and the description, and the templates, messages and config of the newest version and of versions with a label. It ignores case. Each prompt in the response has `matches`. */
  search?: string;
  /** Search only names. */
  searchIn?: 'name';
  tag?: string;
  /** Only prompts in this folder and its subfolders. */
  folder?: string;
  /** `false` excludes prompts in subfolders. Without `folder`: only prompts that are not in a folder. */
  subfolders?: 'false';
  /** Only prompts that have this label. */
  label?: string | 'latest';
  /** Only prompts whose newest version was saved by the account with this `userId`. */
  author?: string;
  /** `false`: only prompts without any label. `true`: only prompts with a label. */
  deployed?: 'true' | 'false';
  /** Only prompts whose `updatedAt` is at or after this ISO 8601 time. */
  changedSince?: string;
  /** Only prompts with this name. Can be repeated. */
  name?: string | string[];
  /** A leading `-` sorts in descending order. */
  sort?: 'name' | '-name' | 'updatedAt' | '-updatedAt';
  /** `content` adds the version at `label` (default `production`) to each prompt. `author` adds who saved the newest version. `usage` adds how often the prompt was called in the last 24 hours and when it was last called. Responses with `usage` have no ETag. */
  include?: 'content' | 'usage' | 'author';
  /** Lists the prompts in the bin instead of all other prompts. */
  deleted?: true;
  /** The key by which a release divides callers, such as the id of a user. If the label has a release, the key decides which version the response has: the same key always gets the same version. */
  key?: string;
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface CreatePromptQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface GetPromptQuery {
  /** Default: `production`. */
  label?: string | 'latest';
  /** A version number, instead of a label. */
  version?: number;
  /** The key by which a release divides callers, such as the id of a user. If the label has a release, the key decides which version the response has: the same key always gets the same version. */
  key?: string;
}

export interface DeletePromptQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface CopyPromptQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface SavePromptsQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface ListDependentsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface GetOverviewQuery {
  /** Only prompts that contain this text. The search covers the name and the description, and the templates, messages and config of the newest version and of versions with a label. It ignores case. Each prompt in the response has `matches`. */
  search?: string;
  /** Search only names. */
  searchIn?: 'name';
  tag?: string;
  /** Only prompts in this folder and its subfolders. */
  folder?: string;
  /** `false` excludes prompts in subfolders. Without `folder`: only prompts that are not in a folder. */
  subfolders?: 'false';
  /** Only prompts that have this label. */
  label?: string | 'latest';
  /** Only prompts whose newest version was saved by the account with this `userId`. */
  author?: string;
  /** `false`: only prompts without any label. `true`: only prompts with a label. */
  deployed?: 'true' | 'false';
  /** Only prompts whose `updatedAt` is at or after this ISO 8601 time. */
  changedSince?: string;
}

export interface ListVersionsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface CreateVersionQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface ListCandidatesQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ApplyCandidateQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface ListProposalsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  /** `open`: those that can still be applied. */
  state?: 'open' | 'ended';
  /** Only proposals that change the prompt with this name. */
  prompt?: string;
  /** Only proposals that are waiting for your review. */
  waiting?: 'true';
}

export interface ListDiscussionQuery {
  /** Only comments that belong to this proposal. */
  proposal?: string;
  /** Only comments on the versions and candidates of this prompt. */
  prompt?: string;
  /** Only comments on this version of the prompt. */
  version?: number;
  /** Only comments on this candidate of the prompt. */
  candidate?: string;
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface MoveLabelQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface RemoveLabelQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface StartReleaseQuery {
  /** With `true`, a request that would cause warnings changes nothing and returns 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface ListHistoryQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface DiffVersionsQuery {
  /** The older side of the comparison. A version number, a label, `latest`, or the id of a candidate. Digits always mean a version, and `cand_…` always means a candidate. */
  from: number | string;
  /** The newer side of the comparison. A version number, a label, `latest`, or the id of a candidate. Digits always mean a version, and `cand_…` always means a candidate. */
  to: number | string;
}

export interface ListLangfusePromptsQuery {
  /** Only the prompt with exactly this name. */
  name?: string;
  label?: string;
  tag?: string;
  page?: number;
  limit?: number;
  /** Only prompts that were last changed at this time or later. */
  fromUpdatedAt?: string;
  /** Only prompts that were last changed before this time. */
  toUpdatedAt?: string;
}

export interface GetLangfusePromptQuery {
  version?: number;
  /** Default: `production`. */
  label?: string;
  /** Whether to replace tags with the prompts that they include. */
  resolve?: 'true' | 'false';
}

export interface DeleteLangfusePromptQuery {
  version?: number;
  /** Default: `production`. */
  label?: string;
}

export interface ImportPromptsQuery {
  /** Reports what an import would do, without importing anything. Quotas are not checked. */
  dryRun?: true;
  /** If an existing prompt is in conflict, moves it to the bin and imports the prompt of the request in its place, in one transaction per prompt. */
  replace?: true;
}

export interface CallMcpQuery {
  /** The label whose prompts are listed and rendered. Default: `production`. */
  label?: string | 'latest';
}

export interface ListCasesQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListRunsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListChecksQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  /** Only check runs of this version. */
  version?: number;
}

export interface GetResultsQuery {
  /** ISO 8601. Default: 24 hours before `to`. */
  from?: string;
  /** ISO 8601. Default: now. */
  to?: string;
  /** Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The interval affects only the series. For both intervals, `from` is rounded down and `to` is rounded up to a full hour in UTC, so the totals are the same. */
  interval?: 'hour' | 'day';
  /** The time zone in which days begin, such as `Europe/Berlin`. Calls are counted by the hour in UTC, and an hour belongs to the day on which it begins in that time zone. */
  timeZone?: string;
  /** `csv` returns one table of the statistics as CSV (RFC 4180). The header `Accept: text/csv` has the same effect. Text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`. */
  format?: 'json' | 'csv';
  /** The table that a CSV response contains. Default: `prompt`. */
  by?: 'prompt' | 'model' | 'time';
}

export interface GetPromptResultsQuery {
  /** ISO 8601. Default: 24 hours before `to`. */
  from?: string;
  /** ISO 8601. Default: now. */
  to?: string;
  /** Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The interval affects only the series. For both intervals, `from` is rounded down and `to` is rounded up to a full hour in UTC, so the totals are the same. */
  interval?: 'hour' | 'day';
  /** The time zone in which days begin, such as `Europe/Berlin`. Calls are counted by the hour in UTC, and an hour belongs to the day on which it begins in that time zone. */
  timeZone?: string;
  /** `csv` returns one table of the statistics as CSV (RFC 4180). The header `Accept: text/csv` has the same effect. Text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`. */
  format?: 'json' | 'csv';
  /** Only calls of this version are counted. `0`: calls that were reported without a version. */
  version?: number;
  /** Only calls that were reported with this label are counted. */
  label?: string;
  /** Only calls to this model are counted. */
  model?: string;
  /** The table that a CSV response contains. Default: `version`. */
  by?: 'version' | 'time' | 'model' | 'score';
}

export interface ListCommentsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  /** Only comments on this version are listed. */
  version?: number;
}

export interface ListWorkspaceActivityQuery {
  /** The `userId` of a person or service account. This can be a former member. */
  by?: string;
  /** Only entries of this kind or type. `gates` selects changes to gates, label moves that overrode a gate, and restored prompts that overrode one. */
  type?: 'prompts' | 'labels' | 'members' | 'keys' | 'settings' | 'webhooks' | 'models' | 'proposals' | 'comments' | 'gates' | 'created' | 'version_saved' | 'version_deleted' | 'label_moved' | 'label_removed' | 'release_started' | 'release_widened' | 'release_paused' | 'release_resumed' | 'release_rolled_back' | 'release_finished' | 'renamed' | 'described' | 'deleted' | 'restored' | 'cases_changed' | 'copied' | 'moved_in' | 'moved_out' | 'member_invited' | 'invitation_removed' | 'member_joined' | 'member_role_changed' | 'member_removed' | 'member_left' | 'workspace_transferred' | 'service_account_created' | 'service_account_key_reset' | 'key_reset' | 'workspace_created' | 'workspace_changed' | 'webhook_created' | 'webhook_changed' | 'webhook_secret_rotated' | 'webhook_disabled' | 'webhook_deleted' | 'model_created' | 'model_changed' | 'model_deleted' | 'prompts_imported' | 'prompt_copied' | 'proposal_opened' | 'proposal_approved' | 'proposal_declined' | 'proposal_applied' | 'proposal_failed' | 'proposal_withdrawn' | 'proposal_expired' | 'comment_added' | 'comment_replied' | 'comment_resolved' | 'comment_reopened' | 'comment_deleted';
  /** The current name of a prompt, or the last name of a prompt in the bin. */
  prompt?: string;
  /** ISO 8601. Only entries at or after this time. */
  from?: string;
  /** ISO 8601. Only entries before this time. */
  to?: string;
  /** `csv` and `jsonl` return all entries at once, without `limit` and `cursor`, as CSV (RFC 4180) or as one JSON object per line. The header `Accept: text/csv` or `Accept: application/x-ndjson` has the same effect. In CSV, text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`. */
  format?: 'json' | 'csv' | 'jsonl';
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListMembersQuery {
  /** The maximum number of members and invitations in total. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface StreamEventsQuery {
  /** Start with the events after this id. The header `Last-Event-ID` does the same. */
  after?: string;
  /** Only events about the prompt with this name. */
  prompt?: string;
  /** Only events about this label. */
  label?: string | 'latest';
}

export interface ListWebhooksQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListDeliveriesQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListModelsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface GetStatisticsQuery {
  /** ISO 8601. Default: 24 hours before `to`. */
  from?: string;
  /** ISO 8601. Default: now. */
  to?: string;
  /** Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The interval affects only the series. For both intervals, `from` is rounded down and `to` is rounded up to a full hour in UTC, so the totals are the same. */
  interval?: 'hour' | 'day';
  /** The time zone in which days begin, such as `Europe/Berlin`. Calls are counted by the hour in UTC, and an hour belongs to the day on which it begins in that time zone. */
  timeZone?: string;
  /** The `userId` of a member. Only this member’s calls and runs are counted. */
  member?: string;
  /** `csv` returns one table of the statistics as CSV (RFC 4180). The header `Accept: text/csv` has the same effect. Text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`. */
  format?: 'json' | 'csv';
  /** The name of a prompt. Only calls that returned or rendered this prompt are counted. */
  prompt?: string;
  /** Only calls with this response status are counted. */
  status?: number;
  /** The table that a CSV response contains. Default: `time`. */
  by?: 'time' | 'prompt' | 'version' | 'member' | 'route' | 'status';
}

export interface GetRunStatisticsQuery {
  /** ISO 8601. Default: 24 hours before `to`. */
  from?: string;
  /** ISO 8601. Default: now. */
  to?: string;
  /** Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The interval affects only the series. For both intervals, `from` is rounded down and `to` is rounded up to a full hour in UTC, so the totals are the same. */
  interval?: 'hour' | 'day';
  /** The time zone in which days begin, such as `Europe/Berlin`. Calls are counted by the hour in UTC, and an hour belongs to the day on which it begins in that time zone. */
  timeZone?: string;
  /** The `userId` of a member. Only this member’s calls and runs are counted. */
  member?: string;
  /** `csv` returns one table of the statistics as CSV (RFC 4180). The header `Accept: text/csv` has the same effect. Text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`. */
  format?: 'json' | 'csv';
  /** Only requests to this model are counted. */
  model?: string;
  /** The table that a CSV response contains. Default: `time`. */
  by?: 'time' | 'model' | 'member';
}

export interface ListActivityQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListNotificationsQuery {
  /** The maximum number of items. A page with more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

/** The input and the response of each operation. */
export interface Operations {
  /** Create an account */
  register: { path: undefined; query: undefined; body: Registration; response: TokenInfo };
  /** Get the key by signing in with email and password */
  obtainToken: { path: undefined; query: undefined; body: Login; response: TokenInfo };
  /** Verify the key */
  verifyToken: { path: undefined; query: undefined; body: undefined; response: TokenInfo };
  /** Reset the key */
  resetToken: { path: undefined; query: undefined; body: undefined; response: NewToken };
  /** Get the account */
  getAccount: { path: undefined; query: undefined; body: undefined; response: Account };
  /** Change the display name */
  changeAccount: { path: undefined; query: undefined; body: AccountChange; response: Account };
  /** Delete the account and everything it owns */
  deleteAccount: { path: undefined; query: undefined; body: AccountDeletion; response: undefined };
  /** Get a secret for an authenticator app */
  startTwoFactor: { path: undefined; query: undefined; body: TwoFactorStart; response: TwoFactorSecret };
  /** Disable two-factor authentication */
  stopTwoFactor: { path: undefined; query: undefined; body: TwoFactorProof; response: undefined };
  /** Enable two-factor authentication with the first code */
  confirmTwoFactor: { path: undefined; query: undefined; body: TwoFactorConfirmation; response: RecoveryCodes };
  /** Replace the recovery codes */
  replaceRecoveryCodes: { path: undefined; query: undefined; body: TwoFactorProof; response: RecoveryCodes };
  /** Get the options for signing in with a passkey */
  startPasskeySignIn: { path: undefined; query: undefined; body: undefined; response: PasskeyRequestOptions };
  /** Sign in with a passkey */
  signInWithPasskey: { path: undefined; query: undefined; body: PasskeyAssertion; response: User };
  /** Confirm your identity in this session */
  confirmSession: { path: undefined; query: undefined; body: SessionConfirmation; response: undefined };
  /** List the passkeys */
  listPasskeys: { path: undefined; query: undefined; body: undefined; response: PasskeyList };
  /** Add a passkey */
  addPasskey: { path: undefined; query: undefined; body: NewPasskey; response: AddedPasskey };
  /** Get the options for creating a passkey */
  startPasskey: { path: undefined; query: undefined; body: undefined; response: PasskeyCreationOptions };
  /** Rename a passkey */
  renamePasskey: { path: { id: string }; query: undefined; body: PasskeyChange; response: Passkey };
  /** Remove a passkey */
  removePasskey: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Start a command-line sign-in */
  startCliSignIn: { path: undefined; query: undefined; body: NewCliSignIn; response: StartedCliSignIn };
  /** Get the key of an approved sign-in */
  claimCliSignIn: { path: undefined; query: undefined; body: CliSignInClaim; response: TokenInfo };
  /** Get a command-line sign-in that is waiting for an answer */
  getCliSignIn: { path: { code: string }; query: undefined; body: undefined; response: CliSignIn };
  /** Approve a command-line sign-in */
  approveCliSignIn: { path: { code: string }; query: undefined; body: undefined; response: AnsweredCliSignIn };
  /** Deny a command-line sign-in */
  denyCliSignIn: { path: { code: string }; query: undefined; body: undefined; response: AnsweredCliSignIn };
  /** Create an account and sign in */
  signUp: { path: undefined; query: undefined; body: Registration; response: User };
  /** Sign in */
  signIn: { path: undefined; query: undefined; body: Login; response: User };
  /** Sign out */
  signOut: { path: undefined; query: undefined; body: undefined; response: undefined };
  /** Get the signed-in user */
  whoAmI: { path: undefined; query: undefined; body: undefined; response: User };
  /** Change the password and end all other sessions */
  changePassword: { path: undefined; query: undefined; body: PasswordChange; response: User };
  /** List the active sessions */
  listSessions: { path: undefined; query: undefined; body: undefined; response: SessionList };
  /** End a session */
  endSession: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** End all other sessions */
  endOtherSessions: { path: undefined; query: undefined; body: undefined; response: undefined };
  /** Get the ways to sign in */
  getSignInOptions: { path: undefined; query: undefined; body: undefined; response: SignInOptions };
  /** Start linking an identity to the account */
  linkIdentity: { path: { provider: string }; query: undefined; body: undefined; response: ProviderUrl };
  /** List the identities that are linked to the account */
  listIdentities: { path: undefined; query: undefined; body: undefined; response: IdentityList };
  /** Remove an identity from the account */
  unlinkIdentity: { path: undefined; query: undefined; body: IdentityRemoval; response: undefined };
  /** Sign out, and get the page that signs out at the provider */
  signOutEverywhere: { path: undefined; query: undefined; body: undefined; response: SignedOut };
  /** End the sessions that a provider’s logout token names */
  endProviderSessions: { path: undefined; query: undefined; body: LogoutToken; response: LogoutAccepted };
  /** Request a password reset link */
  forgotPassword: { path: undefined; query: undefined; body: PasswordResetRequest; response: PasswordResetAccepted };
  /** Set a new password with a reset link */
  resetPassword: { path: undefined; query: undefined; body: PasswordReset; response: undefined };
  /** Send a verification link to the account's email address */
  requestVerification: { path: undefined; query: undefined; body: undefined; response: VerificationAccepted };
  /** Verify the account's email address with a link */
  verifyEmail: { path: undefined; query: undefined; body: EmailVerification; response: User };
  /** Send a link to a new email address */
  requestEmailChange: { path: undefined; query: undefined; body: EmailChange; response: VerificationAccepted };
  /** Cancel the change of the email address */
  cancelEmailChange: { path: undefined; query: undefined; body: undefined; response: undefined };
  /** Change the email address with a link */
  confirmEmailChange: { path: undefined; query: undefined; body: EmailChangeConfirmation; response: User };
  /** List prompts */
  listPrompts: { path: undefined; query: ListPromptsQuery; body: undefined; response: PromptList };
  /** Create a prompt */
  createPrompt: { path: undefined; query: CreatePromptQuery; body: NewPrompt; response: CreatedPrompt };
  /** Get a prompt by label or version */
  getPrompt: { path: { name: string }; query: GetPromptQuery; body: undefined; response: Version };
  /** Change the name, description or tags of a prompt */
  changePrompt: { path: { name: string }; query: undefined; body: PromptChange; response: Prompt };
  /** Move a prompt to the bin */
  deletePrompt: { path: { name: string }; query: DeletePromptQuery; body: undefined; response: undefined };
  /** Restore a prompt from the bin */
  restorePrompt: { path: { name: string }; query: undefined; body: RestoreRequest; response: Prompt };
  /** Copy or move a prompt to another workspace */
  copyPrompt: { path: { name: string }; query: CopyPromptQuery; body: CopyRequest; response: CopiedPrompt };
  /** Create prompts and save versions in one transaction */
  savePrompts: { path: undefined; query: SavePromptsQuery; body: Batch; response: SavedBatch };
  /** List the prompts that include this one */
  listDependents: { path: { name: string }; query: ListDependentsQuery; body: undefined; response: DependentList };
  /** List the prompts whose test cases use this one as a judge */
  listJudged: { path: { name: string }; query: undefined; body: undefined; response: JudgedPrompts };
  /** Count prompts and list the tags, labels and authors */
  getOverview: { path: undefined; query: GetOverviewQuery; body: undefined; response: Overview };
  /** List the folders and the number of prompts in each */
  listFolders: { path: undefined; query: undefined; body: undefined; response: FolderList };
  /** List your favorites in the workspace */
  listFavorites: { path: undefined; query: undefined; body: undefined; response: FavoriteList };
  /** Add a prompt to your favorites */
  addFavorite: { path: { name: string }; query: undefined; body: undefined; response: undefined };
  /** Remove a prompt from your favorites */
  removeFavorite: { path: { name: string }; query: undefined; body: undefined; response: undefined };
  /** List your saved views in the workspace */
  listViews: { path: undefined; query: undefined; body: undefined; response: ViewList };
  /** Save filters of the list as a view */
  createView: { path: undefined; query: undefined; body: NewView; response: View };
  /** Change the name or the filters of a saved view */
  changeView: { path: { id: string }; query: undefined; body: ViewChange; response: View };
  /** Delete a saved view */
  deleteView: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** List versions, newest first */
  listVersions: { path: { name: string }; query: ListVersionsQuery; body: undefined; response: VersionList };
  /** Save a new version */
  createVersion: { path: { name: string }; query: CreateVersionQuery; body: NewVersion; response: SavedVersion };
  /** Get a version */
  getVersion: { path: { name: string; version: number }; query: undefined; body: undefined; response: Version };
  /** Delete a version */
  deleteVersion: { path: { name: string; version: number }; query: undefined; body: undefined; response: undefined };
  /** List candidates, oldest first */
  listCandidates: { path: { name: string }; query: ListCandidatesQuery; body: undefined; response: CandidateList };
  /** Create a candidate */
  createCandidate: { path: { name: string }; query: undefined; body: NewCandidate; response: SavedCandidate };
  /** Get a candidate */
  getCandidate: { path: { name: string; id: string }; query: undefined; body: undefined; response: Candidate };
  /** Replace the content of a candidate */
  changeCandidate: { path: { name: string; id: string }; query: undefined; body: CandidateChange; response: SavedCandidate };
  /** Delete a candidate */
  deleteCandidate: { path: { name: string; id: string }; query: undefined; body: undefined; response: undefined };
  /** Save a candidate as a new version */
  applyCandidate: { path: { name: string; id: string }; query: ApplyCandidateQuery; body: CandidateApplication; response: SavedVersion };
  /** List proposals, newest first */
  listProposals: { path: undefined; query: ListProposalsQuery; body: undefined; response: ProposalList };
  /** Open a proposal */
  openProposal: { path: undefined; query: undefined; body: NewProposal; response: Proposal };
  /** Get a proposal */
  getProposal: { path: { id: string }; query: undefined; body: undefined; response: Proposal };
  /** Approve or decline a proposal */
  reviewProposal: { path: { id: string }; query: undefined; body: NewReview; response: Proposal };
  /** Apply a proposal */
  applyProposal: { path: { id: string }; query: undefined; body: ProposalApplication; response: Proposal };
  /** Withdraw a proposal */
  withdrawProposal: { path: { id: string }; query: undefined; body: undefined; response: Proposal };
  /** List comments grouped by thread, oldest first */
  listDiscussion: { path: undefined; query: ListDiscussionQuery; body: undefined; response: CommentThreads };
  /** Add a comment, or reply to one */
  addComment: { path: undefined; query: undefined; body: NewComment; response: DiscussionComment };
  /** Change your own comment, or resolve or reopen a thread */
  changeComment: { path: { id: string }; query: undefined; body: CommentChange; response: DiscussionComment };
  /** Delete your own comment, or any comment as an admin */
  deleteComment: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Move a label to a version (deploy or roll back) */
  moveLabel: { path: { name: string; label: string }; query: MoveLabelQuery; body: LabelTarget; response: SavedVersion };
  /** Remove a label */
  removeLabel: { path: { name: string; label: string }; query: RemoveLabelQuery; body: undefined; response: undefined };
  /** Start a release */
  startRelease: { path: { name: string; label: string }; query: StartReleaseQuery; body: NewRelease; response: SavedRelease };
  /** Get the last release on a label */
  getRelease: { path: { name: string; label: string }; query: undefined; body: undefined; response: Release };
  /** Widen, pause or resume a release */
  changeRelease: { path: { name: string; label: string }; query: undefined; body: ReleaseChange; response: ChangedRelease };
  /** Roll back a release */
  rollBackRelease: { path: { name: string; label: string }; query: undefined; body: undefined; response: undefined };
  /** Finish a release with one of its versions */
  finishRelease: { path: { name: string; label: string }; query: undefined; body: ReleaseFinish; response: ChangedRelease };
  /** Count the keys of a prompt */
  countKeys: { path: { name: string }; query: undefined; body: undefined; response: PromptKeyCount };
  /** List the changes to a prompt, newest first */
  listHistory: { path: { name: string }; query: ListHistoryQuery; body: undefined; response: History };
  /** Compare two versions, labels or candidates */
  diffVersions: { path: { name: string }; query: DiffVersionsQuery; body: undefined; response: Diff };
  /** Render a prompt with variables */
  renderPrompt: { path: { name: string }; query: undefined; body: RenderRequest; response: RenderedPrompt };
  /** Render a draft or a candidate */
  previewPrompt: { path: undefined; query: undefined; body: PreviewRequest; response: Preview };
  /** Evaluate a prompt as a flag */
  evaluateFlag: { path: { key: string }; query: undefined; body: EvaluationRequest; response: EvaluatedFlag };
  /** Evaluate all prompts as flags */
  evaluateFlags: { path: undefined; query: undefined; body: EvaluationRequest; response: EvaluatedFlags };
  /** List prompts */
  listLangfusePrompts: { path: undefined; query: ListLangfusePromptsQuery; body: undefined; response: LangfusePromptList };
  /** Save a version, and create the prompt if it does not exist */
  createLangfusePrompt: { path: undefined; query: undefined; body: NewLangfusePrompt; response: LangfusePrompt };
  /** Get a prompt by label or version */
  getLangfusePrompt: { path: { name: string }; query: GetLangfusePromptQuery; body: undefined; response: LangfusePrompt };
  /** Delete a version or a whole prompt */
  deleteLangfusePrompt: { path: { name: string }; query: DeleteLangfusePromptQuery; body: undefined; response: undefined };
  /** Add labels to a version */
  labelLangfusePrompt: { path: { name: string; version: number }; query: undefined; body: LangfuseLabels; response: LangfusePrompt };
  /** Get the workspace of the key as a Langfuse project */
  getLangfuseProjects: { path: undefined; query: undefined; body: undefined; response: LangfuseProjects };
  /** Check whether the service is running */
  getLangfuseHealth: { path: undefined; query: undefined; body: undefined; response: LangfuseHealth };
  /** Export all prompts */
  exportPrompts: { path: undefined; query: undefined; body: undefined; response: string };
  /** Import an export */
  importPrompts: { path: undefined; query: ImportPromptsQuery; body: string; response: ImportedPrompts };
  /** Serve prompts to assistants */
  callMcp: { path: undefined; query: CallMcpQuery; body: McpMessage; response: McpMessage };
  /** List or export the test cases of a prompt */
  listCases: { path: { name: string }; query: ListCasesQuery; body: undefined; response: CaseList };
  /** Add a test case */
  createCase: { path: { name: string }; query: undefined; body: NewCase; response: Case };
  /** Add several test cases in one transaction */
  importCases: { path: { name: string }; query: undefined; body: CaseImport; response: ImportedCases };
  /** Change a test case */
  changeCase: { path: { name: string; id: string }; query: undefined; body: CaseChange; response: Case };
  /** Delete a test case */
  deleteCase: { path: { name: string; id: string }; query: undefined; body: undefined; response: undefined };
  /** Run a version or a candidate on a model */
  runPrompt: { path: { name: string }; query: undefined; body: RunRequest; response: Run };
  /** Run a draft on a model */
  runDraft: { path: undefined; query: undefined; body: DraftRunRequest; response: Run };
  /** List the runs of a prompt, newest first */
  listRuns: { path: { name: string }; query: ListRunsQuery; body: undefined; response: RunList };
  /** Get a run */
  getRun: { path: { name: string; id: string }; query: undefined; body: undefined; response: Run };
  /** Run all test cases on a version */
  runChecks: { path: { name: string }; query: undefined; body: CheckRequest; response: Check };
  /** List check runs, newest first */
  listChecks: { path: { name: string }; query: ListChecksQuery; body: undefined; response: CheckList };
  /** Get a check run with the result of each test case */
  getCheck: { path: { name: string; id: string }; query: undefined; body: undefined; response: Check };
  /** Report model calls */
  reportResults: { path: undefined; query: undefined; body: ResultReport; response: ReportReceipt };
  /** Get the results of a workspace */
  getResults: { path: undefined; query: GetResultsQuery; body: undefined; response: WorkspaceResults };
  /** Rate a call or a version */
  sendFeedback: { path: undefined; query: undefined; body: Feedback; response: Record<string, unknown> };
  /** Create a token for feedback from browsers */
  createFeedbackToken: { path: undefined; query: undefined; body: FeedbackTokenRequest; response: FeedbackToken };
  /** Rate a version from a browser */
  sendBrowserFeedback: { path: undefined; query: undefined; body: BrowserFeedback; response: Record<string, unknown> };
  /** Get the results of a prompt */
  getPromptResults: { path: { name: string }; query: GetPromptResultsQuery; body: undefined; response: PromptResults };
  /** List comments on a prompt */
  listComments: { path: { name: string }; query: ListCommentsQuery; body: undefined; response: CommentPage };
  /** List the workspaces that you can act in */
  listWorkspaces: { path: undefined; query: undefined; body: undefined; response: WorkspaceList };
  /** Create a team workspace */
  createWorkspace: { path: undefined; query: undefined; body: NewWorkspace; response: Workspace };
  /** Rename a workspace */
  renameWorkspace: { path: { id: string }; query: undefined; body: WorkspaceRename; response: Workspace };
  /** Delete a team workspace and everything in it */
  deleteWorkspace: { path: { id: string }; query: undefined; body: WorkspaceDeletion; response: undefined };
  /** Make another member the owner of a team workspace */
  transferWorkspace: { path: { id: string }; query: undefined; body: WorkspaceTransfer; response: undefined };
  /** Get the workspace settings */
  getWorkspace: { path: undefined; query: undefined; body: undefined; response: WorkspaceSettings };
  /** Change the workspace settings */
  updateWorkspace: { path: undefined; query: undefined; body: WorkspaceChange; response: WorkspaceSettings };
  /** List what happened in the workspace */
  listWorkspaceActivity: { path: undefined; query: ListWorkspaceActivityQuery; body: undefined; response: WorkspaceActivity };
  /** List the members, service accounts and open invitations */
  listMembers: { path: undefined; query: ListMembersQuery; body: undefined; response: MemberList };
  /** Change the role of a member or service account */
  changeMember: { path: { userId: string }; query: undefined; body: MemberChange; response: Member };
  /** Remove a member, delete a service account or leave the workspace */
  removeMember: { path: { userId: string }; query: undefined; body: undefined; response: undefined };
  /** Create a service account */
  createServiceAccount: { path: undefined; query: undefined; body: NewServiceAccount; response: CreatedServiceAccount };
  /** Reset the key of a service account */
  resetServiceAccountKey: { path: { userId: string }; query: undefined; body: undefined; response: NewToken };
  /** Invite someone by email */
  inviteMember: { path: undefined; query: undefined; body: NewInvitation; response: CreatedInvitation };
  /** Withdraw an invitation */
  removeInvitation: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Get an invitation by its link */
  getInvitation: { path: { token: string }; query: undefined; body: undefined; response: ReceivedInvitation };
  /** Accept an invitation with the signed-in account */
  acceptInvitation: { path: { token: string }; query: undefined; body: undefined; response: AcceptedInvitation };
  /** Stream the events of the workspace */
  streamEvents: { path: undefined; query: StreamEventsQuery; body: undefined; response: string };
  /** Report model calls with OpenTelemetry */
  reportTraces: { path: undefined; query: undefined; body: Record<string, unknown>; response: TraceResponse };
  /** Report scores with OpenTelemetry */
  reportLogs: { path: undefined; query: undefined; body: Record<string, unknown>; response: LogsResponse };
  /** Report model calls with a Langfuse SDK */
  reportLangfuseTraces: { path: undefined; query: undefined; body: Record<string, unknown>; response: TraceResponse };
  /** Report model calls and scores in a batch */
  reportLangfuseEvents: { path: undefined; query: undefined; body: LangfuseBatch; response: LangfuseBatchOutcome };
  /** Rate a call or a trace */
  createLangfuseScore: { path: undefined; query: undefined; body: NewLangfuseScore; response: LangfuseScoreReceipt };
  /** List the webhooks */
  listWebhooks: { path: undefined; query: ListWebhooksQuery; body: undefined; response: WebhookList };
  /** Create a webhook */
  createWebhook: { path: undefined; query: undefined; body: NewWebhook; response: WebhookWithSecret };
  /** Get a webhook */
  getWebhook: { path: { id: string }; query: undefined; body: undefined; response: Webhook };
  /** Change, enable or disable a webhook */
  changeWebhook: { path: { id: string }; query: undefined; body: WebhookChange; response: Webhook };
  /** Delete a webhook */
  deleteWebhook: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Rotate the secret of a webhook */
  rotateWebhookSecret: { path: { id: string }; query: undefined; body: undefined; response: WebhookWithSecret };
  /** Send a `test` event and return the result */
  testWebhook: { path: { id: string }; query: undefined; body: undefined; response: WebhookDelivery };
  /** List the deliveries of a webhook, newest first */
  listDeliveries: { path: { id: string }; query: ListDeliveriesQuery; body: undefined; response: WebhookDeliveryList };
  /** Replay a delivery */
  replayDelivery: { path: { id: string; deliveryId: string }; query: undefined; body: undefined; response: WebhookDelivery };
  /** Read prompts from a Langfuse server */
  readLangfuse: { path: undefined; query: undefined; body: LangfuseRead; response: LangfuseResponse };
  /** List the model connections */
  listModels: { path: undefined; query: ListModelsQuery; body: undefined; response: ModelConnectionList };
  /** Connect a server that runs models */
  createModel: { path: undefined; query: undefined; body: NewModelConnection; response: ModelConnection };
  /** Change a model connection */
  changeModel: { path: { id: string }; query: undefined; body: ModelConnectionChange; response: ModelConnection };
  /** Delete a model connection */
  deleteModel: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Test a model connection */
  testModel: { path: { id: string }; query: undefined; body: undefined; response: ModelConnectionTest };
  /** Get usage statistics */
  getStatistics: { path: undefined; query: GetStatisticsQuery; body: undefined; response: Statistics };
  /** Get statistics of model runs */
  getRunStatistics: { path: undefined; query: GetRunStatisticsQuery; body: undefined; response: RunStatistics };
  /** List account activity */
  listActivity: { path: undefined; query: ListActivityQuery; body: undefined; response: Activity };
  /** List notifications, newest first */
  listNotifications: { path: undefined; query: ListNotificationsQuery; body: undefined; response: NotificationList };
  /** Mark notifications as read */
  readNotifications: { path: undefined; query: undefined; body: ReadNotifications; response: undefined };
  /** Get your notification settings */
  getNotificationSettings: { path: undefined; query: undefined; body: undefined; response: NotificationSettings };
  /** Change your notification settings */
  changeNotificationSettings: { path: undefined; query: undefined; body: NotificationSettingsChange; response: NotificationSettings };
  /** Liveness: check that the process is running */
  health: { path: undefined; query: undefined; body: undefined; response: Health };
  /** Readiness: check that the database responds */
  readiness: { path: undefined; query: undefined; body: undefined; response: Health };
  /** Get this API description (OpenAPI 3.1) */
  openapi: { path: undefined; query: undefined; body: undefined; response: unknown };
}

/** The method and path of each operation. */
export const operations = {
  register: ['POST', '/api/auth/register'],
  obtainToken: ['POST', '/api/auth/token'],
  verifyToken: ['GET', '/api/auth/token'],
  resetToken: ['DELETE', '/api/auth/token'],
  getAccount: ['GET', '/api/account'],
  changeAccount: ['PATCH', '/api/account'],
  deleteAccount: ['DELETE', '/api/account'],
  startTwoFactor: ['POST', '/api/account/two-factor'],
  stopTwoFactor: ['DELETE', '/api/account/two-factor'],
  confirmTwoFactor: ['POST', '/api/account/two-factor/confirm'],
  replaceRecoveryCodes: ['POST', '/api/account/two-factor/recovery-codes'],
  startPasskeySignIn: ['POST', '/api/session/passkey/options'],
  signInWithPasskey: ['POST', '/api/session/sign-in/passkey'],
  confirmSession: ['POST', '/api/session/confirm'],
  listPasskeys: ['GET', '/api/account/passkeys'],
  addPasskey: ['POST', '/api/account/passkeys'],
  startPasskey: ['POST', '/api/account/passkeys/options'],
  renamePasskey: ['PATCH', '/api/account/passkeys/{id}'],
  removePasskey: ['DELETE', '/api/account/passkeys/{id}'],
  startCliSignIn: ['POST', '/api/auth/cli'],
  claimCliSignIn: ['POST', '/api/auth/cli/token'],
  getCliSignIn: ['POST', '/api/session/cli/{code}'],
  approveCliSignIn: ['POST', '/api/session/cli/{code}/approve'],
  denyCliSignIn: ['POST', '/api/session/cli/{code}/deny'],
  signUp: ['POST', '/api/session/sign-up/email'],
  signIn: ['POST', '/api/session/sign-in/email'],
  signOut: ['POST', '/api/session/sign-out'],
  whoAmI: ['GET', '/api/session'],
  changePassword: ['POST', '/api/session/change-password'],
  listSessions: ['GET', '/api/session/list'],
  endSession: ['DELETE', '/api/session/list/{id}'],
  endOtherSessions: ['POST', '/api/session/end-others'],
  getSignInOptions: ['GET', '/api/session/options'],
  linkIdentity: ['POST', '/api/session/oidc/{provider}/link'],
  listIdentities: ['GET', '/api/session/identities'],
  unlinkIdentity: ['POST', '/api/session/identities/unlink'],
  signOutEverywhere: ['POST', '/api/session/oidc/sign-out'],
  endProviderSessions: ['POST', '/api/session/oidc/backchannel-logout'],
  forgotPassword: ['POST', '/api/session/forgot-password'],
  resetPassword: ['POST', '/api/session/reset-password'],
  requestVerification: ['POST', '/api/account/verification'],
  verifyEmail: ['POST', '/api/session/verify-email'],
  requestEmailChange: ['POST', '/api/account/email'],
  cancelEmailChange: ['DELETE', '/api/account/email'],
  confirmEmailChange: ['POST', '/api/session/confirm-email'],
  listPrompts: ['GET', '/api/prompts'],
  createPrompt: ['POST', '/api/prompts'],
  getPrompt: ['GET', '/api/prompts/{name}'],
  changePrompt: ['PATCH', '/api/prompts/{name}'],
  deletePrompt: ['DELETE', '/api/prompts/{name}'],
  restorePrompt: ['POST', '/api/prompts/{name}/restore'],
  copyPrompt: ['POST', '/api/prompts/{name}/copy'],
  savePrompts: ['POST', '/api/prompts/batch'],
  listDependents: ['GET', '/api/prompts/{name}/dependents'],
  listJudged: ['GET', '/api/prompts/{name}/judged'],
  getOverview: ['GET', '/api/overview'],
  listFolders: ['GET', '/api/folders'],
  listFavorites: ['GET', '/api/favorites'],
  addFavorite: ['PUT', '/api/prompts/{name}/favorite'],
  removeFavorite: ['DELETE', '/api/prompts/{name}/favorite'],
  listViews: ['GET', '/api/views'],
  createView: ['POST', '/api/views'],
  changeView: ['PATCH', '/api/views/{id}'],
  deleteView: ['DELETE', '/api/views/{id}'],
  listVersions: ['GET', '/api/prompts/{name}/versions'],
  createVersion: ['POST', '/api/prompts/{name}/versions'],
  getVersion: ['GET', '/api/prompts/{name}/versions/{version}'],
  deleteVersion: ['DELETE', '/api/prompts/{name}/versions/{version}'],
  listCandidates: ['GET', '/api/prompts/{name}/candidates'],
  createCandidate: ['POST', '/api/prompts/{name}/candidates'],
  getCandidate: ['GET', '/api/prompts/{name}/candidates/{id}'],
  changeCandidate: ['PUT', '/api/prompts/{name}/candidates/{id}'],
  deleteCandidate: ['DELETE', '/api/prompts/{name}/candidates/{id}'],
  applyCandidate: ['POST', '/api/prompts/{name}/candidates/{id}/apply'],
  listProposals: ['GET', '/api/proposals'],
  openProposal: ['POST', '/api/proposals'],
  getProposal: ['GET', '/api/proposals/{id}'],
  reviewProposal: ['POST', '/api/proposals/{id}/reviews'],
  applyProposal: ['POST', '/api/proposals/{id}/apply'],
  withdrawProposal: ['POST', '/api/proposals/{id}/withdraw'],
  listDiscussion: ['GET', '/api/comments'],
  addComment: ['POST', '/api/comments'],
  changeComment: ['PATCH', '/api/comments/{id}'],
  deleteComment: ['DELETE', '/api/comments/{id}'],
  moveLabel: ['PUT', '/api/prompts/{name}/labels/{label}'],
  removeLabel: ['DELETE', '/api/prompts/{name}/labels/{label}'],
  startRelease: ['PUT', '/api/prompts/{name}/labels/{label}/release'],
  getRelease: ['GET', '/api/prompts/{name}/labels/{label}/release'],
  changeRelease: ['PATCH', '/api/prompts/{name}/labels/{label}/release'],
  rollBackRelease: ['DELETE', '/api/prompts/{name}/labels/{label}/release'],
  finishRelease: ['POST', '/api/prompts/{name}/labels/{label}/release/finish'],
  countKeys: ['GET', '/api/prompts/{name}/keys'],
  listHistory: ['GET', '/api/prompts/{name}/history'],
  diffVersions: ['GET', '/api/prompts/{name}/diff'],
  renderPrompt: ['POST', '/api/prompts/{name}/render'],
  previewPrompt: ['POST', '/api/render'],
  evaluateFlag: ['POST', '/ofrep/v1/evaluate/flags/{key}'],
  evaluateFlags: ['POST', '/ofrep/v1/evaluate/flags'],
  listLangfusePrompts: ['GET', '/api/public/v2/prompts'],
  createLangfusePrompt: ['POST', '/api/public/v2/prompts'],
  getLangfusePrompt: ['GET', '/api/public/v2/prompts/{name}'],
  deleteLangfusePrompt: ['DELETE', '/api/public/v2/prompts/{name}'],
  labelLangfusePrompt: ['PATCH', '/api/public/v2/prompts/{name}/versions/{version}'],
  getLangfuseProjects: ['GET', '/api/public/projects'],
  getLangfuseHealth: ['GET', '/api/public/health'],
  exportPrompts: ['GET', '/api/export'],
  importPrompts: ['POST', '/api/import'],
  callMcp: ['POST', '/mcp'],
  listCases: ['GET', '/api/prompts/{name}/cases'],
  createCase: ['POST', '/api/prompts/{name}/cases'],
  importCases: ['POST', '/api/prompts/{name}/cases/import'],
  changeCase: ['PATCH', '/api/prompts/{name}/cases/{id}'],
  deleteCase: ['DELETE', '/api/prompts/{name}/cases/{id}'],
  runPrompt: ['POST', '/api/prompts/{name}/run'],
  runDraft: ['POST', '/api/run'],
  listRuns: ['GET', '/api/prompts/{name}/runs'],
  getRun: ['GET', '/api/prompts/{name}/runs/{id}'],
  runChecks: ['POST', '/api/prompts/{name}/checks'],
  listChecks: ['GET', '/api/prompts/{name}/checks'],
  getCheck: ['GET', '/api/prompts/{name}/checks/{id}'],
  reportResults: ['POST', '/api/results'],
  getResults: ['GET', '/api/results'],
  sendFeedback: ['POST', '/api/feedback'],
  createFeedbackToken: ['POST', '/api/feedback/tokens'],
  sendBrowserFeedback: ['POST', '/api/feedback/browser'],
  getPromptResults: ['GET', '/api/prompts/{name}/results'],
  listComments: ['GET', '/api/prompts/{name}/comments'],
  listWorkspaces: ['GET', '/api/workspaces'],
  createWorkspace: ['POST', '/api/workspaces'],
  renameWorkspace: ['PATCH', '/api/workspaces/{id}'],
  deleteWorkspace: ['DELETE', '/api/workspaces/{id}'],
  transferWorkspace: ['POST', '/api/workspaces/{id}/transfer'],
  getWorkspace: ['GET', '/api/workspace'],
  updateWorkspace: ['PATCH', '/api/workspace'],
  listWorkspaceActivity: ['GET', '/api/activity'],
  listMembers: ['GET', '/api/members'],
  changeMember: ['PATCH', '/api/members/{userId}'],
  removeMember: ['DELETE', '/api/members/{userId}'],
  createServiceAccount: ['POST', '/api/members/service-accounts'],
  resetServiceAccountKey: ['POST', '/api/members/{userId}/reset-key'],
  inviteMember: ['POST', '/api/members/invitations'],
  removeInvitation: ['DELETE', '/api/members/invitations/{id}'],
  getInvitation: ['GET', '/api/invitations/{token}'],
  acceptInvitation: ['POST', '/api/invitations/{token}/accept'],
  streamEvents: ['GET', '/api/events'],
  reportTraces: ['POST', '/v1/traces'],
  reportLogs: ['POST', '/v1/logs'],
  reportLangfuseTraces: ['POST', '/api/public/otel/v1/traces'],
  reportLangfuseEvents: ['POST', '/api/public/ingestion'],
  createLangfuseScore: ['POST', '/api/public/scores'],
  listWebhooks: ['GET', '/api/webhooks'],
  createWebhook: ['POST', '/api/webhooks'],
  getWebhook: ['GET', '/api/webhooks/{id}'],
  changeWebhook: ['PATCH', '/api/webhooks/{id}'],
  deleteWebhook: ['DELETE', '/api/webhooks/{id}'],
  rotateWebhookSecret: ['POST', '/api/webhooks/{id}/rotate-secret'],
  testWebhook: ['POST', '/api/webhooks/{id}/test'],
  listDeliveries: ['GET', '/api/webhooks/{id}/deliveries'],
  replayDelivery: ['POST', '/api/webhooks/{id}/deliveries/{deliveryId}/replay'],
  readLangfuse: ['POST', '/api/import/langfuse'],
  listModels: ['GET', '/api/models'],
  createModel: ['POST', '/api/models'],
  changeModel: ['PATCH', '/api/models/{id}'],
  deleteModel: ['DELETE', '/api/models/{id}'],
  testModel: ['POST', '/api/models/{id}/test'],
  getStatistics: ['GET', '/api/stats'],
  getRunStatistics: ['GET', '/api/stats/runs'],
  listActivity: ['GET', '/api/account/activity'],
  listNotifications: ['GET', '/api/notifications'],
  readNotifications: ['POST', '/api/notifications/read'],
  getNotificationSettings: ['GET', '/api/notifications/settings'],
  changeNotificationSettings: ['PATCH', '/api/notifications/settings'],
  health: ['GET', '/healthz'],
  readiness: ['GET', '/readyz'],
  openapi: ['GET', '/api/openapi.json'],
} as const satisfies Record<keyof Operations, readonly [string, string]>;

/** Fields that the response of an operation always has, and that are never null. `items` are the fields of each item of its list `data`. */
export interface ResponseFields {
  fields: readonly string[];
  items?: readonly string[];
}

/** Separate, because the dashboard does not load it. */
export const responseFields: Partial<Record<keyof Operations, ResponseFields>> = {
  register: { fields: ['token', 'userId', 'email'] },
  obtainToken: { fields: ['token', 'userId', 'email'] },
  verifyToken: { fields: ['token', 'userId', 'email'] },
  resetToken: { fields: ['token'] },
  getAccount: { fields: ['userId', 'email', 'name'] },
  changeAccount: { fields: ['userId', 'email', 'name'] },
  startTwoFactor: { fields: ['secret', 'uri'] },
  confirmTwoFactor: { fields: ['recoveryCodes'] },
  replaceRecoveryCodes: { fields: ['recoveryCodes'] },
  signInWithPasskey: { fields: ['userId', 'email', 'name'] },
  listPasskeys: { fields: ['data'], items: ['id', 'name', 'host'] },
  addPasskey: { fields: ['passkey'] },
  renamePasskey: { fields: ['id', 'name', 'host'] },
  startCliSignIn: { fields: ['userCode', 'url', 'expiresAt'] },
  claimCliSignIn: { fields: ['token', 'userId', 'email'] },
  getCliSignIn: { fields: ['userCode', 'computer', 'address'] },
  signUp: { fields: ['userId', 'email', 'name'] },
  signIn: { fields: ['userId', 'email', 'name'] },
  whoAmI: { fields: ['userId', 'email', 'name'] },
  changePassword: { fields: ['userId', 'email', 'name'] },
  listSessions: { fields: ['data'], items: ['id', 'createdAt', 'lastUsedAt'] },
  getSignInOptions: { fields: ['providers', 'password'] },
  linkIdentity: { fields: ['url'] },
  listIdentities: { fields: ['data'], items: ['issuer', 'name'] },
  endProviderSessions: { fields: ['status'] },
  forgotPassword: { fields: ['status'] },
  requestVerification: { fields: ['status', 'mailed'] },
  verifyEmail: { fields: ['userId', 'email', 'name'] },
  requestEmailChange: { fields: ['status', 'mailed'] },
  confirmEmailChange: { fields: ['userId', 'email', 'name'] },
  listPrompts: { fields: ['data'], items: ['id', 'name', 'type'] },
  createPrompt: { fields: ['id', 'name', 'type'] },
  getPrompt: { fields: ['name', 'type', 'version'] },
  changePrompt: { fields: ['id', 'name', 'type'] },
  restorePrompt: { fields: ['id', 'name', 'type'] },
  copyPrompt: { fields: ['id', 'name', 'type'] },
  savePrompts: { fields: ['data'], items: ['name', 'version', 'status'] },
  listDependents: { fields: ['data'], items: ['id', 'name', 'type'] },
  listJudged: { fields: ['data'], items: ['name', 'cases'] },
  getOverview: { fields: ['prompts', 'tags', 'labels'] },
  listFolders: { fields: ['data', 'complete'], items: ['path', 'prompts'] },
  listFavorites: { fields: ['data'], items: ['id', 'name', 'type'] },
  listViews: { fields: ['data'], items: ['id', 'name', 'filters'] },
  createView: { fields: ['id', 'name', 'filters'] },
  changeView: { fields: ['id', 'name', 'filters'] },
  listVersions: { fields: ['data'], items: ['name', 'type', 'version'] },
  createVersion: { fields: ['name', 'type', 'version'] },
  getVersion: { fields: ['name', 'type', 'version'] },
  listCandidates: { fields: ['data'], items: ['id', 'title', 'revision'] },
  createCandidate: { fields: ['id', 'title', 'revision'] },
  getCandidate: { fields: ['id', 'title', 'revision'] },
  changeCandidate: { fields: ['id', 'title', 'revision'] },
  applyCandidate: { fields: ['name', 'type', 'version'] },
  listProposals: { fields: ['data'], items: ['id', 'state', 'revision'] },
  openProposal: { fields: ['id', 'state', 'revision'] },
  getProposal: { fields: ['id', 'state', 'revision'] },
  reviewProposal: { fields: ['id', 'state', 'revision'] },
  applyProposal: { fields: ['id', 'state', 'revision'] },
  withdrawProposal: { fields: ['id', 'state', 'revision'] },
  listDiscussion: { fields: ['data'], items: ['id', 'thread'] },
  addComment: { fields: ['id', 'thread'] },
  changeComment: { fields: ['id', 'thread'] },
  moveLabel: { fields: ['name', 'type', 'version'] },
  startRelease: { fields: ['id', 'label', 'state'] },
  getRelease: { fields: ['id', 'label', 'state'] },
  changeRelease: { fields: ['id', 'label', 'state'] },
  finishRelease: { fields: ['id', 'label', 'state'] },
  countKeys: { fields: ['keys', 'days'] },
  listHistory: { fields: ['data'], items: ['id', 'type', 'at'] },
  diffVersions: { fields: ['from', 'to', 'text'] },
  renderPrompt: { fields: ['name', 'version', 'config'] },
  previewPrompt: { fields: ['config', 'variables'] },
  evaluateFlag: { fields: ['key', 'value', 'reason'] },
  evaluateFlags: { fields: ['flags'] },
  listLangfusePrompts: { fields: ['data', 'meta', 'pagination'], items: ['name', 'type', 'versions'] },
  createLangfusePrompt: { fields: ['id', 'projectId', 'name'] },
  getLangfusePrompt: { fields: ['id', 'projectId', 'name'] },
  labelLangfusePrompt: { fields: ['id', 'projectId', 'name'] },
  getLangfuseProjects: { fields: ['data'], items: ['id', 'name', 'organization'] },
  getLangfuseHealth: { fields: ['status', 'version'] },
  importPrompts: { fields: ['data'], items: ['name', 'status'] },
  listCases: { fields: ['data'], items: ['id', 'name', 'variables'] },
  createCase: { fields: ['id', 'name', 'variables'] },
  importCases: { fields: ['data'], items: ['id', 'name', 'variables'] },
  changeCase: { fields: ['id', 'name', 'variables'] },
  runPrompt: { fields: ['id', 'connection'] },
  runDraft: { fields: ['id', 'connection'] },
  listRuns: { fields: ['data'], items: ['id', 'connection'] },
  getRun: { fields: ['id', 'connection'] },
  runChecks: { fields: ['id'] },
  listChecks: { fields: ['data'], items: ['id'] },
  getCheck: { fields: ['id'] },
  reportResults: { fields: ['accepted', 'dropped'] },
  getResults: { fields: ['from', 'to', 'now'] },
  createFeedbackToken: { fields: ['token', 'expiresAt'] },
  getPromptResults: { fields: ['from', 'to', 'now'] },
  listComments: { fields: ['data'], items: ['id', 'at'] },
  listWorkspaces: { fields: ['data'], items: ['id', 'name', 'kind'] },
  createWorkspace: { fields: ['id', 'name', 'kind'] },
  renameWorkspace: { fields: ['id', 'name', 'kind'] },
  getWorkspace: { fields: ['name', 'protectedLabels', 'gatedLabels'] },
  updateWorkspace: { fields: ['name', 'protectedLabels', 'gatedLabels'] },
  listWorkspaceActivity: { fields: ['data'], items: ['id', 'kind', 'type'] },
  listMembers: { fields: ['data', 'invitations'], items: ['userId', 'name'] },
  changeMember: { fields: ['userId', 'name'] },
  createServiceAccount: { fields: ['userId', 'name', 'role'] },
  resetServiceAccountKey: { fields: ['token'] },
  inviteMember: { fields: ['id', 'email', 'role'] },
  getInvitation: { fields: ['workspace', 'invitedBy', 'email'] },
  acceptInvitation: { fields: ['workspace', 'role'] },
  reportLangfuseEvents: { fields: ['successes', 'errors'] },
  createLangfuseScore: { fields: ['id'] },
  listWebhooks: { fields: ['data'], items: ['id', 'url', 'events'] },
  createWebhook: { fields: ['id', 'url', 'events'] },
  getWebhook: { fields: ['id', 'url', 'events'] },
  changeWebhook: { fields: ['id', 'url', 'events'] },
  rotateWebhookSecret: { fields: ['id', 'url', 'events'] },
  testWebhook: { fields: ['id', 'type', 'state'] },
  listDeliveries: { fields: ['data'], items: ['id', 'type', 'state'] },
  replayDelivery: { fields: ['id', 'type', 'state'] },
  readLangfuse: { fields: ['status'] },
  listModels: { fields: ['data'], items: ['id', 'name', 'kind'] },
  createModel: { fields: ['id', 'name', 'kind'] },
  changeModel: { fields: ['id', 'name', 'kind'] },
  testModel: { fields: ['ok', 'models'] },
  getStatistics: { fields: ['from', 'to', 'now'] },
  getRunStatistics: { fields: ['from', 'to', 'now'] },
  listActivity: { fields: ['data'], items: ['id', 'type', 'at'] },
  listNotifications: { fields: ['data', 'unread'], items: ['id', 'kind', 'at'] },
  getNotificationSettings: { fields: ['invited', 'role_changed', 'removed'] },
  changeNotificationSettings: { fields: ['invited', 'role_changed', 'removed'] },
  health: { fields: ['status'] },
  readiness: { fields: ['status'] },
};

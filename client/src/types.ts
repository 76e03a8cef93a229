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
  /** Whether the value is used outside of conditions. If an optional value is missing, nothing is shown in its place. */
  required: boolean;
}

/** A variable that the templates of a version use. */
export type Variable = Field;

export type AcceptedInvitation = {
  workspace: {
    /** The value for `PromptHarbor-Workspace`. */
    id: string;
    name: string;
    /** `personal`: the workspace of an account, which has the account’s name. */
    kind: 'personal' | 'team';
  };
  /** The role in the workspace: the larger one, if the account already was a member. */
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
  /** Whether signing in requires a code. */
  twoFactor: boolean;
  /** Whether the email address is verified. Notifications are sent only to verified addresses. */
  emailVerified: boolean;
  /** Whether the account was registered with an invitation, or has accepted one since its password was last reset. */
  acceptedInvitation: boolean;
};

export type AccountChange = {
  /** The display name, 1 to 100 characters. */
  name: string;
};

export type AccountDeletion = {
  /** The account's password. */
  password: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each is accepted once. */
  code?: string;
};

export type AccountEvent = {
  id: string;
  type: 'account_created' | 'sign_in' | 'sign_in_failed' | 'sign_out' | 'sessions_ended' | 'confirmation_failed' | 'attempts_throttled' | 'key_reset' | 'password_changed' | 'password_reset_requested' | 'password_reset' | 'verification_requested' | 'email_verified' | 'two_factor_started' | 'two_factor_enabled' | 'two_factor_disabled' | 'recovery_code_used' | 'recovery_codes_replaced' | 'member_invited' | 'invitation_removed' | 'member_joined' | 'member_role_changed' | 'member_removed' | 'member_left' | 'service_account_created' | 'service_account_key_reset' | 'workspace_created' | 'workspace_changed' | 'workspace_transferred' | 'webhook_created' | 'webhook_changed' | 'webhook_secret_rotated' | 'webhook_disabled' | 'webhook_deleted' | 'model_created' | 'model_changed' | 'model_deleted' | 'prompts_imported' | 'team_created' | 'team_deleted' | 'invitation_accepted' | 'role_changed' | 'removed_from_workspace' | 'workspace_left';
  at: string;
  address: string | null;
  userAgent: string | null;
  /** Who did it. Null for what concerns the account alone, such as sign-ins. */
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
  /** Its name at that time, or the new name of the workspace. */
  name?: string;
  /** Who is invited. */
  email?: string;
  role?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  previousRole?: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  /** The workspace in which it happened, if it is not the account’s own. */
  workspace?: {
    id: string;
    name: string;
  };
  protectedLabels?: string[];
  gatedLabels?: string[];
  dailyBudget?: DailyBudget;
  /** Of changed settings: what was there before. */
  previous?: {
    name?: string;
    protectedLabels?: string[];
    gatedLabels?: string[];
    dailyBudget?: DailyBudget;
  };
  /** The model connection. */
  model?: {
    id: string;
    name: string;
    host: string;
  };
  /** How many prompts were imported. `replaced` is absent in entries of earlier versions, which counted those as created. */
  prompts?: {
    created: number;
    completed: number;
    replaced?: number;
  };
  webhook?: {
    id: string;
    /** The host of its URL. */
    host: string;
  };
};

export type Activity = {
  data: AccountEvent[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type Batch = {
  /** Up to 50, each with another name, and with up to 200 labels together. */
  items: BatchItem[];
  /** Makes no new version of a prompt whose newest one has the same content and config, whatever `baseVersion` says; `labels` move to that one. Default: false. */
  skipUnchanged?: boolean;
};

/** A new prompt, or a new version of the prompt with this name. An existing one keeps its description and tags if they are left out. */
export type BatchItem = {
  /** 1 to 200 printable characters, except \ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`. */
  name: string;
  /** Default: derived from `template` or `messages`. */
  type?: 'text' | 'chat';
  description?: string;
  /** Up to 20 tags of up to 50 characters. */
  tags?: string[];
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config?: unknown;
  /** What changed, shown in the history. */
  message?: string;
  /** Labels to move to this version. */
  labels?: string[];
  /** The version this one is based on: nothing is saved if it is no longer the newest. 0: only if there is no prompt with this name. */
  baseVersion?: number;
};

export type Case = {
  /** Starts with `c_`. */
  id: string;
  name: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables: Record<string, unknown>;
  /** All of them must pass. */
  checks: CaseCheck[];
  createdAt: string;
  updatedAt: string;
};

export type CaseChange = {
  name?: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  /** All of them must pass. */
  checks?: CaseCheck[];
};

export type CaseCheck = {
  kind: 'contains' | 'notContains' | 'equals' | 'matches' | 'json' | 'jsonSchema' | 'maxCharacters' | 'maxTokens' | 'maxLatencyMs' | 'judge';
  /** The model’s output (the default), or the rendered prompt, which needs no model. */
  on?: 'output' | 'prompt';
  /** Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`; a JSON schema for `jsonSchema`; a number for `maxCharacters`, `maxTokens` and `maxLatencyMs`; the name of a prompt for `judge`, unless it has a `rubric`; nothing for `json`. */
  value?: unknown;
  /** Of `judge`: what must hold, in words, such as “Is polite and names the order”. No prompt is needed then. */
  rubric?: string;
  /** Of `judge`: which version of the prompt. Default: `production`. */
  label?: string;
  /** Of `judge`: where it runs. Default: that of the checks. */
  connection?: string;
  /** Of `judge`: the model. Default: that of its prompt, of its connection, or of the checks. */
  model?: string;
};

export type CaseImport = {
  /** Cases as a list returns them. They are added to those there are. */
  data: Array<{
    name: string;
    /** Values by variable name. The value of a placeholder is an array of messages. */
    variables?: Record<string, unknown>;
    /** All of them must pass. */
    checks?: CaseCheck[];
    /** Accepted as a list returns it, and ignored. */
    id?: string;
    /** Accepted as a list returns it, and ignored. */
    createdAt?: string;
    /** Accepted as a list returns it, and ignored. */
    updatedAt?: string;
  }>;
};

export type CaseList = {
  data: Case[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type CaseResult = {
  id: string;
  name: string;
  passed: boolean;
  checks: CheckResult[];
  /** The first 4,000 characters of what the model wrote. Null if no model was needed. */
  output: string | null;
  /** Why the case could not be run. Null if it could, also if checks failed. */
  error: {
    code: string;
    /** What happened, with what the server said. */
    message: string;
    /** The status of the server’s response. */
    status: number | null;
    /** How long the server asks to wait. */
    retryAfterSeconds: number | null;
  } | null;
  /** Of the model. Null if none was needed. */
  usage: TokenUsage | null;
  /** US dollars, with judges. Null if there is no price. */
  cost: number | null;
  /** Until the first token. */
  firstTokenMs: number | null;
  /** Of the model’s response. */
  durationMs: number | null;
};

export type Check = {
  /** Starts with `k_`. */
  id: string;
  version: number;
  /** Null if no model was needed. */
  connection: {
    id: string;
    name: string;
  } | null;
  /** Null if no model was needed. */
  model: string | null;
  /** How many cases passed. */
  passed: number;
  /** How many cases failed. */
  failed: number;
  /** Whether the cases are still those that were run. Only then can they open a gated label. */
  current: boolean;
  /** US dollars, as far as there are prices. Null if there are none. */
  cost: number | null;
  durationMs: number;
  createdAt: string;
  by: Person;
  cases: CaseResult[];
};

export type CheckList = {
  data: CheckSummary[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type CheckRequest = {
  label?: string | 'latest';
  version?: number;
  /** Where the cases run. Not needed if all checks are on the rendered prompt. */
  connection?: string;
  model?: string;
  /** Cases at the same time. */
  parallel?: number;
};

export type CheckResult = {
  kind: 'contains' | 'notContains' | 'equals' | 'matches' | 'json' | 'jsonSchema' | 'maxCharacters' | 'maxTokens' | 'maxLatencyMs' | 'judge';
  /** The model’s output (the default), or the rendered prompt, which needs no model. */
  on?: 'output' | 'prompt';
  /** Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`; a JSON schema for `jsonSchema`; a number for `maxCharacters`, `maxTokens` and `maxLatencyMs`; the name of a prompt for `judge`, unless it has a `rubric`; nothing for `json`. */
  value?: unknown;
  /** Of `judge`: what must hold, in words, such as “Is polite and names the order”. No prompt is needed then. */
  rubric?: string;
  /** Of `judge`: which version of the prompt. Default: `production`. */
  label?: string;
  /** Of `judge`: where it runs. Default: that of the checks. */
  connection?: string;
  /** Of `judge`: the model. Default: that of its prompt, of its connection, or of the checks. */
  model?: string;
  passed: boolean;
  /** Why it failed, or what a judge said. */
  message: string;
};

export type CheckSummary = {
  /** Starts with `k_`. */
  id: string;
  version: number;
  /** Null if no model was needed. */
  connection: {
    id: string;
    name: string;
  } | null;
  /** Null if no model was needed. */
  model: string | null;
  /** How many cases passed. */
  passed: number;
  /** How many cases failed. */
  failed: number;
  /** Whether the cases are still those that were run. Only then can they open a gated label. */
  current: boolean;
  /** US dollars, as far as there are prices. Null if there are none. */
  cost: number | null;
  durationMs: number;
  createdAt: string;
  by: Person;
};

export type CreatedInvitation = {
  id: string;
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  /** Who invites. */
  invitedBy: {
    userId: string;
    /** Their name at that time. */
    name: string;
  };
  createdAt: string;
  /** 7 days after the creation. */
  expiresAt: string;
  /** The link to accept it. It works once, and is not shown again. */
  url: string;
  /** Whether the mail server has accepted a mail with the link. If not, pass it on yourself. A mail that failed is tried again for about a minute. */
  mailed: boolean;
};

export type CreatedPrompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. Of a prompt with very many, the newest: 2,000 in a response with one prompt, and at least 100 in a list. */
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
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  /** The account's API key: `ph_` followed by 64 hexadecimal characters. */
  token: string;
};

/** What runs and checks may use on a day in UTC. Once it is used up, further ones are refused with 429 `budget_exceeded`. */
export type DailyBudget = {
  /** US dollars. Counts runs of models that have a price. Null: no limit. */
  cost: number | null;
  /** Input and output tokens. Null: no limit. */
  tokens: number | null;
};

export type Dependent = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  /** The prompt that it includes, where it includes this one only through others; null where it includes this one itself. */
  via: string | null;
  includes: Array<{
    /** The label at which it includes this prompt, or `via`. */
    label: string;
    /** The version of the dependent that includes it. */
    version: number;
    /** The labels of the dependent that point at this version, `latest` among them. */
    labels: string[];
  }>;
  /** Calls of the dependent itself. */
  callsLast24Hours: number;
};

export type DependentList = {
  data: Dependent[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type Diff = {
  from: number;
  to: number;
  /** Unified diff of the text; empty if there is no difference. */
  text: string;
  /** Unified diff of the config as indented JSON; empty if there is no difference. */
  config: string;
};

export type DraftRunRequest = {
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config?: unknown;
  /** The prompt that this is a draft of. The run is kept in its history. */
  name?: string;
  /** Values by variable name. The value of a placeholder is an array of messages, whose `content` may also be an array of parts, such as images. */
  variables?: Record<string, unknown>;
  /** The id or the name of a model connection. */
  connection: string;
  /** Default: the model of the prompt’s config if the connection has it, or its first one. */
  model?: string;
  /** Parameters of the request to the model, which replace those of the prompt’s config. Null removes one. */
  parameters?: Record<string, unknown>;
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
    /** JSON pointer to the field. */
    path: string;
    message: string;
    /** Line of a syntax error in a template. */
    line?: number;
    /** Column of a syntax error in a template. */
    column?: number;
  }>;
  /** Of `has_warnings`: what would fail. */
  warnings?: Warning[];
};

export type FailedRun = {
  /** Human-readable text. */
  error: string;
  /** Stable machine-readable code in snake_case. */
  code?: string;
  /** The invalid fields. */
  details?: Array<{
    /** JSON pointer to the field. */
    path: string;
    message: string;
    /** Line of a syntax error in a template. */
    line?: number;
    /** Column of a syntax error in a template. */
    column?: number;
  }>;
  /** Of `has_warnings`: what would fail. */
  warnings?: Warning[];
  run: Run;
};

export type Health = {
  status: 'ok';
};

export type History = {
  data: HistoryEntry[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type HistoryEntry = {
  id: string;
  type: 'created' | 'version_saved' | 'version_deleted' | 'label_moved' | 'label_removed' | 'renamed' | 'described' | 'deleted' | 'restored' | 'cases_changed';
  at: string;
  by: Person;
  version?: number;
  message?: string;
  label?: string;
  /** The previous name or version. */
  from?: string | number | null;
  /** The new name or version. */
  to?: string | number;
  /** Why a gated label was moved, or a prompt with it restored, without passing checks. */
  override?: string;
  /** What was done to cases, the name of the first of them, and how many they are. */
  cases?: {
    action: 'added' | 'changed' | 'deleted';
    name: string;
    count: number;
  };
};

export type ImportedCases = {
  data: Case[];
};

export type ImportedPrompt = {
  name: string;
  /** `created`: there was no prompt with this name. `completed`: what was missing of it was added; nobody had changed it here since its last import. `replaced`: the prompt that was here is in the bin. `unchanged`: it has all of this already. `conflict`: it is left alone, and `reason` says why. */
  status: 'created' | 'completed' | 'replaced' | 'unchanged' | 'conflict';
  reason?: string;
  /** Present if the conflict is with the prompt that is here under this name, so that another name would do: whether `replace` would too. */
  replaceable?: boolean;
};

export type ImportedPrompts = {
  /** In the order of the request. */
  data: ImportedPrompt[];
};

export type Invitation = {
  id: string;
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  /** Who invites. */
  invitedBy: {
    userId: string;
    /** Their name at that time. */
    name: string;
  };
  createdAt: string;
  /** 7 days after the creation. */
  expiresAt: string;
};

export type JudgedPrompt = {
  name: string;
  /** How many of its cases name this prompt as a judge. */
  cases: number;
};

export type JudgedPrompts = {
  data: JudgedPrompt[];
};

export type LabelTarget = {
  version: number;
  /** Why a gated label is moved without passing checks. Takes the role `admin`; the history and the event show it. */
  override?: string;
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
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config: unknown;
  labels: string[];
  tags: string[];
  commitMessage: string | null;
  createdAt: string;
  updatedAt: string;
  createdBy: string;
  /** Whether it has the label `production`. */
  isActive: boolean;
  resolutionGraph: {
    root: {
      id: string;
      name: string;
      version: number;
    };
    /** What each version includes, by the id of the including one. */
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
    /** The newest 1,000. */
    versions: number[];
    labels: string[];
    tags: string[];
    lastUpdatedAt: string;
    /** Null from where the configs of the page have 1 MB together. */
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
  /** The address of Langfuse, with the path that it is at, if it has one. */
  url: string;
  publicKey: string;
  /** Used for this request, and neither stored nor logged. */
  secretKey: string;
  /** Lists prompts, 50 at a time. */
  page?: number;
  /** With `version`: reads a version of this prompt. */
  name?: string;
  version?: number;
};

export type LangfuseResponse = {
  /** Of the response of Langfuse; 0 if there was none. */
  status: number;
  /** JSON, if the status is 200. */
  body: string | null;
  /** The header of this name, if Langfuse asks to wait. */
  retryAfter: string | null;
  /** What is wrong, in words. */
  problem: string | null;
};

export type ListedPrompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. Of a prompt with very many, the newest: 2,000 in a response with one prompt, and at least 100 in a list. */
  deletedVersions?: number[];
  createdAt: string;
  updatedAt: string;
  /** With `deleted=true`: when it was moved to the bin. */
  deletedAt?: string;
  deletedBy?: Person;
  /** With `include=content`: the version at `label`, or null if there is none. */
  version?: Version | null;
  usage?: PromptUsage;
};

export type Login = {
  email: string;
  password: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each is accepted once. */
  code?: string;
};

/** One JSON-RPC message of the protocol. Clients of earlier revisions get it as a server-sent event. */
export type McpMessage = unknown;

export type Member = {
  /** Starts with `u_`. */
  userId: string;
  name: string;
  /** Null for a service account. */
  email: string | null;
  /** `service`: an account for a program, without sign-in. */
  kind: 'person' | 'service';
  role: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  /** For the owner and service accounts: when the account was created. */
  joinedAt: string;
  /** When the key was created. Only for service accounts. */
  keyCreatedAt?: string;
  /** When the key was last used, or null if never. Only for service accounts. */
  keyLastUsedAt?: string | null;
};

export type MemberChange = {
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
};

export type MemberList = {
  /** The owner first, then the others in the order of their ids. */
  data: Member[];
  /** The open invitations, after all members. Only shown to admins. */
  invitations: Invitation[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type Message = {
  /** `system`, `developer`, `user`, `assistant` or `tool`. Of a mustache version any text. */
  role: string;
  /** A template. */
  content: string;
};

export type ModelConnection = {
  /** Starts with `m_`. */
  id: string;
  /** Unique in the workspace. Runs may name the connection by it. */
  name: string;
  /** The address below which the server has `/chat/completions` and `/models`; it usually ends in `/v1`. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  baseUrl: string;
  /** The models that may be used. The first is the default. Empty: any. */
  models: string[];
  /** Prices by model. Runs of a model without one have no cost. */
  prices: Record<string, {
    /** US dollars for a million input tokens. */
    input: number;
    /** US dollars for a million output tokens. */
    output: number;
  }>;
  /** The last four characters of the key. Null without a key. */
  keyHint: string | null;
  createdAt: string;
  updatedAt: string;
};

export type ModelConnectionChange = {
  /** Unique in the workspace. Runs may name the connection by it. */
  name?: string;
  /** Changing it drops the key, unless a new one is given with it. */
  baseUrl?: string;
  /** The models that may be used. The first is the default. Empty: any. */
  models?: string[];
  /** Prices by model. Runs of a model without one have no cost. */
  prices?: Record<string, {
    /** US dollars for a million input tokens. */
    input: number;
    /** US dollars for a million output tokens. */
    output: number;
  }>;
  /** A new key, or null to remove it. */
  apiKey?: string | null;
};

export type ModelConnectionList = {
  data: ModelConnection[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type ModelConnectionTest = {
  ok: boolean;
  /** What the server offers, up to 1,000. Empty if it does not list its models. */
  models: string[];
  /** What is wrong, and what to do about it. Null if it works. */
  problem: string | null;
  durationMs: number;
};

export type NewCase = {
  name: string;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  /** All of them must pass. */
  checks?: CaseCheck[];
};

export type NewInvitation = {
  /** Only the account with this email can accept. Case-insensitive. */
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
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
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config?: unknown;
  labels?: string[] | null;
  tags?: string[] | null;
  commitMessage?: string | null;
};

export type NewModelConnection = {
  /** Unique in the workspace. Runs may name the connection by it. */
  name: string;
  /** The address below which the server has `/chat/completions` and `/models`; it usually ends in `/v1`. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  baseUrl: string;
  /** The models that may be used. The first is the default. Empty: any. */
  models?: string[];
  /** Prices by model. Runs of a model without one have no cost. */
  prices?: Record<string, {
    /** US dollars for a million input tokens. */
    input: number;
    /** US dollars for a million output tokens. */
    output: number;
  }>;
  /** Sent as a bearer token. Stored encrypted, for this base address only, and never shown again. */
  apiKey?: string;
};

export type NewPrompt = {
  /** 1 to 200 printable characters, except \ | < > ". Slashes separate folders; a folder or name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`. */
  name: string;
  /** Default: derived from `template` or `messages`. */
  type?: 'text' | 'chat';
  description?: string;
  /** Up to 20 tags of up to 50 characters. */
  tags?: string[];
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config?: unknown;
  /** What changed, shown in the history. */
  message?: string;
  /** Labels to move to this version. */
  labels?: string[];
};

export type NewServiceAccount = {
  /** What the program is called, 1 to 100 characters. */
  name: string;
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
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
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config?: unknown;
  /** What changed, shown in the history. */
  message?: string;
  /** Labels to move to this version. */
  labels?: string[];
  /** The version this one is based on. The response is 409 if it is no longer the newest. */
  baseVersion?: number;
};

export type NewWebhook = {
  /** Where events are sent to with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url: string;
  /** The types of events to send, or `all`, also those that are added later. Without it: all. */
  events?: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'label.moved' | 'label.removed' | 'dependency.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description?: string;
  /** What happens while it is disabled is not sent later. */
  enabled?: boolean;
};

export type NewWorkspace = {
  /** The name of the workspace, 1 to 100 characters. */
  name: string;
};

export type Overview = {
  /** The number of prompts, without those in the bin. */
  prompts: number;
  /** The tags in use, in order, up to 500. */
  tags: string[];
  /** The labels in use, in order, up to 500. */
  labels: string[];
};

export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
};

export type PasswordReset = {
  /** The token in the reset link. */
  token: string;
  /** 8 to 128 characters of any kind, 15 or more recommended. Very common passwords are rejected. */
  newPassword: string;
};

/** The same whether or not the account exists. */
export type PasswordResetAccepted = {
  status: 'ok';
};

export type PasswordResetRequest = {
  email: string;
};

export type Person = {
  /** The account of a person, or a service account. Missing if the change was imported. */
  userId?: string;
  /** Their name at that time. */
  name: string;
  /** `api`: with an API key. `dashboard`: by a signed-in user. Missing for versions that were saved before it was recorded. */
  via?: 'api' | 'dashboard';
  /** The change was made elsewhere and imported: whoever has this name here may be somebody else. */
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
  messages?: Array<{
    role: string;
    content: string;
  }>;
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config: unknown;
  variables: Variable[];
  /** With `placeholders`: the values that stand for missing required variables, by name. */
  placeholders?: Record<string, unknown>;
  /** With `problems`: why it cannot be rendered, such as an included prompt that does not exist. */
  problem?: string;
};

export type PreviewRequest = {
  /** The language of the templates. */
  syntax?: 'liquid' | 'mustache';
  /** A template, up to 262,144 characters. */
  template?: string;
  messages?: Array<Message | Placeholder>;
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config?: unknown;
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  /** The prompt that this is a draft of, so that including itself is an error, as it is for the saved prompt. */
  name?: string;
  /** Shows the names of missing required variables, as in ‹customer.name›, where the response is 422 otherwise. */
  placeholders?: boolean;
  /** Returns the variables and a `problem` for a template that cannot be rendered, where the response is 422 otherwise. */
  problems?: boolean;
};

export type Prompt = {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  /** The version each label points at. */
  labels: Record<string, number>;
  /** The numbers of deleted versions, which are never used again. Absent if there are none. Of a prompt with very many, the newest: 2,000 in a response with one prompt, and at least 100 in a list. */
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

export type PromptList = {
  data: ListedPrompt[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type PromptUsage = {
  callsLast24Hours: number;
  /** The hour of the last call, or its day if that was more than 90 days ago. Null if there was none. */
  lastUsedAt: string | null;
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
  /** The only email that can register with the link, and the only account that can accept. */
  email: string;
  /** `viewer`, `editor`, `deployer` or `admin`, each with the rights of those before it. Nobody can be made owner. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin';
  expiresAt: string;
};

export type RecoveryCodes = {
  /** Ten codes, shown only once. Each can be used once instead of a code from the authenticator app. */
  recoveryCodes: string[];
};

export type Registration = {
  /** Case-insensitive. */
  email: string;
  /** 8 to 128 characters of any kind, 15 or more recommended. Very common passwords are rejected. */
  password: string;
  /** Default: the part of `email` before the @. */
  name?: string;
  /** The token of an invitation to `email`, which may register with it even if registration is closed. This does not accept the invitation: sign in and accept it afterwards. */
  invitation?: string;
};

export type RenderRequest = {
  /** Values by variable name. The value of a placeholder is an array of messages. */
  variables?: Record<string, unknown>;
  label?: string | 'latest';
  version?: number;
};

export type RenderedPrompt = {
  name: string;
  version: number;
  /** For text prompts. */
  text?: string;
  /** For chat prompts. */
  messages?: Array<{
    role: string;
    content: string;
  }>;
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config: unknown;
};

export type RestoreRequest = {
  /** Why the prompt is restored with a gated label on a version that has not passed. Takes the role `admin`; the history and the event show it. */
  override?: string;
};

export type Run = {
  /** Starts with `r_`. */
  id: string;
  /** Null for a draft. */
  version: number | null;
  connection: {
    id: string;
    name: string;
  };
  model: string;
  createdAt: string;
  by: Person;
  /** The values it ran with. */
  variables: Record<string, unknown>;
  /** All parameters of the request to the model. */
  parameters: Record<string, unknown>;
  messages: Array<Record<string, unknown>>;
  /** The content of a draft. */
  draft?: {
    /** The language of the templates. */
    syntax?: 'liquid' | 'mustache';
    template?: string;
    messages?: Array<Message | Placeholder>;
    /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
    config: unknown;
  };
  /** The text of the model. After an error: what had arrived. */
  output: string;
  toolCalls: Array<Record<string, unknown>>;
  /** As the server sent it: `stop`, `length`, `tool_calls` … */
  finishReason: string | null;
  usage: TokenUsage;
  /** US dollars. Null if the connection has no price for the model. */
  cost: number | null;
  /** Until the first token. Null if there was none. */
  firstTokenMs: number | null;
  durationMs: number;
  /** Why it failed. Null if it did not. */
  error: RunError | null;
  /** Too large to be kept as a whole: parts of its input are missing. */
  truncated?: boolean;
};

export type RunError = {
  code: 'unreachable' | 'rejected' | 'incomplete' | 'timeout' | 'invalid_response' | 'too_long' | 'canceled';
  /** What happened, with what the server said. */
  message: string;
  /** The status of the server’s response. */
  status: number | null;
  /** How long the server asks to wait. */
  retryAfterSeconds: number | null;
};

export type RunList = {
  data: RunSummary[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type RunRequest = {
  /** Values by variable name. The value of a placeholder is an array of messages, whose `content` may also be an array of parts, such as images. */
  variables?: Record<string, unknown>;
  /** The id or the name of a model connection. */
  connection: string;
  /** Default: the model of the prompt’s config if the connection has it, or its first one. */
  model?: string;
  /** Parameters of the request to the model, which replace those of the prompt’s config. Null removes one. */
  parameters?: Record<string, unknown>;
  label?: string | 'latest';
  version?: number;
};

export type RunSummary = {
  /** Starts with `r_`. */
  id: string;
  /** Null for a draft. */
  version: number | null;
  connection: {
    id: string;
    name: string;
  };
  model: string;
  createdAt: string;
  by: Person;
  /** As the server sent it: `stop`, `length`, `tool_calls` … */
  finishReason: string | null;
  usage: TokenUsage;
  /** US dollars. Null if the connection has no price for the model. */
  cost: number | null;
  /** Until the first token. Null if there was none. */
  firstTokenMs: number | null;
  durationMs: number;
  /** Why it failed. Null if it did not. */
  error: RunError | null;
  /** The first 200 characters of the output. */
  preview: string;
};

export type SavedBatch = {
  /** In the order of the request. */
  data: Array<{
    name: string;
    /** The newest version. */
    version: number;
    /** `created`: a new prompt. `updated`: a new version. `changed`: only the description, tags or labels have changed. `unchanged`: nothing has. */
    status: 'created' | 'updated' | 'changed' | 'unchanged';
    /** What fails at the labels that were moved. Absent if nothing does. */
    warnings?: Warning[];
  }>;
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
  /** The variables that the templates use, including those of included prompts. */
  variables: Variable[];
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config: unknown;
  message: string;
  createdAt: string;
  by: Person;
  /** Problems that did not prevent saving it or moving the label. */
  warnings: Warning[];
};

export type Session = {
  id: string;
  /** When the user signed in. */
  createdAt: string;
  /** Accurate to the hour. */
  lastUsedAt: string;
  address: string | null;
  userAgent: string | null;
  /** Whether the request was made with this session. */
  current: boolean;
};

export type SessionList = {
  data: Session[];
};

export type Statistics = {
  from: string;
  /** Exclusive. */
  to: string;
  /** The time of the response. The interval that contains it is not over yet. */
  now: string;
  interval: 'hour' | 'day';
  totals: {
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  };
  /** Percentiles of the call duration, accurate to 10%. Null if there were no calls, and with `prompt`. */
  durationMs: {
    p50: number | null;
    p95: number | null;
    p99: number | null;
  };
  /** Every interval in the range, including those without calls. The first and the last day count only the hours in the range. Calls older than 90 days are counted at midnight of their day. */
  series: Array<{
    /** Start of the interval. */
    time: string;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  }>;
  /** Most calls first. Empty with `prompt`. */
  byRoute: Array<{
    /** Method and path pattern. */
    route: string;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
  }>;
  /** The 500 most called prompts, with up to 100 versions each and 5,000 in all. */
  byPrompt: Array<{
    promptId: string;
    /** Null once the prompt is permanently deleted. */
    name: string | null;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
    /** The versions served, most calls first. */
    versions: Array<{
      version: number;
      /** The requested label; null if requested by version number. */
      label: string | null;
      calls: number;
    }>;
  }>;
  byStatus: Array<{
    status: number;
    calls: number;
  }>;
  /** Only with `prompt`: its 20 most called combinations of version and requested label. */
  byVersion?: Array<{
    version: number;
    label: string | null;
    calls: number;
    /** Calls with a status of 400 or higher. */
    errors: number;
    /** The calls in each interval of the top-level `series`. */
    series: number[];
  }>;
  /** Only with `prompt`: why it could not be rendered, most frequent first. A call that lacks two variables counts for each of them. */
  errors?: Array<{
    /** The code of the error. */
    code: string;
    /** The missing variable, or the included prompt that could not be resolved, with its label unless that is `production`. Null if the error has none, and for names beyond the first 20 of an hour. */
    name: string | null;
    calls: number;
  }>;
  /** When the current key was last used; null if never. */
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
  /** The server did not say, so they are estimated: four characters for a token. */
  estimated: boolean;
};

export type TwoFactorConfirmation = {
  /** The current 6 digits from the authenticator app. */
  code: string;
};

export type TwoFactorProof = {
  /** The account's password. */
  password: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each is accepted once. */
  code: string;
};

/** A secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). */
export type TwoFactorSecret = {
  /** The secret in base32, for manual entry. */
  secret: string;
  /** The secret as an `otpauth:` URI, for a QR code. */
  uri: string;
};

export type TwoFactorStart = {
  /** The account's password. */
  password: string;
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

/** There is a link. */
export type VerificationAccepted = {
  status: 'ok';
  /** Whether the mail server has accepted a mail with the link. A mail that failed is tried again for about a minute. */
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
  /** The variables that the templates use, including those of included prompts. */
  variables: Variable[];
  /** Any JSON up to 64 KiB, most often an object: model, temperature, tools, response schema. */
  config: unknown;
  message: string;
  createdAt: string;
  by: Person;
};

export type VersionList = {
  data: Version[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type Warning = {
  /** What fails when the version is used: `unknown_partial`, `circular_partial`, `deep_partial`, `many_partials`, `long_partials`, `many_variables`, `chat_partial` and `other_syntax_partial` (it cannot be rendered), `empty_message`, `missing_variable` (callers of the label do not send it), `included_label` (another prompt includes what is removed, or that could not be determined). `unused_variable` is only a remark. */
  code: string;
  message: string;
  /** For `included_label`: the prompt that includes it. For `missing_variable`: the prompt whose callers are affected, if it is one that includes this one. In a refused batch: the prompt that the warning is about. */
  prompt?: string;
  /** The label whose callers notice it, if it is not about all of them. */
  label?: string;
  /** Of `missing_variable`: its name. */
  variable?: string;
  /** Of `missing_variable`: how many renders of the label in the last 24 hours would have failed, if that is known. */
  rendersLast24Hours?: number;
};

export type Webhook = {
  /** Starts with `w_`. */
  id: string;
  /** Where events are sent to with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url: string;
  /** The types of events to send, or `all`, also those that are added later. */
  events: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'label.moved' | 'label.removed' | 'dependency.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description: string;
  /** What happens while it is disabled is not sent later. */
  enabled: boolean;
  /** When it was disabled. */
  disabledAt: string | null;
  /** Why it was disabled. Null if a person did it. */
  disabledReason: string | null;
  /** After a rotation: until when deliveries are signed with the old secret too. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WebhookChange = {
  /** Where events are sent to with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url?: string;
  /** The types of events to send, or `all`, also those that are added later. */
  events?: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'label.moved' | 'label.removed' | 'dependency.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description?: string;
  /** What happens while it is disabled is not sent later. */
  enabled?: boolean;
};

export type WebhookDelivery = {
  /** The `webhook-id` header of every attempt. */
  id: string;
  /** The type of the event. */
  type: string;
  /** `canceled`: it still waited when the webhook was disabled. */
  state: 'pending' | 'delivered' | 'failed' | 'canceled';
  /** The body. Null once the event is no longer kept. */
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
    /** Why it failed. */
    error: string | null;
    /** The first 1 KB of the response. It is kept only for the last attempt, and only if that failed; otherwise null. */
    response: string | null;
  }>;
  /** When it is attempted next: not before earlier events of the same prompt were delivered. */
  nextAttemptAt: string | null;
  /** When the event happened. */
  createdAt: string;
};

export type WebhookDeliveryList = {
  data: WebhookDelivery[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type WebhookList = {
  data: Webhook[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
};

export type WebhookWithSecret = {
  /** Starts with `w_`. */
  id: string;
  /** Where events are sent to with POST. An address that is not public must be allowed by the setting OUTBOUND_ALLOW. */
  url: string;
  /** The types of events to send, or `all`, also those that are added later. */
  events: 'all' | Array<'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'label.moved' | 'label.removed' | 'dependency.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed'>;
  description: string;
  /** What happens while it is disabled is not sent later. */
  enabled: boolean;
  /** When it was disabled. */
  disabledAt: string | null;
  /** Why it was disabled. Null if a person did it. */
  disabledReason: string | null;
  /** After a rotation: until when deliveries are signed with the old secret too. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  /** Verifies signatures. Shown only in this response. */
  secret: string;
};

export type Workspace = {
  /** Send it as `PromptHarbor-Workspace` to act in this workspace. Starts with `w_` for a team, and is the `userId` of an account otherwise. */
  id: string;
  name: string;
  /** `personal`: the workspace of an account, which has the account’s name. */
  kind: 'personal' | 'team';
  /** Whether others can act in it. Always true for a team. */
  shared: boolean;
  /** What you may do there. */
  role: 'viewer' | 'editor' | 'deployer' | 'admin' | 'owner';
  owner: {
    name: string;
    email: string;
  };
};

export type WorkspaceChange = {
  /** The display name of its owner, who alone can change it. */
  name?: string;
  /** The labels that only deployers, admins and the owner may move or remove. None in a new workspace. */
  protectedLabels?: string[];
  /** The labels that move only to versions that have passed all current cases of their prompt. None in a new workspace. */
  gatedLabels?: string[];
  dailyBudget?: DailyBudget;
};

export type WorkspaceDeletion = {
  /** The account's password. */
  password: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each is accepted once. */
  code?: string;
};

export type WorkspaceEvent = {
  type: 'prompt.created' | 'prompt.changed' | 'prompt.deleted' | 'prompt.restored' | 'version.created' | 'version.deleted' | 'label.moved' | 'label.removed' | 'dependency.changed' | 'key.reset' | 'member.added' | 'member.changed' | 'member.removed' | 'test';
  at: string;
  by?: {
    /** The account of a person, or a service account. Missing if the change was imported. */
    userId?: string;
    /** Their name at that time. */
    name: string;
    /** `api`: with an API key. `dashboard`: by a signed-in user. Missing for versions that were saved before it was recorded. */
    via?: 'api' | 'dashboard';
    /** The change was made elsewhere and imported: whoever has this name here may be somebody else. */
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
  /** Why a gated label was moved, or a prompt with it restored, without passing checks. */
  override?: string;
  /** What was done to cases, the name of the first of them, and how many they are. */
  cases?: {
    action: 'added' | 'changed' | 'deleted';
    name: string;
    count: number;
  };
  /** Of `dependency.changed`: the labels of this prompt, or `latest`, that are affected. */
  labels?: string[];
  /** Of `dependency.changed`: the prompt that changed, and the label at which it is included. */
  cause?: {
    prompt: {
      id: string;
      name: string;
    };
    label: string;
  };
  /** Of `test`: the webhook it is sent to. */
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

export type WorkspaceSettings = {
  /** The display name of its owner. */
  name: string;
  /** The labels that only deployers, admins and the owner may move or remove. None in a new workspace. */
  protectedLabels: string[];
  /** The labels that move only to versions that have passed all current cases of their prompt. None in a new workspace. */
  gatedLabels: string[];
  dailyBudget: DailyBudget;
};

export type WorkspaceTransfer = {
  /** The account's password. */
  password: string;
  /** The 6 digits from the authenticator app, or a recovery code. Each is accepted once. */
  code?: string;
  /** The member who becomes the owner. */
  userId: string;
};

export interface ListPromptsQuery {
  /** Part of the name or description. */
  search?: string;
  tag?: string;
  /** Prompts in this folder and its subfolders. */
  folder?: string;
  /** Prompts that have this label. */
  label?: string | 'latest';
  /** Prompts with this name; may be repeated. */
  name?: string | string[];
  sort?: 'name' | '-updatedAt';
  /** `content` adds the version at `label` (default `production`) to each prompt. `usage` adds how often it was called in the last 24 hours and when last; such a response has no ETag. */
  include?: 'content' | 'usage';
  /** Prompts in the bin. */
  deleted?: true;
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface CreatePromptQuery {
  /** With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface GetPromptQuery {
  /** Default: `production`. */
  label?: string | 'latest';
  /** A version number, instead of a label. */
  version?: number;
}

export interface DeletePromptQuery {
  /** With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface SavePromptsQuery {
  /** With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface ListDependentsQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface GetOverviewQuery {
  /** Count only the prompts in this folder and its subfolders. */
  folder?: string;
}

export interface ListVersionsQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface CreateVersionQuery {
  /** With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface MoveLabelQuery {
  /** With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface RemoveLabelQuery {
  /** With `true`, nothing is changed if something would fail at a label: the response is 409 `has_warnings` with the `warnings`. */
  strict?: 'true' | 'false';
}

export interface ListHistoryQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface DiffVersionsQuery {
  /** The version to compare from. */
  from: number;
  /** The version to compare to. */
  to: number;
}

export interface ListLangfusePromptsQuery {
  /** The prompt with exactly this name. */
  name?: string;
  label?: string;
  tag?: string;
  page?: number;
  limit?: number;
  /** Prompts that were changed at this time or later. */
  fromUpdatedAt?: string;
  /** Prompts that were last changed before this time. */
  toUpdatedAt?: string;
}

export interface GetLangfusePromptQuery {
  version?: number;
  /** Default: `production`. */
  label?: string;
  /** Whether included prompts are put into the place of their tags. */
  resolve?: 'true' | 'false';
}

export interface DeleteLangfusePromptQuery {
  version?: number;
  /** Default: `production`. */
  label?: string;
}

export interface ImportPromptsQuery {
  /** Only say what would be done. Quotas are not looked at. */
  dryRun?: true;
  /** Move prompts that conflict with those of this request to the bin, and import these, in one step for each. */
  replace?: true;
}

export interface CallMcpQuery {
  /** The label whose prompts are listed and rendered. Default: `production`. */
  label?: string | 'latest';
}

export interface ListCasesQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListRunsQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListChecksQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  /** Only those of this version. */
  version?: number;
}

export interface ListMembersQuery {
  /** Maximum number of members and invitations together. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface StreamEventsQuery {
  /** Replay the events after this id. The header `Last-Event-ID` does the same. */
  after?: string;
  /** Only events of the prompt with this name. */
  prompt?: string;
  /** Only events of this label. */
  label?: string | 'latest';
}

export interface ListWebhooksQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListDeliveriesQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface ListModelsQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export interface GetStatisticsQuery {
  /** ISO 8601. Default: 24 hours before `to`. */
  from?: string;
  /** ISO 8601. Default: now. */
  to?: string;
  /** `hour` for up to 31 days, `day` (in UTC) for up to 400. It changes only the series: `from` is rounded down and `to` up to a full hour with either, so the totals are the same. */
  interval?: 'hour' | 'day';
  /** The name of a prompt: only calls that returned or rendered it. */
  prompt?: string;
  /** Only calls with this status. */
  status?: number;
}

export interface ListActivityQuery {
  /** Maximum number of items. A page of more than 1 MB of content ends earlier. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

/** The input and the response of each operation. */
export interface Operations {
  /** Create an account */
  register: { path: undefined; query: undefined; body: Registration; response: TokenInfo };
  /** Get the key with email and password */
  obtainToken: { path: undefined; query: undefined; body: Login; response: TokenInfo };
  /** Verify the key */
  verifyToken: { path: undefined; query: undefined; body: undefined; response: TokenInfo };
  /** Reset the key: the old one stops working immediately */
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
  /** Enable two-factor authentication with a first code */
  confirmTwoFactor: { path: undefined; query: undefined; body: TwoFactorConfirmation; response: RecoveryCodes };
  /** Replace the recovery codes: the old ones stop working immediately */
  replaceRecoveryCodes: { path: undefined; query: undefined; body: TwoFactorProof; response: RecoveryCodes };
  /** Create an account and sign in */
  signUp: { path: undefined; query: undefined; body: Registration; response: User };
  /** Sign in */
  signIn: { path: undefined; query: undefined; body: Login; response: User };
  /** Sign out */
  signOut: { path: undefined; query: undefined; body: undefined; response: undefined };
  /** Get the signed-in user */
  whoAmI: { path: undefined; query: undefined; body: undefined; response: User };
  /** Change the password: ends all other sessions */
  changePassword: { path: undefined; query: undefined; body: PasswordChange; response: User };
  /** List the active sessions */
  listSessions: { path: undefined; query: undefined; body: undefined; response: SessionList };
  /** End a session */
  endSession: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** End all other sessions */
  endOtherSessions: { path: undefined; query: undefined; body: undefined; response: undefined };
  /** Request a password reset link */
  forgotPassword: { path: undefined; query: undefined; body: PasswordResetRequest; response: PasswordResetAccepted };
  /** Set a new password with a reset link: ends all sessions */
  resetPassword: { path: undefined; query: undefined; body: PasswordReset; response: undefined };
  /** Send a verification link to the account's email address */
  requestVerification: { path: undefined; query: undefined; body: undefined; response: VerificationAccepted };
  /** Verify the account's email address with a link */
  verifyEmail: { path: undefined; query: undefined; body: EmailVerification; response: User };
  /** List prompts */
  listPrompts: { path: undefined; query: ListPromptsQuery; body: undefined; response: PromptList };
  /** Create a prompt */
  createPrompt: { path: undefined; query: CreatePromptQuery; body: NewPrompt; response: CreatedPrompt };
  /** Get a prompt by label or version */
  getPrompt: { path: { name: string }; query: GetPromptQuery; body: undefined; response: Version };
  /** Change the name, description or tags of a prompt */
  changePrompt: { path: { name: string }; query: undefined; body: PromptChange; response: Prompt };
  /** Move a prompt to the bin, where it stays for 30 days */
  deletePrompt: { path: { name: string }; query: DeletePromptQuery; body: undefined; response: undefined };
  /** Restore a prompt from the bin */
  restorePrompt: { path: { name: string }; query: undefined; body: RestoreRequest; response: Prompt };
  /** Create prompts and save versions, all or none */
  savePrompts: { path: undefined; query: SavePromptsQuery; body: Batch; response: SavedBatch };
  /** List the prompts that include this one */
  listDependents: { path: { name: string }; query: ListDependentsQuery; body: undefined; response: DependentList };
  /** List the prompts whose cases this one judges */
  listJudged: { path: { name: string }; query: undefined; body: undefined; response: JudgedPrompts };
  /** Count prompts and list the tags and labels in use */
  getOverview: { path: undefined; query: GetOverviewQuery; body: undefined; response: Overview };
  /** List versions, newest first */
  listVersions: { path: { name: string }; query: ListVersionsQuery; body: undefined; response: VersionList };
  /** Save a new version */
  createVersion: { path: { name: string }; query: CreateVersionQuery; body: NewVersion; response: SavedVersion };
  /** Get a version */
  getVersion: { path: { name: string; version: number }; query: undefined; body: undefined; response: Version };
  /** Delete a version */
  deleteVersion: { path: { name: string; version: number }; query: undefined; body: undefined; response: undefined };
  /** Point a label at a version: deploy or roll back */
  moveLabel: { path: { name: string; label: string }; query: MoveLabelQuery; body: LabelTarget; response: SavedVersion };
  /** Remove a label */
  removeLabel: { path: { name: string; label: string }; query: RemoveLabelQuery; body: undefined; response: undefined };
  /** List changes, newest first */
  listHistory: { path: { name: string }; query: ListHistoryQuery; body: undefined; response: History };
  /** Compare two versions */
  diffVersions: { path: { name: string }; query: DiffVersionsQuery; body: undefined; response: Diff };
  /** Render a prompt with variables */
  renderPrompt: { path: { name: string }; query: undefined; body: RenderRequest; response: RenderedPrompt };
  /** Render a template without saving it */
  previewPrompt: { path: undefined; query: undefined; body: PreviewRequest; response: Preview };
  /** List prompts */
  listLangfusePrompts: { path: undefined; query: ListLangfusePromptsQuery; body: undefined; response: LangfusePromptList };
  /** Save a version, and create the prompt if there is none */
  createLangfusePrompt: { path: undefined; query: undefined; body: NewLangfusePrompt; response: LangfusePrompt };
  /** Get a prompt by label or version */
  getLangfusePrompt: { path: { name: string }; query: GetLangfusePromptQuery; body: undefined; response: LangfusePrompt };
  /** Delete a version, or all of them */
  deleteLangfusePrompt: { path: { name: string }; query: DeleteLangfusePromptQuery; body: undefined; response: undefined };
  /** Add labels to a version */
  labelLangfusePrompt: { path: { name: string; version: number }; query: undefined; body: LangfuseLabels; response: LangfusePrompt };
  /** The workspace, as the only project of the key */
  getLangfuseProjects: { path: undefined; query: undefined; body: undefined; response: LangfuseProjects };
  /** Whether the service runs */
  getLangfuseHealth: { path: undefined; query: undefined; body: undefined; response: LangfuseHealth };
  /** Export all prompts */
  exportPrompts: { path: undefined; query: undefined; body: undefined; response: string };
  /** Import prompts as they were exported */
  importPrompts: { path: undefined; query: ImportPromptsQuery; body: string; response: ImportedPrompts };
  /** Serve prompts to assistants */
  callMcp: { path: undefined; query: CallMcpQuery; body: McpMessage; response: McpMessage };
  /** List or export the cases of a prompt */
  listCases: { path: { name: string }; query: ListCasesQuery; body: undefined; response: CaseList };
  /** Add a case */
  createCase: { path: { name: string }; query: undefined; body: NewCase; response: Case };
  /** Add many cases, all or none */
  importCases: { path: { name: string }; query: undefined; body: CaseImport; response: ImportedCases };
  /** Change a case */
  changeCase: { path: { name: string; id: string }; query: undefined; body: CaseChange; response: Case };
  /** Delete a case */
  deleteCase: { path: { name: string; id: string }; query: undefined; body: undefined; response: undefined };
  /** Run a prompt on a model */
  runPrompt: { path: { name: string }; query: undefined; body: RunRequest; response: Run };
  /** Run content that is not saved */
  runDraft: { path: undefined; query: undefined; body: DraftRunRequest; response: Run };
  /** List the runs of a prompt, newest first */
  listRuns: { path: { name: string }; query: ListRunsQuery; body: undefined; response: RunList };
  /** Get a run */
  getRun: { path: { name: string; id: string }; query: undefined; body: undefined; response: Run };
  /** Run all cases on a version */
  runChecks: { path: { name: string }; query: undefined; body: CheckRequest; response: Check };
  /** List the results of checks, newest first */
  listChecks: { path: { name: string }; query: ListChecksQuery; body: undefined; response: CheckList };
  /** Get the results of checks, case by case */
  getCheck: { path: { name: string; id: string }; query: undefined; body: undefined; response: Check };
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
  /** Get the settings of the workspace */
  getWorkspace: { path: undefined; query: undefined; body: undefined; response: WorkspaceSettings };
  /** Change the settings of the workspace */
  updateWorkspace: { path: undefined; query: undefined; body: WorkspaceChange; response: WorkspaceSettings };
  /** List the members, service accounts and open invitations */
  listMembers: { path: undefined; query: ListMembersQuery; body: undefined; response: MemberList };
  /** Change the role of a member or service account */
  changeMember: { path: { userId: string }; query: undefined; body: MemberChange; response: Member };
  /** Remove a member or delete a service account; leave the workspace */
  removeMember: { path: { userId: string }; query: undefined; body: undefined; response: undefined };
  /** Create a service account: a key for a program, with a role of its own */
  createServiceAccount: { path: undefined; query: undefined; body: NewServiceAccount; response: CreatedServiceAccount };
  /** Reset the key of a service account: the old one stops working immediately */
  resetServiceAccountKey: { path: { userId: string }; query: undefined; body: undefined; response: NewToken };
  /** Invite someone by email */
  inviteMember: { path: undefined; query: undefined; body: NewInvitation; response: CreatedInvitation };
  /** Withdraw an invitation: its link stops working immediately */
  removeInvitation: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Get the invitation of a link */
  getInvitation: { path: { token: string }; query: undefined; body: undefined; response: ReceivedInvitation };
  /** Accept an invitation with the signed-in account */
  acceptInvitation: { path: { token: string }; query: undefined; body: undefined; response: AcceptedInvitation };
  /** Follow what happens in the workspace */
  streamEvents: { path: undefined; query: StreamEventsQuery; body: undefined; response: string };
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
  /** Make a new secret */
  rotateWebhookSecret: { path: { id: string }; query: undefined; body: undefined; response: WebhookWithSecret };
  /** Send a `test` event and return the result */
  testWebhook: { path: { id: string }; query: undefined; body: undefined; response: WebhookDelivery };
  /** List what was sent, newest first */
  listDeliveries: { path: { id: string }; query: ListDeliveriesQuery; body: undefined; response: WebhookDeliveryList };
  /** Send an event once more */
  replayDelivery: { path: { id: string; deliveryId: string }; query: undefined; body: undefined; response: WebhookDelivery };
  /** Read prompts of a Langfuse server */
  readLangfuse: { path: undefined; query: undefined; body: LangfuseRead; response: LangfuseResponse };
  /** List the model connections */
  listModels: { path: undefined; query: ListModelsQuery; body: undefined; response: ModelConnectionList };
  /** Connect a server that runs models */
  createModel: { path: undefined; query: undefined; body: NewModelConnection; response: ModelConnection };
  /** Change a model connection */
  changeModel: { path: { id: string }; query: undefined; body: ModelConnectionChange; response: ModelConnection };
  /** Delete a model connection */
  deleteModel: { path: { id: string }; query: undefined; body: undefined; response: undefined };
  /** Ask the server for its models, or say what is wrong */
  testModel: { path: { id: string }; query: undefined; body: undefined; response: ModelConnectionTest };
  /** Get usage statistics */
  getStatistics: { path: undefined; query: GetStatisticsQuery; body: undefined; response: Statistics };
  /** List account activity: sign-ins, key resets, password changes, changes to the members of the workspace */
  listActivity: { path: undefined; query: ListActivityQuery; body: undefined; response: Activity };
  /** Liveness: the process is running */
  health: { path: undefined; query: undefined; body: undefined; response: Health };
  /** Readiness: the database responds */
  readiness: { path: undefined; query: undefined; body: undefined; response: Health };
  /** This description, OpenAPI 3.1 */
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
  signUp: ['POST', '/api/session/sign-up/email'],
  signIn: ['POST', '/api/session/sign-in/email'],
  signOut: ['POST', '/api/session/sign-out'],
  whoAmI: ['GET', '/api/session'],
  changePassword: ['POST', '/api/session/change-password'],
  listSessions: ['GET', '/api/session/list'],
  endSession: ['DELETE', '/api/session/list/{id}'],
  endOtherSessions: ['POST', '/api/session/end-others'],
  forgotPassword: ['POST', '/api/session/forgot-password'],
  resetPassword: ['POST', '/api/session/reset-password'],
  requestVerification: ['POST', '/api/account/verification'],
  verifyEmail: ['POST', '/api/session/verify-email'],
  listPrompts: ['GET', '/api/prompts'],
  createPrompt: ['POST', '/api/prompts'],
  getPrompt: ['GET', '/api/prompts/{name}'],
  changePrompt: ['PATCH', '/api/prompts/{name}'],
  deletePrompt: ['DELETE', '/api/prompts/{name}'],
  restorePrompt: ['POST', '/api/prompts/{name}/restore'],
  savePrompts: ['POST', '/api/prompts/batch'],
  listDependents: ['GET', '/api/prompts/{name}/dependents'],
  listJudged: ['GET', '/api/prompts/{name}/judged'],
  getOverview: ['GET', '/api/overview'],
  listVersions: ['GET', '/api/prompts/{name}/versions'],
  createVersion: ['POST', '/api/prompts/{name}/versions'],
  getVersion: ['GET', '/api/prompts/{name}/versions/{version}'],
  deleteVersion: ['DELETE', '/api/prompts/{name}/versions/{version}'],
  moveLabel: ['PUT', '/api/prompts/{name}/labels/{label}'],
  removeLabel: ['DELETE', '/api/prompts/{name}/labels/{label}'],
  listHistory: ['GET', '/api/prompts/{name}/history'],
  diffVersions: ['GET', '/api/prompts/{name}/diff'],
  renderPrompt: ['POST', '/api/prompts/{name}/render'],
  previewPrompt: ['POST', '/api/render'],
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
  listWorkspaces: ['GET', '/api/workspaces'],
  createWorkspace: ['POST', '/api/workspaces'],
  renameWorkspace: ['PATCH', '/api/workspaces/{id}'],
  deleteWorkspace: ['DELETE', '/api/workspaces/{id}'],
  transferWorkspace: ['POST', '/api/workspaces/{id}/transfer'],
  getWorkspace: ['GET', '/api/workspace'],
  updateWorkspace: ['PATCH', '/api/workspace'],
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
  listActivity: ['GET', '/api/account/activity'],
  health: ['GET', '/healthz'],
  readiness: ['GET', '/readyz'],
  openapi: ['GET', '/api/openapi.json'],
} as const satisfies Record<keyof Operations, readonly [string, string]>;

/** A field that the response of an operation always has. Separate, because the dashboard does not load it. */
export const responseFields: Partial<Record<keyof Operations, string>> = {
  register: 'token',
  obtainToken: 'token',
  verifyToken: 'token',
  resetToken: 'token',
  getAccount: 'userId',
  changeAccount: 'userId',
  startTwoFactor: 'secret',
  confirmTwoFactor: 'recoveryCodes',
  replaceRecoveryCodes: 'recoveryCodes',
  signUp: 'userId',
  signIn: 'userId',
  whoAmI: 'userId',
  changePassword: 'userId',
  listSessions: 'data',
  forgotPassword: 'status',
  requestVerification: 'status',
  verifyEmail: 'userId',
  listPrompts: 'data',
  createPrompt: 'id',
  getPrompt: 'name',
  changePrompt: 'id',
  restorePrompt: 'id',
  savePrompts: 'data',
  listDependents: 'data',
  listJudged: 'data',
  getOverview: 'prompts',
  listVersions: 'data',
  createVersion: 'name',
  getVersion: 'name',
  moveLabel: 'name',
  listHistory: 'data',
  diffVersions: 'from',
  renderPrompt: 'name',
  previewPrompt: 'config',
  listLangfusePrompts: 'data',
  createLangfusePrompt: 'id',
  getLangfusePrompt: 'id',
  labelLangfusePrompt: 'id',
  getLangfuseProjects: 'data',
  getLangfuseHealth: 'status',
  importPrompts: 'data',
  listCases: 'data',
  createCase: 'id',
  importCases: 'data',
  changeCase: 'id',
  runPrompt: 'id',
  runDraft: 'id',
  listRuns: 'data',
  getRun: 'id',
  runChecks: 'id',
  listChecks: 'data',
  getCheck: 'id',
  listWorkspaces: 'data',
  createWorkspace: 'id',
  renameWorkspace: 'id',
  getWorkspace: 'name',
  updateWorkspace: 'name',
  listMembers: 'data',
  changeMember: 'userId',
  createServiceAccount: 'userId',
  resetServiceAccountKey: 'token',
  inviteMember: 'id',
  getInvitation: 'workspace',
  acceptInvitation: 'workspace',
  listWebhooks: 'data',
  createWebhook: 'id',
  getWebhook: 'id',
  changeWebhook: 'id',
  rotateWebhookSecret: 'id',
  testWebhook: 'id',
  listDeliveries: 'data',
  replayDelivery: 'id',
  readLangfuse: 'status',
  listModels: 'data',
  createModel: 'id',
  changeModel: 'id',
  testModel: 'ok',
  getStatistics: 'from',
  listActivity: 'data',
  health: 'status',
  readiness: 'status',
};

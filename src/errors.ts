import type { FieldError } from './contract/errors.ts';
import type { NewProposal } from './contract/proposals.ts';
import { signInProblems } from './contract/sign-in-problems.ts';
import type { Warning } from './contract/warnings.ts';

/** All errors that a caller can receive, each with its stable code, HTTP status and public text. */
const errorTable = {
  invalid_input: [400, 'Invalid input'],
  invalid_template: [400, 'The template has a syntax error'],
  invalid_json: [400, 'The body is not valid JSON'],
  invalid_url: [400, 'The URL is not valid'],
  bad_request: [400, 'The request is malformed'],
  invalid_reset_link: [400, 'This reset link is no longer valid. Request a new one.'],
  invalid_email_change_link: [400, 'This link is no longer valid. Request a new one under Settings › Profile.'],
  invalid_verification_link: [400, 'This verification link is no longer valid. Request a new one under Settings › Profile.'],
  invalid_cli_sign_in: [400, 'This sign-in is no longer valid. Start it again.'],
  unauthorized: [401, 'Unauthorized'],
  sign_in_expired: [400, signInProblems.sign_in_expired],
  sign_in_not_fresh: [400, signInProblems.sign_in_not_fresh],
  invalid_logout_token: [400, 'The logout token is not valid'],
  invalid_credentials: [401, 'Invalid email or password'],
  code_required: [401, 'Enter the code from your authenticator app'],
  invalid_code: [401, 'The code is wrong or has already been used'],
  invalid_passkey: [401, 'This passkey was not accepted. Try again, or sign in with your password.'],
  cli_sign_in_denied: [403, 'The sign-in was denied in the dashboard'],
  cross_origin: [403, 'Requests from other origins cannot make changes with a session cookie'],
  invitation_for_another_account: [403, 'This invitation is for another account'],
  verification_for_another_account: [
    403,
    'This verification link is for another account. Sign in to that account first. If you did not choose its password, reset the password instead.',
  ],
  fresh_sign_in_required: [403, 'Confirm your identity first. Sign in again, or confirm with your password or a passkey.'],
  registration_closed: [403, 'Registration is closed'],
  password_sign_in_off: [403, 'This service does not accept passwords. Sign in with a provider or a passkey.'],
  sign_in_canceled: [403, signInProblems.sign_in_canceled],
  provider_invalid: [403, signInProblems.provider_invalid],
  email_missing: [403, signInProblems.email_missing],
  email_refused: [403, signInProblems.email_refused],
  group_required: [403, signInProblems.group_required],
  groups_missing: [403, signInProblems.groups_missing],
  forbidden: [403, 'Your role in this workspace does not allow this'],
  email_not_verified: [403, 'Verify your email address first. Request a link under Settings › Profile.'],
  invalid_feedback_token: [403, 'The feedback token is invalid or has expired. Request a new token from your server.'],
  quota_exceeded: [403, 'The workspace has reached a quota'],
  metrics_forbidden: [403, 'Metrics are served only to localhost. To read them remotely, set METRICS_TOKEN.'],
  not_found: [404, 'Not found'],
  cli_sign_in_not_found: [404, 'No pending sign-in has this code. Check the code, or start the sign-in again.'],
  provider_unknown: [404, signInProblems.provider_unknown],
  workspace_not_found: [404, 'There is no such workspace, or you are not a member of it'],
  prompt_not_found: [404, 'There is no prompt with this name'],
  version_not_found: [404, 'The prompt has no such version'],
  label_not_found: [404, 'The prompt has no such label'],
  release_not_found: [404, 'The label has no release'],
  proposal_not_found: [404, 'The workspace has no such proposal'],
  comment_not_found: [404, 'The workspace has no such comment'],
  candidate_not_found: [404, 'The prompt has no such candidate'],
  case_not_found: [404, 'The prompt has no such test case'],
  check_not_found: [404, 'The prompt has no such check run'],
  run_not_found: [404, 'The prompt has no such run. Runs are kept for 30 days.'],
  member_not_found: [404, 'The workspace has no such member'],
  invitation_not_found: [404, 'This invitation is no longer valid. Ask for a new one.'],
  webhook_not_found: [404, 'The workspace has no such webhook'],
  connection_not_found: [404, 'The workspace has no such model connection'],
  delivery_not_found: [404, 'The webhook has no such delivery'],
  view_not_found: [404, 'You have no such saved view in this workspace'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'The request took too long to arrive'],
  email_already_verified: [409, 'The email address of this account is already verified'],
  name_taken: [409, 'A prompt with this name already exists'],
  view_name_taken: [409, 'You already have a saved view with this name'],
  too_many_favorites: [409, 'You have the maximum number of favorites in this workspace. Remove one first.'],
  too_many_views: [409, 'You have the maximum number of saved views in this workspace. Delete one first.'],
  prompt_changing: [409, 'The prompt changed while it was being copied. Try again.'],
  version_included: [409, 'Another prompt includes this version'],
  last_version: [409, 'This is the only version of the prompt. Delete the prompt instead.'],
  no_cases: [409, 'The prompt has no test cases yet. Add some first.'],
  release_running: [409, 'The label has a release. Finish it or roll it back first.'],
  release_ended: [409, 'The release has ended. Start a new one.'],
  approval_required: [409, 'Moving this label requires a proposal'],
  checks_required: [409, 'This label requires passing checks'],
  has_warnings: [409, 'Nothing was changed, because the request would cause warnings'],
  connection_name_taken: [409, 'A model connection with this name already exists'],
  proposal_changed: [409, 'The effect of the proposal changed in the meantime. Load the proposal again.'],
  proposal_ended: [409, 'The proposal has ended. Open a new one.'],
  proposal_not_approved: [409, 'The proposal does not have all approvals yet'],
  candidate_changed: [409, 'Someone changed the candidate in the meantime. Load it again.'],
  version_conflict: [409, 'Someone saved a newer version in the meantime'],
  key_changed: [409, 'The key was reset in the meantime'],
  identity_unlinked: [409, signInProblems.identity_unlinked],
  identity_taken: [409, signInProblems.identity_taken],
  session_changed: [409, signInProblems.session_changed],
  last_sign_in_method: [
    409,
    'This is the only way to sign in to your account. Add another way first: a password, a passkey or a provider.',
  ],
  email_taken: [409, 'An account with this email already exists'],
  owns_workspaces: [409, 'The account owns team workspaces. Transfer or delete them first.'],
  not_a_team: [409, 'This workspace belongs to an account. It cannot be transferred, and is deleted only with the account.'],
  already_member: [409, 'This person is already a member of the workspace'],
  webhook_disabled: [409, 'The webhook is disabled. Enable it first.'],
  cli_sign_in_pending: [409, 'Nobody has approved the sign-in yet'],
  passkeys_unavailable: [
    409,
    'Passkeys do not work at the address of this service, because it is an IP address. Open it as localhost, or set PUBLIC_URL.',
  ],
  passkey_exists: [409, 'This passkey is already registered'],
  too_many_passkeys: [409, 'You have the maximum number of passkeys. Remove one first.'],
  two_factor_on: [409, 'Two-factor authentication is already on'],
  two_factor_off: [409, 'Two-factor authentication is off'],
  two_factor_not_started: [409, 'Start setting up two-factor authentication first'],
  body_too_large: [413, 'The body is larger than this endpoint accepts'],
  unsupported_media_type: [415, 'Send the body as application/json'],
  missing_variables: [422, 'Variables are missing'],
  invalid_variables: [422, 'Variables do not match their declared types'],
  unresolved_partial: [422, 'An included prompt was not found'],
  render_failed: [422, 'The prompt cannot be rendered'],
  unsupported_by_model: [422, 'The protocol of the model connection does not support part of this request'],
  template_too_costly: [422, 'The template needs too much time or memory'],
  too_many_attempts: [429, 'Too many failed attempts. Try again later.'],
  rate_limited: [429, 'Too many requests with this key. Try again later.'],
  too_many_concurrent: [429, 'Too many requests of this kind at the same time. Try again shortly.'],
  budget_exceeded: [429, 'The workspace has used up its budget for today'],
  too_many_streams: [429, 'This key or workspace has too many open event streams'],
  headers_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Something went wrong on our side'],
  overloaded: [503, 'The service is busy. Try again shortly.'],
  service_stopping: [503, 'The service is stopping. Try again when it is back.'],
  run_canceled: [503, 'The run was canceled before it began'],
  checks_canceled: [503, 'The check run was canceled before all test cases had run'],
  provider_unavailable: [503, signInProblems.provider_unavailable],
  database_unavailable: [503, 'The database is unavailable. Try again shortly.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof errorTable;

/** The errors that the API reference lists. */
export const documentedErrors = Object.entries(errorTable).map(([code, [status, text]]) => ({ code, status, text }));

interface AppErrorOptions {
  /** Replaces the public text from the table. */
  text?: string;
  details?: FieldError[];
  /** The warnings that a request without `strict` would have received. */
  warnings?: Warning[];
  /** The body with which the change can be proposed. */
  proposal?: NewProposal;
  retryAfterSeconds?: number;
  /** The original error, which is logged and never sent. */
  cause?: unknown;
  /**
   * The names that the error is about, such as the names of missing variables. The statistics count these names, and they are never sent.
   */
  names?: string[];
}

/** An error that may be shown to the caller. The HTTP layer turns it into a response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: FieldError[] | undefined;
  readonly warnings: Warning[] | undefined;
  readonly proposal: NewProposal | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly names: string[];

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const [status, text] = errorTable[code];
    super(options.text ?? text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.details = options.details;
    this.warnings = options.warnings;
    this.proposal = options.proposal;
    this.names = options.names ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 || code === 'too_many_concurrent' ? 1 : undefined);
  }
}

/** Returns whether the error means that the database did not respond in time. */
export function isDatabaseUnavailable(err: unknown): err is AppError {
  return err instanceof AppError && err.code === 'database_unavailable';
}

/** Creates an `invalid_input` error for a single field. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid_input', { details: [{ path, message }] });
}

/** Describes what is wrong in one sentence. The text of an `invalid_input` error is general, so its details are used instead. */
export function reasonOf({ code, message, details }: AppError): string {
  const [field] = details ?? [];
  if (code !== 'invalid_input' || !field) return message;
  const [, variable] = /^\/variables\/([^/]+)/.exec(field.path) ?? [];
  return variable === undefined ? field.message : `${variable}: ${field.message}`;
}

export function versionNotFound(version: number): AppError {
  return new AppError('version_not_found', { text: `The prompt has no version ${version}` });
}

export function labelNotFound(label: string, { isDefault = false } = {}): AppError {
  const advice = isDefault ? ', which is the default. The label "latest" always points at the newest version.' : '';
  return new AppError('label_not_found', { text: `The prompt has no label "${label}"${advice}` });
}

/** The error for a program that cannot start. The message tells the operator what to do. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** The error for an embedded database that another process has opened. */
export class DatabaseInUseError extends StartError {
  override readonly name = 'DatabaseInUseError';
}

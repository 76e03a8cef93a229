import { PromptHarbor } from '../../client/src/client.ts';
import { ApiError, ConnectionError, PromptHarborError, TlsError } from '../../client/src/errors.ts';
import type { Workspace } from '../contract/workspaces.ts';
import { version } from '../version.ts';
import { type Input, textOf } from './command.ts';
import { readCredentials } from './credentials.ts';
import { CliError, type ExitCode, exitCodeOfStatus, exitCodes, UsageError } from './errors.ts';
import { findProject, type Project } from './files/project.ts';
import { toLine } from './terminal.ts';
import { askForTrust, isTrustedUrl } from './trusted-urls.ts';

const defaultUrl = 'http://127.0.0.1:3000';
/** The inputs of commands that may have read a response. In such a command, a TypeError may mean that the response lacks something. */
const connected = new WeakSet<Input>();

/** Creates a client. The service and the workspace come from the options, the environment, the project or the last login, in this order. */
export async function connect(input: Input, project = findProject()): Promise<PromptHarbor> {
  const workspace = findWorkspaceId(input, project);
  const baseUrl = await findUrl(input, project);
  const apiKey = (await findKey(input, baseUrl)) ?? (await confirmKey(baseUrl));
  connected.add(input);
  return new PromptHarbor({ apiKey, baseUrl, workspace });
}

/**
 * Creates a client without asking any questions. Returns undefined if there is no key for the URL, or if the user has neither named nor
 * used the URL before.
 */
export async function findConnection(input: Input, project: Project): Promise<PromptHarbor | undefined> {
  const baseUrl = await findUrl(input, project);
  const apiKey = await findKey(input, baseUrl);
  if (apiKey === undefined) return undefined;
  connected.add(input);
  return new PromptHarbor({ apiKey, baseUrl, workspace: findWorkspaceId(input, project) });
}

/** Returns the id of the workspace in which commands act, or undefined for the caller's own workspace. */
export function findWorkspaceId(input: Input, project = findProject()): string | undefined {
  return textOf(input, 'workspace') ?? (process.env.PROMPTHARBOR_WORKSPACE || project.settings?.workspace);
}

/** Returns the workspace in which the client's requests act. */
export async function getWorkspace(ph: PromptHarbor, input: Input): Promise<Workspace> {
  const id = findWorkspaceId(input);
  const { data } = await ph.workspaces.list();
  const workspace = id === undefined ? data[0] : data.find((candidate) => candidate.id === id);
  if (!workspace) throw new CliError(`The workspace ${id} does not exist, or you are not a member of it.`, exitCodes.notFound);
  return workspace;
}

/** Finds the key for a URL that the user has named or used before. */
async function findKey(input: Input, url: string): Promise<string | undefined> {
  const { PROMPTHARBOR_API_KEY: environmentKey } = process.env;
  if (environmentKey && isNamed(input)) return environmentKey;
  const { keys } = await readCredentials();
  if (Object.hasOwn(keys, url)) return keys[url];
  return url === defaultUrl || (await isTrustedUrl(url)) ? environmentKey || undefined : undefined;
}

/** Returns whether the user named the URL, with an option or in the environment. */
function isNamed(input: Input): boolean {
  return textOf(input, 'url') !== undefined || Boolean(process.env.PROMPTHARBOR_URL);
}

/**
 * Returns the key from the environment for a URL that only the project names. On a terminal, the person has to confirm first. In CI, no
 * confirmation is needed, because the person who set the key also chose the repository. In all other cases, such as a Git hook of a
 * repository that was just cloned, the command refuses to use the key.
 */
async function confirmKey(url: string): Promise<string> {
  const { PROMPTHARBOR_API_KEY: environmentKey } = process.env;
  if (!environmentKey) {
    throw new CliError(
      `There is no key for ${url}. Run "promptharbor login --url ${url}", or set PROMPTHARBOR_API_KEY.`,
      exitCodes.refused,
    );
  }
  if (process.env.CI || (process.stdin.isTTY && (await askForTrust(url, 'Send the key in PROMPTHARBOR_API_KEY there?'))))
    return environmentKey;
  throw new CliError(
    `Nothing was sent, because the address ${url} appears only in promptharbor.json. To send the key there, set PROMPTHARBOR_URL=${url}.`,
    exitCodes.usage,
  );
}

/** Finds the URL of the service, in the form under which keys are stored. */
export async function findUrl(input: Input, project = findProject()): Promise<string> {
  const given = textOf(input, 'url') ?? (process.env.PROMPTHARBOR_URL || project.settings?.url);
  return normalizeUrl(given ?? (await readCredentials()).url ?? defaultUrl);
}

/** Finds the URL for a sign-in. A project's file alone must never cause a password to be sent to a URL that the user has not named. */
export async function findSignInUrl(input: Input, ask: (question: string) => Promise<string>): Promise<string> {
  const url = await findUrl(input);
  if (isNamed(input) || url === defaultUrl || (await isTrustedUrl(url))) return url;
  if (process.stdin.isTTY && (await askForTrust(url, 'Sign in there?', ask))) return url;
  throw new UsageError(`The address ${url} appears only in promptharbor.json. If you trust it, run "promptharbor login --url ${url}".`);
}

/** Normalizes a URL. Throws if clients do not accept the URL. */
export function normalizeUrl(url: string): string {
  try {
    return new PromptHarbor({ baseUrl: url, apiKey: 'none' }).baseUrl;
  } catch {
    throw new UsageError(`"${url}" is not a valid address. Use an address such as https://prompts.example.com.`);
  }
}

/** Converts an error of the client to a sentence that says what to do, and an exit code. `input` is that of the command that failed. */
export function explainError(err: unknown, input: Input): unknown {
  if (err instanceof ApiError) return new CliError(describeApiError(err), exitCodeOfApi(err));
  if (err instanceof TlsError) return new CliError(toLine(err.message), exitCodes.unavailable);
  if (err instanceof ConnectionError)
    return new CliError(`${err.message}. Is the service running, and is the address right?`, exitCodes.unavailable);
  if (err instanceof PromptHarborError) return new CliError(toLine(err.message));
  if (err instanceof TypeError && connected.has(input)) {
    return new CliError(
      `A response lacks something that this command needs (${toLine(err.message)}). Is this the address of a PromptHarbor service of version ${version} or newer?`,
    );
  }
  return err;
}

function describeApiError({ status, code, message, details, warnings, requestId }: ApiError): string {
  if (status === 401 && code === 'unauthorized')
    return process.env.PROMPTHARBOR_API_KEY
      ? 'The key is not valid or was reset. Set PROMPTHARBOR_API_KEY to the new key, or unset it and run "promptharbor login".'
      : 'The key is not valid or was reset. Run "promptharbor login", or set PROMPTHARBOR_API_KEY.';
  if (code === 'has_warnings') {
    const rows = warnings.map(({ prompt, message: text }) => `  ${prompt === undefined ? '' : `${prompt}: `}${text}`);
    return ['Nothing was changed, because of these problems:', ...rows, 'To make the change anyway, run the command without --strict.']
      .map(toLine)
      .join('\n');
  }
  const rows = details
    .filter((detail) => detail.message !== message && !message.endsWith(detail.message))
    .map(
      ({ path, message: text, line, column }) =>
        `  ${path.replace(/^\/(items\/\d+\/?)?/, '')}${line === undefined ? '' : `:${line}:${column}`}: ${text}`,
    );
  const request = status >= 500 && requestId ? ` (request ${requestId})` : '';
  // The text is escaped, because a server may send anything, including sequences that control a terminal.
  return [`${message}${request}`, ...rows].map(toLine).join('\n');
}

function exitCodeOfApi({ status, details }: ApiError): ExitCode {
  // The invalid value may come from a file instead of the options and arguments.
  const isOfFile = status === 400 && details.some(({ path }) => /^\/(?:items|lines)\//.test(path));
  return isOfFile ? exitCodes.failed : exitCodeOfStatus(status);
}

import { setTimeout as delay } from 'node:timers/promises';
import { readChunks } from '../../../client/src/http/read-text.ts';
import { parseRetryAfter } from '../../../client/src/http/timing.ts';
import { CliError, exitCodes, messageOf } from '../errors.ts';
import { toLine } from '../terminal.ts';

/** A prompt in the list of Langfuse. */
export interface LangfuseListed {
  name: string;
  type: string;
  /** In ascending order. */
  versions: number[];
  tags: string[];
  lastUpdatedAt: string;
}

/** A version as Langfuse has it. Anything may be in it: the server is not ours. */
export interface LangfuseVersion {
  version: number;
  type: string;
  prompt: unknown;
  config: unknown;
  labels: string[];
  commitMessage: string | null;
  createdAt: string;
  createdBy: string | null;
}

export type LangfuseSource = ReturnType<typeof createLangfuseSource>;

/** A version that cannot be read, also not by trying again. The others can. */
export class UnreadableVersion extends Error {}

const pageLimit = 100;
/** The maximum length of the whole list as JSON: the server is not ours, and may go on without end. */
const maxListLength = 64 * 1024 * 1024;
const maxBodyBytes = 64 * 1024 * 1024;
const attempts = 5;
const timeoutMs = 60_000;
const maxDelayMs = 60_000;

/** Reads a project through Langfuse's API, with patience: its cloud limits requests. */
export function createLangfuseSource({ url, publicKey, secretKey }: { url: string; publicKey: string; secretKey: string }) {
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`;

  async function request(path: string, missing?: Error): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await tryRequest(`${url}${path}`, authorization);
      if ('status' in result && result.status === 404 && missing) throw missing;
      if ('body' in result) return result.body;
      if (attempt === attempts || !result.isTemporary) throw result.error;
      await delay(Math.min(maxDelayMs, result.retryAfterMs ?? 500 * 2 ** attempt));
    }
  }

  return {
    async listPrompts(): Promise<LangfuseListed[]> {
      const prompts = new Map<string, LangfuseListed>();
      let length = 0;
      for (let page = 1; ; page += 1) {
        const { data, meta } = asObject(await request(`/api/public/v2/prompts?page=${page}&limit=${pageLimit}`));
        if (!Array.isArray(data)) throw notLangfuse(url);
        length += JSON.stringify(data).length;
        if (length > maxListLength) throw new CliError(`${toLine(url)} lists prompts without end.`);
        const known = prompts.size;
        for (const item of data) {
          const prompt = toListed(asObject(item), url);
          // One that was moved to the next page by a change in between is there twice.
          prompts.set(prompt.name, prompt);
        }
        if (data.length > 0 && prompts.size === known) throw new CliError(`${toLine(url)} lists the same prompts again and again.`);
        // A full page may be followed by another one, whatever the total says.
        const isLast = data.length < pageLimit && page >= Number(asObject(meta).totalPages ?? page);
        if (data.length === 0 || isLast) return [...prompts.values()];
      }
    },

    /** Throws an UnreadableVersion if Langfuse lists it, but does not have it. */
    async getVersion(name: string, version: number): Promise<LangfuseVersion> {
      // Not resolved: included prompts stay included.
      const path = `/api/public/v2/prompts/${encodeURIComponent(name)}?version=${version}&resolve=false`;
      const body = asObject(await request(path, new UnreadableVersion(`Langfuse lists version ${version}, and responds with 404 to it`)));
      const { type, prompt, config = {}, labels, commitMessage, createdAt, createdBy } = body;
      if (body.version !== version || prompt === undefined) {
        throw new UnreadableVersion(`Langfuse responds with something else than version ${version}`);
      }
      return {
        version,
        type: String(type),
        prompt,
        config,
        labels: textsOf(labels),
        commitMessage: typeof commitMessage === 'string' ? commitMessage : null,
        createdAt: String(createdAt),
        createdBy: typeof createdBy === 'string' ? createdBy : null,
      };
    },
  };
}

type Result = { body: unknown } | { error: CliError; isTemporary: boolean; status?: number; retryAfterMs?: number | undefined };

async function tryRequest(url: string, authorization: string): Promise<Result> {
  const headers = { authorization, accept: 'application/json' };
  try {
    // A redirect would send the key to where it leads.
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return { body: JSON.parse(await readText(response)) as unknown };
    await response.body?.cancel();
    const { status } = response;
    return {
      error: describeStatus(response, url),
      isTemporary: status === 429 || status >= 500,
      status,
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    };
  } catch (err) {
    if (err instanceof CliError) return { error: err, isTemporary: false };
    if (err instanceof SyntaxError) return { error: notLangfuse(url), isTemporary: false };
    const text = messageOf(err);
    return { error: unavailable(`Langfuse cannot be reached: ${toLine(text)}.`), isTemporary: true };
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(response.body)) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new CliError(`Langfuse responds with more than ${maxBodyBytes / 1024 / 1024} MiB to one request.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeStatus({ status, headers }: Response, url: string): CliError {
  if (status === 401 || status === 403) return new CliError('Langfuse does not accept the keys.', exitCodes.refused);
  if (status >= 500 || status === 429) return unavailable(`Langfuse responds with ${status}.`);
  const location = headers.get('location');
  if (location) return new CliError(`Langfuse redirects to ${toLine(location)}. Give the address that it has there.`);
  return new CliError(`Langfuse responds with ${status} to ${toLine(url)}.`);
}

function unavailable(text: string): CliError {
  return new CliError(`${text} What was imported stays; run the command again to go on.`, exitCodes.unavailable);
}

function notLangfuse(url: string): CliError {
  return new CliError(`${toLine(url)} does not respond as Langfuse does.`);
}

function toListed({ name, type, versions, tags, lastUpdatedAt }: Record<string, unknown>, url: string): LangfuseListed {
  if (typeof name !== 'string' || !Array.isArray(versions)) throw notLangfuse(url);
  const numbers = new Set(versions.filter((version): version is number => Number.isInteger(version) && version > 0));
  return {
    name,
    type: String(type),
    versions: [...numbers].sort((one, other) => one - other),
    tags: textsOf(tags),
    lastUpdatedAt: String(lastUpdatedAt),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

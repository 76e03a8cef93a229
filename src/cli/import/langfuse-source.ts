import { setTimeout as delay } from 'node:timers/promises';
import { CliError, exitCodes } from '../errors.ts';
import { toLine } from '../terminal.ts';

/** A prompt in the list of Langfuse. */
export interface LangfuseListed {
  name: string;
  type: string;
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

export interface LangfuseSource {
  listPrompts(): Promise<LangfuseListed[]>;
  getVersion(name: string, version: number): Promise<LangfuseVersion>;
}

const pageLimit = 100;
const maxPages = 10_000;
const attempts = 5;
const timeoutMs = 60_000;
const maxDelayMs = 60_000;

/** Reads a project through Langfuse's API, with patience: its cloud limits requests. */
export function createLangfuseSource({ url, publicKey, secretKey }: { url: string; publicKey: string; secretKey: string }): LangfuseSource {
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`;

  async function request(path: string): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await tryRequest(`${url}${path}`, authorization);
      if ('body' in result) return result.body;
      if (attempt === attempts || !result.isTemporary) throw result.error;
      await delay(Math.min(maxDelayMs, result.retryAfterMs ?? 500 * 2 ** attempt));
    }
  }

  return {
    async listPrompts() {
      const prompts: LangfuseListed[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const { data, meta } = asObject(await request(`/api/public/v2/prompts?page=${page}&limit=${pageLimit}`));
        if (!Array.isArray(data)) throw notLangfuse(url);
        prompts.push(...data.map((item) => toListed(asObject(item), url)));
        if (data.length === 0 || page >= Number(asObject(meta).totalPages ?? page)) return prompts;
      }
      throw notLangfuse(url);
    },

    async getVersion(name, version) {
      // Not resolved: included prompts stay included.
      const body = asObject(await request(`/api/public/v2/prompts/${encodeURIComponent(name)}?version=${version}&resolve=false`));
      const { type, prompt, config = {}, labels, commitMessage, createdAt, createdBy } = body;
      if (body.version !== version || prompt === undefined) throw notLangfuse(url);
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

type Result = { body: unknown } | { error: CliError; isTemporary: boolean; retryAfterMs?: number };

async function tryRequest(url: string, authorization: string): Promise<Result> {
  const headers = { authorization, accept: 'application/json' };
  try {
    // A redirect would send the key to where it leads.
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return { body: await response.json() };
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      error: describeStatus(response.status, url),
      isTemporary: response.status === 429 || response.status >= 500,
      ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1000 }),
    };
  } catch (err) {
    if (err instanceof SyntaxError) return { error: notLangfuse(url), isTemporary: false };
    const text = err instanceof Error ? err.message : String(err);
    return { error: unavailable(`Langfuse cannot be reached: ${text}`), isTemporary: true };
  }
}

function describeStatus(status: number, url: string): CliError {
  if (status === 401 || status === 403) return new CliError('Langfuse does not accept the keys.', exitCodes.refused);
  if (status >= 500 || status === 429) return unavailable(`Langfuse responds with ${status}.`);
  return new CliError(`Langfuse responds with ${status} to ${toLine(url)}.`);
}

function unavailable(text: string): CliError {
  return new CliError(`${text} What was imported stays; run the command again to go on.`, exitCodes.unavailable);
}

function notLangfuse(url: string): CliError {
  return new CliError(`${toLine(url)} does not respond as Langfuse does.`);
}

function toListed({ name, type, versions, tags, lastUpdatedAt }: Record<string, unknown>, url: string): LangfuseListed {
  const numbers = Array.isArray(versions) ? versions.filter((version) => Number.isInteger(version) && version > 0) : [];
  if (typeof name !== 'string' || numbers.length === 0) throw notLangfuse(url);
  return { name, type: String(type), versions: numbers, tags: textsOf(tags), lastUpdatedAt: String(lastUpdatedAt) };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

import { setTimeout as delay } from 'node:timers/promises';
import { readChunks } from '../../../client/src/http/read-text.ts';
import { parseRetryAfter } from '../../../client/src/http/timing.ts';
import { describeTlsProblem } from '../../../client/src/http/tls.ts';
import { createLangfuseReader, type LangfuseSource } from '../../formats/langfuse-prompts.ts';
import { CliError, exitCodes, messageOf } from '../errors.ts';
import { toLine } from '../terminal.ts';

const pageLimit = 100;
const maxBodyBytes = 64 * 1024 * 1024;
const attempts = 5;
const timeoutMs = 60_000;
const maxDelayMs = 60_000;

export interface LangfuseSettings {
  url: string;
  publicKey: string;
  secretKey: string;
}

/** Reads a project through Langfuse's API. Retries requests, because Langfuse's cloud limits their rate. */
export function createLangfuseSource({ url, publicKey, secretKey }: LangfuseSettings): LangfuseSource {
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`;

  async function request(path: string, mayBeMissing = false): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await tryRequest(`${url}${path}`, authorization);
      if ('status' in result && result.status === 404 && mayBeMissing) return undefined;
      if ('body' in result) return result.body;
      if (attempt === attempts || !result.isTemporary) throw result.error;
      await delay(Math.min(maxDelayMs, result.retryAfterMs ?? 500 * 2 ** attempt));
    }
  }

  return createLangfuseReader({
    pageLimit,
    readPage: (page) => request(`/api/public/v2/prompts?page=${page}&limit=${pageLimit}`),
    // The server is asked not to resolve prompts, so that includes remain includes.
    readVersion: (name, version) => request(`/api/public/v2/prompts/${encodeURIComponent(name)}?version=${version}&resolve=false`, true),
  });
}

type Result = { body: unknown } | { error: CliError; isTemporary: boolean; status?: number; retryAfterMs?: number | undefined };

async function tryRequest(url: string, authorization: string): Promise<Result> {
  const headers = { authorization, accept: 'application/json' };
  try {
    // Redirects are not followed, because they could send the key to another server.
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
    const tlsProblem = describeTlsProblem(err, new URL(url).origin);
    if (tlsProblem !== undefined) return { error: new CliError(toLine(tlsProblem), exitCodes.unavailable), isTemporary: false };
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
    if (bytes > maxBodyBytes) throw new CliError(`Langfuse sent more than ${maxBodyBytes / 1024 / 1024} MiB in one response.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeStatus({ status, headers }: Response, url: string): CliError {
  if (status === 401 || status === 403) return new CliError('Langfuse rejected the keys.', exitCodes.refused);
  if (status >= 500 || status === 429) return unavailable(`Langfuse responded with ${status}.`);
  const location = headers.get('location');
  if (location) return new CliError(`Langfuse redirects to ${toLine(location)}. Use that address.`);
  return new CliError(`Langfuse responded with ${status} to ${toLine(url)}.`);
}

function unavailable(text: string): CliError {
  return new CliError(`${text} The prompts imported so far are kept. Run the command again to continue.`, exitCodes.unavailable);
}

function notLangfuse(url: string): CliError {
  return new CliError(`${toLine(url)} does not respond like Langfuse.`);
}

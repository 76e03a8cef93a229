import { once } from 'node:events';
import type { LangfuseRead, LangfuseResponse } from '../../contract/langfuse-import.ts';
import { invalidField } from '../../errors.ts';
import type { FairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { Actor } from '../actor.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

export interface WithLangfuseReads {
  /** The queue for reads. It is needed because each read waits for a server that may be slow. */
  langfuseReads: FairQueue;
}

const timeoutMs = 30_000;
const pageLimit = 50;

/**
 * Reads one page or one version from a Langfuse server that the user names. The server's keys are used for this request only. Errors
 * describe the problem without repeating what the server sent. Abort the signal to end the read, and in any case after the response has
 * been sent.
 */
export async function readLangfuse(
  ctx: WithOutbound & WithLangfuseReads,
  { workspaceId }: Actor,
  read: LangfuseRead,
  signal: AbortSignal,
): Promise<LangfuseResponse> {
  const url = toUrl(read);
  const authorization = `Basic ${Buffer.from(`${read.publicKey}:${read.secretKey}`).toString('base64')}`;
  const request = { workspaceId, url: url.href, method: 'GET' as const, headers: { authorization, accept: 'application/json' }, timeoutMs };
  const { promise, resolve, reject } = Promise.withResolvers<LangfuseResponse>();
  const readAndHold = async () => {
    signal.throwIfAborted();
    resolve(await readResponse(ctx, request, signal));
    // The response may be large, so the slot is held until it is sent.
    if (!signal.aborted) await once(signal, 'abort');
  };
  ctx.langfuseReads.run(workspaceId, readAndHold).catch(reject);
  return promise;
}

async function readResponse(
  { outbound }: WithOutbound,
  request: Parameters<WithOutbound['outbound']['readJson']>[0],
  signal: AbortSignal,
): Promise<LangfuseResponse> {
  try {
    const { status, retryAfter = null, json = null } = await outbound.readJson(request, signal);
    return { status, body: json, retryAfter, problem: describeStatus(status, new URL(request.url).host) };
  } catch (err) {
    if (err instanceof OutboundError) return { status: 0, body: null, retryAfter: null, problem: `${err.message}.` };
    throw err;
  }
}

function toUrl({ url: text, page, name, version }: LangfuseRead): URL {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField('/url', 'Use an address such as https://cloud.langfuse.com');
  if (url.username || url.password) throw invalidField('/url', 'Use an address without a user name and password');
  if ((page === undefined) === (name === undefined || version === undefined)) {
    throw invalidField('/page', 'Send either a page, or a name and a version');
  }
  if (name !== undefined && (!name.isWellFormed() || name === '.' || name === '..')) throw invalidField('/name', 'Not a valid prompt name');
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/public/v2/prompts${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
  // The server is asked not to resolve prompts, so that includes remain includes.
  url.search = name === undefined ? `?page=${page}&limit=${pageLimit}` : `?version=${version}&resolve=false`;
  return url;
}

function describeStatus(status: number, host: string): string | null {
  if (status === 200 || status === 404) return status === 200 ? null : `${host} responded with 404. Is it the address of Langfuse?`;
  if (status === 401 || status === 403) return `${host} rejected the keys.`;
  if (status >= 300 && status < 400) return `${host} redirects to another address. Enter that address.`;
  return `${host} responded with ${status}.`;
}

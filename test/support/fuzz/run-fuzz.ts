import { Agent, request } from 'node:http';
import { type ApiResponse, call, signIn, type TestAccount } from '../client.ts';
import type { Random } from '../random.ts';
import { malform, sendBytes } from './raw-request.ts';
import { type FuzzRequest, fuzzRequests } from './requests.ts';

export interface FuzzResult {
  /** How often each status was received. `none` means that the service closed the connection. */
  statuses: Record<string, number>;
  /** The violations, each with its request. */
  problems: string[];
}

interface FuzzPlan {
  url: string;
  account: TestAccount;
  /** The cookie of the account's session. */
  cookie: string;
  /** Text that no response may contain, because the account may not see it. */
  hidden: string;
  count: number;
  random: Random;
  senders?: number;
  onProgress?(done: number): void;
  /** Whether to stop early. */
  isOver?(): boolean;
}

const giveUpMs = 60_000;
const maxProblems = 30;
/** One in this many requests is not valid HTTP. */
const requestsPerMalformed = 40;
/** Matches text that contains the name of a library, a stack trace or a query. */
const internals = /node_modules|\bat .{1,200}(?:\.[cm]?[jt]s|node:\S{1,100}):\d+:\d+|SQLITE_|TypeError|RangeError|FST_ERR|ERR_[A-Z]+_/;

/**
 * Sends malformed and mutated requests, several at a time. A response must not have a 5xx status other than 503, and must not show
 * internals.
 */
export async function runFuzz({
  url,
  account,
  cookie,
  hidden,
  count,
  random,
  senders = 8,
  onProgress,
  isOver,
}: FuzzPlan): Promise<FuzzResult> {
  const statuses: Record<string, number> = {};
  const problems: string[] = [];
  const pool = createPool(random);
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  const credentials = { key: account.token, cookie };
  const lines = await prepare({ url }, account, pool);
  const requests = fuzzRequests({ random, known: pool.find, lines });
  let sent = 0;
  let signingIn: Promise<string> | undefined;

  async function sendOne(): Promise<void> {
    const fuzzRequest = requests.next().value;
    const bytes = random.below(requestsPerMalformed) === 0 ? malform(fuzzRequest, random) : undefined;
    const response = bytes ? await sendMalformed({ url }, bytes) : await send({ url, agent, credentials, request: fuzzRequest });
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    const problem = findProblem(response, hidden);
    if (problem !== undefined) problems.push(`${problem}\n    ${bytes ? JSON.stringify(bytes.toString('latin1')) : describe(fuzzRequest)}`);
    if (bytes) return;
    if (isSuccess(response)) pool.learn(response.text);
    await renew(fuzzRequest, response);
  }

  /** Replaces a session that was ended or a key that was reset by a request. Otherwise, all later responses would be 401. */
  async function renew({ actor, path, method, headers }: FuzzRequest, { status, text }: FuzzResponse): Promise<void> {
    if (method === 'DELETE' && path.startsWith('/api/auth/token') && status === 200) {
      credentials.key = /ph_[0-9a-f]{64}/.exec(text)?.[0] ?? credentials.key;
    }
    if (actor === 'session' && !('cookie' in headers) && (status === 401 || path.startsWith('/api/session/sign-out'))) {
      signingIn ??= signIn({ url }, account)
        .catch(() => credentials.cookie)
        .finally(() => {
          signingIn = undefined;
        });
      credentials.cookie = await signingIn;
    }
  }

  const work = async () => {
    while (sent < count && problems.length < maxProblems && !isOver?.()) {
      sent += 1;
      await sendOne();
      if (sent % 100 === 0) onProgress?.(sent);
    }
  };
  await Promise.all(Array.from({ length: senders }, work));
  agent.destroy();
  return { statuses, problems };
}

interface FuzzResponse {
  status: number | 'none' | 'timeout';
  type: string;
  text: string;
}

async function sendMalformed(service: { url: string }, bytes: Buffer): Promise<FuzzResponse> {
  const text = await sendBytes(service, bytes);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return { status: status === undefined ? 'none' : Number(status), type: '', text };
}

interface Sending {
  url: string;
  agent: Agent;
  credentials: { key: string; cookie: string };
  request: FuzzRequest;
}

function send({ url, agent, credentials, request: { method, path, headers, body, actor } }: Sending): Promise<FuzzResponse> {
  const { promise, resolve } = Promise.withResolvers<FuzzResponse>();
  const own = {
    key: { authorization: `Bearer ${credentials.key}` },
    session: { cookie: credentials.cookie, origin: url },
    nobody: {},
  }[actor];
  const { hostname, port } = new URL(url);
  const sent = request(
    { hostname, port, method, path, agent, headers: { ...own, ...headers, ...(body && { 'content-length': body.length }) } },
    (res) => {
      const status = res.statusCode ?? 0;
      const type = res.headers['content-type'] ?? '';
      let text = '';
      res.setEncoding('utf8');
      const end = () => resolve({ status, type, text });
      res.on('data', (chunk: string) => {
        text += chunk;
        // An event stream does not end.
        if (type.startsWith('text/event-stream')) res.destroy();
      });
      res.on('end', end).on('close', end).on('error', end);
    },
  );
  sent.setTimeout(giveUpMs, () => {
    resolve({ status: 'timeout', type: '', text: '' });
    sent.destroy();
  });
  sent.on('error', () => resolve({ status: 'none', type: '', text: '' }));
  sent.end(body);
  return promise;
}

function findProblem({ status, text }: FuzzResponse, hidden: string): string | undefined {
  if (status === 'timeout') return `No response within ${giveUpMs} ms`;
  if (typeof status === 'number' && status >= 500 && status !== 503) return `${status} ${text}`;
  if (text.includes(hidden)) return `It shows what belongs to another account: ${status} ${text.slice(0, 300)}`;
  const shown = typeof status === 'number' && status >= 400 ? internals.exec(text)?.[0] : undefined;
  return shown === undefined ? undefined : `It shows ${shown}: ${status} ${text.slice(0, 300)}`;
}

/** Describes a request completely, so that it can be repeated. */
function describe({ method, path, headers, body, actor }: FuzzRequest): string {
  const text = body?.toString('latin1') ?? '';
  return JSON.stringify({
    method,
    path,
    headers,
    actor,
    body: text.length > 1500 ? `${text.slice(0, 1500)}… (${text.length} bytes)` : text,
  });
}

function isSuccess({ status, type }: FuzzResponse): boolean {
  return typeof status === 'number' && status < 300 && type.startsWith('application/json');
}

/** Values from earlier responses by field name, so that requests refer to things that exist. */
interface Pool {
  learn(text: string): void;
  find(name: string): string | undefined;
}

const poolSize = 200;
const learned = /"(id|name|userId|deliveryId|version|label|tag|folder|cursor|nextCursor)":"?([^",}\\]{1,200})/g;

function createPool(random: Random): Pool {
  const texts = new Map<string, string[]>([
    ['label', ['production', 'staging', 'latest']],
    ['version', ['1', '2']],
    ['token', ['nothing']],
  ]);
  return {
    learn(text) {
      for (const [, name = '', value = ''] of text.slice(0, 20_000).matchAll(learned)) {
        const key = name === 'nextCursor' ? 'cursor' : name;
        const known = texts.get(key) ?? [];
        texts.set(key, known);
        if (known.length < poolSize) known.push(value);
        else known[random.below(poolSize)] = value;
      }
    },
    find(name) {
      const known = texts.get(name);
      return known && known.length > 0 ? random.pick(known) : undefined;
    },
  };
}

/** Fills the workspace and returns the lines of its export. */
async function prepare(service: { url: string }, { token: key }: TestAccount, pool: Pool): Promise<string[]> {
  const send = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    call(service, method, path, { key, ...(body !== undefined && { body }) });
  await send('POST', '/api/prompts', { name: 'support/reply', template: 'Hello {{ name }}', tags: ['a'], labels: ['production'] });
  await send('POST', '/api/prompts', { name: 'agent', messages: [{ role: 'user', content: '{{ x }}' }, { placeholder: 'history' }] });
  await send('POST', '/api/prompts/agent/versions', { messages: [{ role: 'user', content: 'Hi' }], labels: ['staging'] });
  await send('POST', '/api/prompts/agent/cases', { name: 'A case', checks: [{ kind: 'contains', value: 'Hi' }] });
  await send('POST', '/api/webhooks', { url: 'https://nowhere.invalid/', enabled: false });
  await send('POST', '/api/models', { name: 'Nobody', baseUrl: 'https://nowhere.invalid/', models: ['a'] });
  await send('POST', '/api/members/service-accounts', { name: 'A program', role: 'editor' });
  for (const path of ['prompts', 'webhooks', 'models', 'members', 'prompts/agent/cases'])
    pool.learn((await send('GET', `/api/${path}`)).text);
  return (await send('GET', '/api/export')).text.trim().split('\n');
}

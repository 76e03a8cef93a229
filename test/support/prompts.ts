// This must be the first import, because it has to run before the service's own modules.
import './cheap-hashes.ts';
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Variable } from '../../src/contract/variables.ts';
import { newKey } from '../../src/domain/accounts/keys.ts';
import { hashPassword } from '../../src/domain/accounts/passwords.ts';
import { newId } from '../../src/domain/ids.ts';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import { type ApiResponse, call, type RequestOptions, type TestAccount } from './client.ts';
import { engines } from './engines.ts';
import { type Service, startService } from './service.ts';

export interface VersionBody {
  name: string;
  type: 'text' | 'chat';
  version: number;
  labels: string[];
  syntax: 'liquid' | 'mustache';
  template?: string;
  messages?: unknown[];
  variables: Variable[];
  config: unknown;
  message: string;
  createdAt: string;
  by: PersonBody;
  warnings?: { code: string; message: string }[];
}

export interface PersonBody {
  userId: string;
  name: string;
  via?: 'api' | 'dashboard';
}

export interface PromptBody {
  id: string;
  name: string;
  type: 'text' | 'chat';
  description: string;
  tags: string[];
  latestVersion: number;
  labels: Record<string, number>;
  deletedVersions?: number[];
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  deletedBy?: PersonBody;
  version?: VersionBody | null;
  warnings?: { code: string; message: string }[];
}

export interface ListBody<T = PromptBody> {
  data: T[];
  nextCursor: string | null;
}

export interface ErrorBody {
  error: string;
  code: string;
  details?: { path: string; message: string; line?: number; column?: number }[];
}

/** An account of a running service, with methods that call the prompt endpoints. */
export interface Client extends TestAccount {
  service: Service;
  call(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse>;
  /** Sends a GET request and returns the body. Throws unless the request succeeds. */
  get<T>(path: string): Promise<T>;
  create(input: Record<string, unknown>): Promise<PromptBody & { version: VersionBody }>;
  save(name: string, input: Record<string, unknown>): Promise<VersionBody>;
  label(name: string, label: string, version: number): Promise<ApiResponse>;
  render(name: string, body: Record<string, unknown>): Promise<ApiResponse>;
}

const passwordHash = await hashPassword('a long enough password');

/**
 * Creates an account with a verified address, so that tests do not see each other's prompts. The account is inserted into the store,
 * because hashing a password is slow.
 */
export async function newClient(service: Service, existing?: TestAccount, always: RequestOptions = {}): Promise<Client> {
  return clientOf(service, existing ?? (await insertAccount(service)), always);
}

/** Returns a client for an existing account. */
export function clientOf(service: Service, account: TestAccount, always: RequestOptions = {}): Client {
  const request = (method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<ApiResponse> =>
    call(service, method, path, { ...always, key: account.token, ...(body !== undefined && { body }), ...options });
  const expect = async (status: number, method: string, path: string, body?: unknown) => {
    const response = await request(method, path, body);
    assert.equal(response.status, status, `${method} ${path}: ${response.text}`);
    return response;
  };
  return {
    ...account,
    service,
    call: request,
    get: async <T>(path: string) => (await expect(200, 'GET', path)).body as T,
    create: async (input) => (await expect(201, 'POST', '/api/prompts', input)).body as PromptBody & { version: VersionBody },
    save: async (name, input) => (await expect(201, 'POST', pathOf(name, '/versions'), input)).body as VersionBody,
    label: (name, label, version) => expect(200, 'PUT', pathOf(name, `/labels/${label}`), { version }),
    render: (name, body) => request('POST', pathOf(name, '/render'), body),
  };
}

async function insertAccount({ ctx }: Service): Promise<TestAccount> {
  const userId = newId('u');
  const token = newKey();
  const email = `${userId}@example.com`;
  const sealed = { keyDigest: digestKey(token), keyCipher: ctx.keyring.seal(token, userId) };
  assert.ok(await ctx.store.accounts.insert({ id: userId, email, name: 'Test', passwordHash, provedBy: 'mail', ...sealed }));
  return { email, password: 'a long enough password', token, userId };
}

/** Returns the path of a prompt, whose name is one segment. */
export function pathOf(name: string, rest = ''): string {
  return `/api/prompts/${encodeURIComponent(name)}${rest}`;
}

const maxPages = 1000;

/** Reads all pages of a list, one at a time. */
export async function readAll<T>(
  client: Client,
  path: string,
  onPage: (page: ListBody<T>) => Promise<void> = async () => {},
): Promise<T[]> {
  const items: T[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    pages += 1;
    assert.ok(pages <= maxPages, `${path} has more than ${maxPages} pages`);
    const page: ListBody<T> = await client.get(cursor === '' ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
    items.push(...page.data);
    await onPage(page);
    cursor = page.nextCursor;
  }
  return items;
}

/** Asserts the status and the code of an error response, and the fields that the error names. */
export function assertRefused(response: ApiResponse, status: number, code: string, ...paths: string[]): ErrorBody {
  assert.equal(response.status, status, response.text);
  const body = response.body as ErrorBody;
  assert.equal(body.code, code, response.text);
  assert.ok(body.error.length > 0);
  if (paths.length > 0) assert.deepEqual([...new Set(body.details?.map(({ path }) => path))], paths, response.text);
  return body;
}

/** Runs a suite once on each engine, each time with a new service. */
export function describeOnEveryEngine(
  title: string,
  define: (service: () => Service) => void,
  { env = {}, on = engines }: { env?: Record<string, string>; on?: typeof engines } = {},
): void {
  for (const engine of on) {
    describe(`${title} (${engine.name})`, () => {
      let service: Service | undefined;
      before(async () => {
        service = await startService({ engine, env });
      });
      after(() => service?.close());
      define(() => {
        assert.ok(service, 'The service starts before the first test, not while tests are declared');
        return service;
      });
    });
  }
}

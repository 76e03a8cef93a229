import { setTimeout as delay } from 'node:timers/promises';
import { type APIRequestContext, type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { maxBatchItems } from '../../../src/contract/limits.ts';
import { type Service, startService } from './service.ts';

export interface Account {
  email: string;
  password: string;
  token: string;
  userId: string;
}

interface TestFixtures {
  /** The service of this test, by default the one that the worker's tests share. */
  service: Service;
  /** Allows responses with a 4xx status, which browsers log as errors. Set with `test.use`. */
  allows4xx: boolean;
  /** A new account for this test. */
  account: Account;
  /** The REST API with the key of that account. */
  api: Api;
  /** A page where that account is signed in. */
  signedIn: Page;
  watch: undefined;
}

/**
 * All spec files share the same worker fixtures, because Playwright starts a new worker, with its own browser, for each set of worker
 * fixtures.
 */
interface WorkerFixtures {
  /** A service that may connect to this machine. */
  sharedService: Service;
  patience: undefined;
}

let accounts = 0;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  sharedService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
    async ({}, use) => {
      const service = await startService({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
      // The first account of a server is a special case, on which not every test should depend.
      const first = { email: 'first@example.com', password: 'a long enough password' };
      await fetch(`${service.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(first),
      });
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  service: async ({ sharedService }, use) => use(sharedService),
  baseURL: async ({ service }, use) => use(service.url),

  /** On a busy machine the service sheds load. A request that gets 503 has changed nothing, so all requests of tests are repeated. */
  patience: [
    async ({ playwright }, use) => {
      const request = await playwright.request.newContext();
      // All request contexts, including those of browsers, have the methods of this prototype.
      const methods: APIRequestContext = Object.getPrototypeOf(request);
      const send = methods.fetch;
      methods.fetch = async function <T>(this: APIRequestContext, ...sent: Parameters<APIRequestContext['fetch']>) {
        for (;;) {
          const response = await (send<T>).apply(this, sent);
          if (response.status() !== 503) return response;
          await delay(1000);
        }
      };
      await request.dispose();
      await use(undefined);
    },
    { scope: 'worker', auto: true },
  ],
  allows4xx: [false, { option: true }],

  /** Fails the test if its pages log an error, throw, or send a request to another host. */
  watch: [
    async ({ context, service, allows4xx }, use) => {
      const problems: string[] = [];
      context.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return;
        const status = /Failed to load resource.*status of (\d+)/.exec(message.text())?.[1];
        if (allows4xx && status?.startsWith('4')) return;
        // On a busy machine the service sheds load, and the dashboard retries.
        if (status === '503') return;
        problems.push(`${message.type()}: ${message.text()}`);
      });
      context.on('weberror', (error) => problems.push(`thrown: ${error.error().message}`));
      context.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== service.url) problems.push(`request to ${origin}`);
      });
      await use(undefined);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],

  account: async ({ service, playwright }, use) => {
    accounts += 1;
    const request = await playwright.request.newContext({ baseURL: service.url });
    const email = `person${accounts}-${process.pid}@example.com`;
    const password = 'a long enough password';
    const response = await request.post('/api/auth/register', { data: { email, password, name: 'Ada Lovelace' } });
    expect(response.status()).toBe(201);
    const { token, userId } = (await response.json()) as { token: string; userId: string };
    await use({ email, password, token, userId });
    await request.dispose();
  },

  api: async ({ account, playwright, service }, use) => {
    const request = await playwright.request.newContext({
      baseURL: service.url,
      extraHTTPHeaders: { authorization: `Bearer ${account.token}` },
    });
    await use(createApi(request));
    await request.dispose();
  },

  signedIn: async ({ page, account, service }, use) => {
    const data = { email: account.email, password: account.password };
    const response = await page.request.post('/api/session/sign-in/email', { data, headers: { origin: service.url } });
    expect(response.status()).toBe(200);
    await use(page);
  },
});

export type Api = ReturnType<typeof createApi>;

function createApi(request: APIRequestContext) {
  const path = (name: string, rest = '') => `/api/prompts/${encodeURIComponent(name)}${rest}`;
  return {
    request,
    path,
    async createPrompt(name: string, content: object = { template: 'Hello {{ name }}.' }) {
      const response = await request.post('/api/prompts', { data: { name, ...content } });
      expect(response.status()).toBe(201);
    },
    async createPrompts(names: string[]) {
      for (let start = 0; start < names.length; start += maxBatchItems) {
        const items = names.slice(start, start + maxBatchItems).map((name) => ({ name, template: 'x' }));
        const response = await request.post('/api/prompts/batch', { data: { items } });
        expect(response.status()).toBe(200);
      }
    },
    /** Waits until the calls of a prompt are counted, which takes about a second. */
    async untilCalled(name: string, calls: number) {
      const count = async () => {
        const response = await request.get('/api/prompts', { params: { include: 'usage', name } });
        const { data } = (await response.json()) as { data: { usage: { callsLast24Hours: number } }[] };
        return data[0]?.usage.callsLast24Hours;
      };
      await expect.poll(count).toBe(calls);
    },
    async saveVersion(name: string, data: object) {
      const response = await request.post(path(name, '/versions'), { data });
      expect(response.status()).toBe(201);
    },
    /** The version in production. */
    async fetchPrompt(name: string) {
      const response = await request.get(path(name));
      expect(response.status()).toBe(200);
      return (await response.json()) as { version: number; template: string; config: Record<string, unknown>; messages?: unknown[] };
    },
  };
}

/** Replaces the content of a CodeMirror editor by typing. */
export async function write(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label, exact: true });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

/**
 * Opens a page and waits until it receives live updates. A page does not notice what others change after it has loaded and before its
 * stream of events is open.
 */
export async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse(/\/api\/events(\?|$)/);
  await page.goto(path);
  await stream;
  // A change that is made before the page has loaded its data is not announced.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[role=status]:has-text("Loading")')).toHaveCount(0);
}

/** Expects that nothing is wider than the screen. Charts and editors follow the width of the page a moment later. */
export async function expectNoSidewaysScroll(page: Page, where?: string): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(excess, where).toBeLessThanOrEqual(0);
}

/**
 * Turns live updates off, for tests that wait until a page is idle, which never happens with an open event stream. The script waits for the
 * stream forever. A route would do the same, but turns off the browser's cache, so that each page takes twice the CPU time.
 */
export async function withoutLiveUpdates({ context }: { context: BrowserContext }): Promise<void> {
  await context.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (input, init) => (/\/api\/events(?:\?|$)/.test(String(input)) ? new Promise(() => {}) : send(input, init));
  });
}

/** Tests in one browser share the clipboard, so text copied by an earlier test must not count as the result. */
export async function emptyClipboard(page: Page): Promise<void> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
}

export async function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

export { expect };

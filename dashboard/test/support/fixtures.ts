import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test';
import { type Service, startService } from './service.ts';

export interface Account {
  email: string;
  password: string;
  token: string;
  userId: string;
}

interface TestFixtures {
  /** The server may refuse something in this test; browsers then write a line about it. Set with `test.use`. */
  refusals: boolean;
  /** An account of the test's own. */
  account: Account;
  /** The REST API with that account's key, as a program uses it. */
  api: Api;
  /** A page on which that account is signed in. */
  signedIn: Page;
  watch: undefined;
}

interface WorkerFixtures {
  service: Service;
}

let accounts = 0;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
    async ({}, use) => {
      const service = await startService();
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  refusals: [false, { option: true }],

  /** Every test fails when its pages log an error, throw, or ask another host for anything. */
  watch: [
    async ({ context, service, refusals }, use) => {
      const faults: string[] = [];
      context.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return;
        if (refusals && /Failed to load resource.*status of 4\d\d/.test(message.text())) return;
        faults.push(`${message.type()}: ${message.text()}`);
      });
      context.on('weberror', (error) => faults.push(`thrown: ${error.error().message}`));
      context.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== service.url) faults.push(`request to ${origin}`);
      });
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],

  account: async ({ service, playwright }, use) => {
    accounts += 1;
    const request = await playwright.request.newContext({ baseURL: service.url });
    const email = `person${accounts}-${process.pid}@example.com`;
    const password = 'a long enough password';
    const answer = await request.post('/api/auth/register', { data: { email, password, name: 'Ada Lovelace' } });
    expect(answer.status()).toBe(201);
    const { token, userId } = (await answer.json()) as { token: string; userId: string };
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
    const answer = await page.request.post('/api/session/sign-in/email', {
      data: { email: account.email, password: account.password },
      headers: { origin: service.url },
    });
    expect(answer.status()).toBe(200);
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
      expect((await request.post('/api/prompts', { data: { name, ...content } })).status()).toBe(201);
    },
    async saveVersion(name: string, data: object) {
      expect((await request.post(path(name, '/versions'), { data })).status()).toBe(201);
    },
    /** What an application gets: the version in production. */
    async fetchPrompt(name: string) {
      const answer = await request.get(path(name));
      expect(answer.status()).toBe(200);
      return (await answer.json()) as { version: number; template: string; config: Record<string, unknown>; messages?: unknown[] };
    },
  };
}

/** Types into a CodeMirror editor in place of what it holds. */
export async function write(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label, exact: true });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

export async function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

export { expect };

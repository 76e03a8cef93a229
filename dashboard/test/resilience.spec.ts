import type { BrowserContext, Page } from '@playwright/test';
import { expect, test, write } from './support/fixtures.ts';
import { type Installation, install } from './support/installation.ts';

const credentials = { email: 'ada@example.com', password: 'a long enough password' };

let installation: Installation;
let context: BrowserContext;
/** The browser dialogs that opened. A reload must not open any. */
let questions: string[];
let key: string;

test.beforeEach(async ({ browser, playwright }) => {
  installation = await install();
  const { url } = installation;
  context = await browser.newContext({ baseURL: url });
  questions = [];
  context.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  const api = await playwright.request.newContext({ baseURL: url });
  key = (await (await api.post('/api/auth/register', { data: { ...credentials, name: 'Ada' } })).json()).token;
  await api.post('/api/prompts', { data: { name: 'greeting', template: 'Hello.' }, headers: { authorization: `Bearer ${key}` } });
  await api.dispose();
  const signedIn = await context.request.post('/api/session/sign-in/email', { data: credentials, headers: { origin: url } });
  expect(signedIn.status()).toBe(200);
});

test.afterEach(async () => {
  await context.close();
  await installation.uninstall();
});

async function open(path: string, heading: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  return page;
}

const bar = (page: Page) => page.getByText('Reconnecting…');
const template = (page: Page) => page.getByRole('textbox', { name: 'Template', exact: true });

test('a restart of the server: every open page recovers by itself', async () => {
  const editor = await open('/dashboard/prompts/greeting', 'greeting');
  await expect(editor.getByTestId('preview')).toHaveText('Hello.');
  const statistics = await open('/dashboard', 'Statistics');
  const list = await open('/dashboard/prompts', 'Prompts');
  await installation.stop();

  await write(editor, 'Template', 'Hello again.');
  await list.getByRole('link', { name: 'Bin' }).click();
  for (const page of [editor, statistics, list]) await expect(bar(page)).toBeVisible();
  await expect(list.getByRole('heading', { name: 'Prompts', exact: true })).toBeVisible();

  await installation.start();
  await expect(editor.getByTestId('preview')).toHaveText('Hello again.');
  await expect(list.getByRole('heading', { name: 'Bin', exact: true })).toBeVisible();
  await fetch(`${installation.url}/api/prompts/greeting`, { headers: { authorization: `Bearer ${key}` } });
  await expect(statistics.getByRole('row', { name: /^greeting/ })).toBeVisible();
  for (const page of [editor, statistics, list]) {
    await expect(bar(page)).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  expect(questions).toEqual([]);
});

test('an upgrade of the server: open pages reload, once, and drafts are kept', async () => {
  const editor = await open('/dashboard/prompts/greeting', 'greeting');
  await expect(template(editor)).toHaveText('Hello.');
  const idle = await open('/dashboard/prompts', 'Prompts');
  let reloads = 0;
  idle.on('load', () => {
    reloads += 1;
  });
  await installation.stop();
  await write(editor, 'Template', 'my unsaved work');
  await expect(bar(editor)).toBeVisible();
  await installation.replaceAssets();
  await installation.removeAsset('BinPage');
  await installation.start();

  await expect(bar(editor)).toHaveCount(0);
  await editor.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(editor.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await editor.goBack();
  await expect(template(editor)).toHaveText('my unsaved work');

  // A page that has not noticed the new build reloads when it needs an asset that the new build does not have.
  await idle.getByRole('link', { name: 'Bin' }).click();
  await expect(idle.getByRole('alert')).toContainText('Loading failed');
  expect(new URL(idle.url()).pathname).toBe('/dashboard/bin');
  await expect.poll(() => reloads).toBe(1);

  // Instances that disagree about the build cannot keep the page reloading. The page reloads once for that build, in addition to the user's
  // reload.
  const otherBuild = '<script type="module" src="/dashboard/assets/other.js"></script>';
  await idle.route(`${installation.url}/dashboard`, (route) => route.fulfill({ contentType: 'text/html', body: otherBuild }));
  await idle.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => reloads).toBeGreaterThan(1);
  await expect(idle.getByRole('alert')).toContainText('Loading failed');
  expect(reloads).toBeLessThanOrEqual(3);
  expect(questions).toEqual([]);
});

test('a redirect by a proxy is not a response: a write fails visibly, and the page continues', async () => {
  const page = await open('/dashboard/settings', 'Settings');
  const redirect = { status: 302, headers: { location: 'https://sign-in.example/' } };
  await context.route('**/api/**', (route) => route.fulfill(redirect));
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Cannot reach the server. Check your connection and try again.')).toBeVisible();
  await expect(bar(page)).toBeVisible();

  await context.unroute('**/api/**');
  await expect(bar(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Name saved.')).toBeVisible();
});

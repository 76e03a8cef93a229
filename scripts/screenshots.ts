/** Creates the screenshots of README.md and docs/ from a service with demo data: `npm run screenshots`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from '../dashboard/test/support/chromium.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const demo = { email: 'demo@example.com', password: 'demo harbor password' };
const people = [
  { name: 'Grace Hopper', role: 'admin' },
  { name: 'Katherine Johnson', role: 'deployer' },
  { name: 'Alan Turing', role: 'editor' },
];

const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-screenshots-'));
try {
  let service = await startService();
  await runDemo(service.url);
  await stop(service.child);
  await runDemo('--history');
  service = await startService();
  // Hinting would move letters to whole pixels, which is visible in screenshots.
  const args = ['--font-render-hinting=none', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  try {
    await addPeople(service.url);
    await takePictures(browser, service.url);
  } finally {
    await browser.close();
    await stop(service.child);
  }
} finally {
  await rm(dataDir, { recursive: true });
}

async function takePictures(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    colorScheme: 'light',
  });
  const page = await context.newPage();
  await page.request.post('/api/session/sign-in/email', { data: demo, headers: { origin: url } });

  await page.goto('/dashboard/prompts/support/triage');
  await page.getByRole('textbox', { name: 'request', exact: true }).fill('My invoice is wrong, and I need it today.');
  await page.getByRole('textbox', { name: 'customer.name' }).fill('Ada');
  for (const [index, topic] of ['billing', 'delivery'].entries()) {
    await page.getByRole('button', { name: 'Add row to topics' }).click();
    await page.getByRole('textbox', { name: `topics[${index}]` }).fill(topic);
  }
  await page.getByTestId('preview').waitFor();
  await save(page, 'dashboard-editor');

  await page.goto('/dashboard/prompts');
  await page.getByRole('link', { name: /triage/ }).waitFor();
  await save(page, 'dashboard-prompts');

  await page.goto('/dashboard?range=7d');
  await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
  await save(page, 'dashboard-statistics');

  await page.goto('/dashboard/settings/members');
  await page.getByText('Grace Hopper').first().waitFor();
  await save(page, 'dashboard-members');
}

async function save(page: Page, name: string): Promise<void> {
  // Fonts, charts and the preview are complete only some time after the text has appeared.
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(root, 'docs/images', `${name}.png`), animations: 'disabled' });
  process.stdout.write(`docs/images/${name}.png\n`);
}

/** Adds members and a service account through the public API. */
async function addPeople(url: string): Promise<void> {
  const { token } = await post<{ token: string }>(url, '/api/auth/token', demo);
  const key = { authorization: `Bearer ${token}` };
  for (const { name, role } of people) {
    const account = { email: `${name.split(' ')[0]?.toLowerCase()}@example.com`, password: 'calm seas and a safe harbor' };
    await post(url, '/api/auth/register', { ...account, name });
    const invitation = await post<{ url: string }>(url, '/api/members/invitations', { email: account.email, role }, key);
    const signedIn = await fetch(`${url}/api/session/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(account),
    });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    await post(url, `/api/invitations/${invitation.url.split('/').at(-1)}/accept`, {}, { cookie, origin: url });
  }
  await post(url, '/api/members/invitations', { email: 'mary@example.com', role: 'viewer' }, key);
  await post(url, '/api/members/service-accounts', { name: 'Checkout service', role: 'viewer' }, key);
}

async function post<T>(url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  // The caller knows the shape from openapi.json.
  return (await response.json()) as T;
}

async function startService(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(root, 'bin/promptharbor.js'), 'serve'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  for await (const chunk of child.stderr ?? []) {
    text += String(chunk);
    const url = /ready at (http\S+)/.exec(text)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`The service did not start:\n${text}`);
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function runDemo(argument: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'scripts/demo.ts'), argument], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The demo data could not be added');
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test as base, expect, readClipboard, write } from './support/fixtures.ts';
import { type Service, startService } from './support/service.ts';

const password = 'a long enough password';
const ownerEmail = 'ada@example.com';

interface Owner {
  userId: string;
  token: string;
}

/** A service with one account, on which nobody can register without an invitation. */
const test = base.extend<{ owner: Owner; closed: { service: Service; owner: Owner } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  closed: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'promptharbor-workspaces-'));
    const open = await startService({ env: { DATA_DIR: folder } });
    const data = { email: ownerEmail, password, name: 'Ada Lovelace' };
    const headers = { 'content-type': 'application/json' };
    const registered = await fetch(`${open.url}/api/auth/register`, { method: 'POST', headers, body: JSON.stringify(data) });
    const owner = (await registered.json()) as Owner;
    await open.stop();
    const service = await startService({ env: { DATA_DIR: folder, REGISTRATION: 'closed' } });
    await use({ service, owner });
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  },
  service: async ({ closed }, use) => use(closed.service),
  owner: async ({ closed }, use) => use(closed.owner),
});
test.use({ allows4xx: true });

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible();
}

/** Invites in the dashboard and returns the path of the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.goto('/dashboard/settings/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(dialog).toContainText('No email was sent');
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = (await dialog.getByTestId('invitation-link').textContent()) ?? '';
  await expect.poll(() => readClipboard(page)).toBe(link);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(email)).toBeVisible();
  return new URL(link).pathname;
}

async function changeRole(page: Page, name: string, role: string): Promise<void> {
  await page.getByRole('button', { name: `Role of ${name}` }).click();
  await page.getByRole('menuitem', { name: role }).click();
}

const workspaceMenu = (page: Page) => page.getByRole('button', { name: /^Workspace:/ });

test('a member: invited, registered, accepted, switching, refused, demoted and removed', async ({ page, browser, service, owner }) => {
  test.setTimeout(600_000);
  const asOwner = { headers: { authorization: `Bearer ${owner.token}` } };
  const email = `grace-${Date.now()}@example.com`;
  const first = { data: { name: 'support/triage', template: 'Sort {{ request }}' }, ...asOwner };
  expect((await page.request.post('/api/prompts', first)).status()).toBe(201);
  const second = { data: { template: 'Sort this: {{ request }}' }, ...asOwner };
  expect((await page.request.post('/api/prompts/support%2Ftriage/versions', second)).status()).toBe(201);
  const settings = { data: { protectedLabels: ['production'] }, ...asOwner };
  expect((await page.request.patch('/api/workspace', settings)).status()).toBe(200);

  await signIn(page, ownerEmail);
  await page.goto('/dashboard/settings/members');
  await expect(page.getByText('No other members yet')).toBeVisible();
  const path = await invite(page, email, 'editor');

  const context = await browser.newContext({ baseURL: service.url });
  const guest = await context.newPage();
  await guest.goto(path);
  await expect(guest.getByText('Ada Lovelace invited you')).toBeVisible();
  await expectAccessible(guest);
  await guest.getByRole('link', { name: 'Create account' }).click();
  await expect(guest.getByLabel('Email')).toHaveValue(email);
  await expect(guest.getByLabel('Email')).not.toBeEditable();
  await guest.getByLabel('Name').fill('Grace Hopper');
  await guest.getByLabel('Password', { exact: true }).fill(password);
  await guest.getByRole('button', { name: 'Create account' }).click();
  await guest.getByRole('button', { name: 'Accept' }).click();
  await expect(guest.getByText('You joined Ada Lovelace’s workspace as an editor.')).toBeVisible();
  await expect(guest.getByRole('link', { name: /triage/ })).toBeVisible();
  await expect(workspaceMenu(guest)).toContainText('Ada Lovelaceeditor');
  await guest.goto(path);
  await expect(guest.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();

  await test.step('switching by keyboard keeps the page, and shows nothing of the other workspace', async () => {
    await guest.goto('/dashboard/prompts?sort=-updatedAt');
    await expect(guest.getByRole('link', { name: /triage/ })).toBeVisible();
    await workspaceMenu(guest).focus();
    await guest.keyboard.press('Enter');
    await expect(guest.getByRole('menuitem', { name: /Grace Hopper/ })).toBeFocused();
    await guest.keyboard.press('ArrowDown');
    await expect(guest.getByRole('menuitem', { name: /Ada Lovelace.*current/ })).toBeFocused();
    await guest.keyboard.press('ArrowUp');
    await expect(guest.getByRole('menuitem', { name: /Grace Hopper/ })).toBeFocused();
    await guest.keyboard.press('Enter');
    await expect(guest.getByText('No prompts yet')).toBeVisible();
    await expect(guest).toHaveURL(/\/dashboard\/prompts\?sort=-updatedAt$/);
    await expect(guest.getByRole('link', { name: /triage/ })).toHaveCount(0);
    await expect(workspaceMenu(guest)).toHaveAccessibleName('Workspace: Grace Hopper');
    await guest.reload();
    await expect(guest.getByText('No prompts yet')).toBeVisible();

    await guest.keyboard.press('ControlOrMeta+K');
    await guest.keyboard.type('switch to ada');
    await guest.keyboard.press('Enter');
    await guest.getByRole('link', { name: /triage/ }).click();
    await expect(guest.getByRole('heading', { name: 'support/triage' })).toBeVisible();
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Grace Hopper/ }).click();
    await expect(guest.getByText('support/triage does not exist in Grace Hopper’s workspace.')).toBeVisible();
    await expect(guest).toHaveURL(/\/dashboard\/prompts$/);
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Ada Lovelace/ }).click();
    await expect(guest.getByRole('link', { name: /triage/ })).toBeVisible();
  });

  await test.step('on a prompt that both workspaces have, the page stays, and drafts are kept apart', async () => {
    const ofOwner = { data: { name: 'shared', template: 'Of Ada' }, ...asOwner };
    expect((await page.request.post('/api/prompts', ofOwner)).status()).toBe(201);
    const ofGuest = { data: { name: 'shared', template: 'Of Grace' }, headers: { origin: service.url } };
    expect((await guest.request.post('/api/prompts', ofGuest)).status()).toBe(201);
    await guest.goto('/dashboard/prompts/shared');
    const template = guest.getByRole('textbox', { name: 'Template', exact: true });
    await expect(template).toHaveText('Of Ada');
    await write(guest, 'Template', 'Of Ada, changed');
    await expect(guest.getByText('Unsaved changes')).toBeVisible();
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Grace Hopper/ }).click();
    await expect(template).toHaveText('Of Grace');
    await expect(guest.getByText('Unsaved changes')).toHaveCount(0);
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Ada Lovelace/ }).click();
    await expect(template).toHaveText('Of Ada, changed');
  });

  await test.step('a change of several prompts does not continue in another workspace', async () => {
    const ofGuest = { data: { name: 'zeta', template: 'x' }, headers: { origin: service.url } };
    expect((await guest.request.post('/api/prompts', ofGuest)).status()).toBe(201);
    for (const name of ['bulk/1', 'bulk/2', 'zeta']) {
      expect((await page.request.post('/api/prompts', { data: { name, template: name, labels: [] }, ...asOwner })).status()).toBe(201);
    }
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await guest.route('**/api/prompts/bulk**', async (route) => {
      if (route.request().url().endsWith('/restore')) {
        started.resolve();
        await gate.promise;
      }
      await route.continue();
    });
    await guest.goto('/dashboard/prompts');
    for (const name of ['bulk/1', 'bulk/2', 'zeta']) await guest.getByRole('checkbox', { name: `Select ${name}` }).check();
    await guest.getByRole('button', { name: 'Delete' }).click();
    await guest.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(guest.getByText('3 prompts moved to the bin.')).toBeVisible();
    await guest.getByRole('button', { name: 'Undo' }).click();
    await started.promise;
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Grace Hopper/ }).click();
    await expect(guest.getByRole('link', { name: /shared/ })).toBeVisible();
    gate.resolve();
    await expect(guest.getByText('You switched workspaces before this finished')).toBeVisible();
    expect((await guest.request.get('/api/prompts/zeta')).status()).toBe(200);
    const { data } = (await (await page.request.get('/api/prompts?deleted=true', asOwner)).json()) as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toContain('zeta');
    await guest.unrouteAll();
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Ada Lovelace/ }).click();
    await expect(guest.getByRole('link', { name: /triage/ })).toBeVisible();
  });

  await test.step('an editor cannot move a protected label, even one that was protected just now', async () => {
    await guest.goto('/dashboard/prompts/support/triage');
    await guest.getByRole('button', { name: 'Deploy' }).click();
    const dialog = guest.getByRole('dialog', { name: 'Deploy' });
    await expect(dialog).toContainText('Only deployers and admins can move production. Your role is editor.');
    await expect(dialog.getByRole('button', { name: 'Deploy v2' })).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Propose v2' })).toBeVisible();
    await dialog.getByLabel('To', { exact: true }).selectOption('staging');
    const labels = { data: { protectedLabels: ['production', 'staging'] }, ...asOwner };
    expect((await page.request.patch('/api/workspace', labels)).status()).toBe(200);
    await dialog.getByRole('button', { name: 'Deploy v2' }).click();
    await expect(dialog.getByRole('alert')).toContainText('deployer');
    await expect(dialog).toContainText('Only deployers and admins can move staging. Your role is editor.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a role that is lowered while the page is open', async () => {
    await write(guest, 'Template', 'Sort this at once: {{ request }}');
    await page.goto('/dashboard/settings/members');
    await guest.getByRole('button', { name: 'Save version' }).click();
    const dialog = guest.getByRole('dialog', { name: 'Save version 3' });
    await expect(dialog).toBeVisible();
    await changeRole(page, 'Grace Hopper', 'viewer');
    await expect(page.getByText('Grace Hopper is now a viewer.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('You need the role "editor" in this workspace. Your role is "viewer".');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(guest.getByRole('button', { name: 'Save version' })).toBeHidden();
    await expect(guest.getByRole('button', { name: 'Deploy' })).toBeHidden();
    await expect(guest.getByText('Your role is viewer.')).toBeVisible();
    await expect(workspaceMenu(guest)).toContainText('viewer');
    await guest.getByRole('link', { name: 'Prompts', exact: true }).first().click();
    await expect(guest.getByRole('link', { name: /triage/ })).toBeVisible();
    await expect(guest.getByRole('button', { name: 'New prompt' })).toHaveCount(0);
    await guest.getByRole('button', { name: 'Actions for support/triage' }).click();
    await expect(guest.getByRole('menuitem')).toHaveText(['Copy to workspace…', 'Export as JSON']);
    await guest.keyboard.press('Escape');
    await guest.getByRole('checkbox', { name: 'Select support/triage' }).check();
    await expect(guest.getByRole('region', { name: 'Selected prompts' }).getByRole('button')).toHaveText([
      'Copy to workspace',
      'Export',
      '',
    ]);
  });

  await test.step('the owner sees what happened, and who is affected by deleting the account', async () => {
    await expectAccessible(page);
    await page.goto('/dashboard/settings/security');
    await expect(page.getByText('Member role changed: Grace Hopper (editor → viewer)')).toBeVisible();
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByRole('dialog')).toContainText('access to your workspace for 1 member: Grace Hopper');
  });

  await test.step('removed while the page is open', async () => {
    await page.goto('/dashboard/settings/members');
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Grace Hopper was removed.')).toBeVisible();
    await expect(guest.getByText('You no longer have access to Ada Lovelace’s workspace.')).toBeVisible();
    await expect(workspaceMenu(guest)).toHaveAccessibleName('Workspace: Grace Hopper');
    await expect(guest.getByRole('link', { name: /triage/ })).toHaveCount(0);
  });

  await test.step('an invitation for someone else', async () => {
    await guest.goto(await invite(page, 'linus@example.com', 'admin'));
    await expect(guest.getByText(`This invitation is for linus@example.com, but you are signed in as ${email}.`)).toBeVisible();
    await guest.getByRole('button', { name: 'Sign in with another account' }).click();
    await expect(guest).toHaveURL(/\/login\?next=%2Finvitations%2F/);
    await page.getByRole('button', { name: 'Remove the invitation for linus@example.com' }).click();
    await expect(page.getByText('Open invitations')).toHaveCount(0);
  });
  await context.close();
});

base('a service account: its key is shown once, works with its role, and is replaced by a reset', async ({ signedIn: page, service }) => {
  const call = async (key: string, method: string) => {
    const body = method === 'POST' ? JSON.stringify({ name: `by-program-${Date.now()}`, template: 'Hi', labels: [] }) : null;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (await fetch(`${service.url}/api/prompts`, { method, headers, body })).status;
  };
  await page.goto('/dashboard/settings/members');
  await page.getByRole('button', { name: 'New service account' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Checkout service');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'API key for Checkout service' });
  const key = (await dialog.getByTestId('service-key').textContent()) ?? '';
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy key' }).click();
  await expect.poll(() => readClipboard(page)).toBe(key);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  expect([await call(key, 'GET'), await call(key, 'POST')]).toEqual([200, 403]);

  await changeRole(page, 'Checkout service', 'editor');
  await expect(page.getByText('Checkout service is now an editor.')).toBeVisible();
  expect(await call(key, 'POST')).toBe(201);

  await page.getByRole('button', { name: 'Reset key for Checkout service' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset key' }).click();
  await expect(dialog.getByTestId('service-key')).not.toHaveText(key);
  const next = (await dialog.getByTestId('service-key').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  expect([await call(key, 'GET'), await call(next, 'GET')]).toEqual([401, 200]);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/ph_[0-9a-f]{64}/);

  await page.goto('/dashboard/settings/api-keys');
  await expect(page.getByRole('listitem').filter({ hasText: 'Checkout service' })).toContainText('editor');
  await page.getByRole('link', { name: 'Go to Members' }).click();
  await expect(page.getByText('Checkout service')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove Checkout service' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Checkout service was removed.')).toBeVisible();
  expect(await call(next, 'GET')).toBe(401);
});

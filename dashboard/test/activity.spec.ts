import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, expectNoSidewaysScroll, test } from './support/fixtures.ts';

const password = 'a long enough password';
test.use({ allows4xx: true });

const entries = (page: Page) => page.getByRole('list', { name: 'Activity' }).locator('> li');

test('one person switches off a gate, and another finds out who did it and what the setting was before', async ({
  signedIn: page,
  account,
  api,
  browser,
  service,
}) => {
  await api.createPrompt('support/triage');
  await api.saveVersion('support/triage', { template: 'Sort {{ request }}', message: 'Shorter' });
  await api.request.patch('/api/workspace', { data: { gatedLabels: ['production'] } });
  const email = `grace-${crypto.randomUUID()}@example.com`;
  const invited = await api.request.post('/api/members/invitations', { data: { email, role: 'admin' } });
  const { url } = (await invited.json()) as { url: string };
  const context = await browser.newContext({ baseURL: service.url });
  const admin = await context.newPage();
  await admin.request.post('/api/auth/register', { data: { email, password, name: 'Grace Hopper' } });
  await admin.request.post('/api/session/sign-in/email', { data: { email, password }, headers: { origin: service.url } });
  await admin.goto(new URL(url).pathname);
  await admin.getByRole('button', { name: 'Accept' }).click();
  await expect(admin.getByRole('button', { name: /^Workspace: Ada/ })).toBeVisible();

  await page.goto('/dashboard/settings');
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
  await expect(entries(page).first()).toContainText('Grace Hopper joined as admin');

  await test.step('the other person switches off the gate', async () => {
    await admin.goto(`/dashboard/settings/labels?workspace=${account.userId}`);
    await admin.getByRole('group', { name: 'Rules for production' }).getByText('Require passing checks').click();
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Stop requiring checks' }).click();
    await expect(admin.getByText('production no longer requires passing checks.')).toBeVisible();
  });

  await test.step('the entry appears without a reload', async () => {
    const entry = entries(page).first();
    await expect(entry).toContainText('Grace Hopper turned off the gate of production');
    await expect(entry).toContainText(/Labels that require passing checks: production.*none/);
    await expect(entry.locator('time')).toHaveAttribute('title', /\d{4}/);
    await expectAccessible(page);
  });

  await test.step('filters are in the URL, and lead to the prompt', async () => {
    await page.getByLabel('Kind').selectOption({ label: 'Gates and overrides' });
    await expect(entries(page)).toHaveCount(2);
    await expect(page).toHaveURL(/type=gates/);
    await page.getByLabel('Person').selectOption({ label: 'Grace Hopper' });
    await expect(entries(page)).toHaveCount(1);
    await page.reload();
    await expect(entries(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Prompt', { exact: true }).click();
    await page.keyboard.type('support');
    await expect(page).toHaveURL(/prompt=support(&|$)/);
    await page.keyboard.type('/triage');
    await expect(page).toHaveURL(/prompt=support%2Ftriage/);
    await expect(entries(page)).toHaveText([/saved v2 of support\/triage: “Shorter”/, /set production to v1/, /created support\/triage/]);
    await page.getByLabel('To').pressSequentially('01012020');
    await expect(page).toHaveURL(/to=2020-01-01/);
    await expect(page.getByRole('heading', { name: 'No matching entries' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect(page.getByLabel('Prompt', { exact: true })).toHaveValue('');
    await expect(page.getByLabel('To')).toHaveValue('');
    await page.getByLabel('Kind').selectOption({ label: 'Prompts' });
    await page.getByRole('link', { name: 'support/triage' }).first().click();
    await expect(page.getByRole('heading', { name: 'support/triage' })).toBeVisible();
    await expect(page).toHaveURL(/view=history/);
    await page.goBack();
    await expect(page).toHaveURL(/type=prompts/);
  });

  await test.step('the listed entries can be saved as a file', async () => {
    for (const [name, format] of [
      ['CSV', 'csv'],
      ['JSON Lines', 'jsonl'],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
      expect(download.suggestedFilename()).toBe(`activity.${format}`);
      const text = await readFile(await download.path(), 'utf8');
      expect(text.trimEnd().split('\n')).toHaveLength(format === 'csv' ? 3 : 2);
      expect(text).toContain('support/triage');
    }
  });

  await test.step('the command palette lists the page', async () => {
    await page.goto('/dashboard/bin');
    await expect(page.getByRole('heading', { name: 'Bin', exact: true })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox').fill('activity');
    await page.getByRole('option', { name: 'Activity' }).click();
    await expect(page).toHaveURL(/settings\/activity/);
  });
  await context.close();
});

test('the activity page handles a new workspace, many entries, long names and a failure', async ({ signedIn: page, account, api }) => {
  await page.goto('/dashboard/settings/activity');
  await expect(page.getByRole('heading', { name: 'Nothing has happened yet' })).toBeVisible();
  const names = Array.from({ length: 30 }, (_, index) => `${'long-folder-name/'.repeat(8)}prompt-${index}`);
  await api.createPrompts(names);
  await expect(entries(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(entries(page)).toHaveCount(60);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.route('**/api/activity**', (route) => route.fulfill({ status: 400, json: { error: 'Invalid', code: 'invalid_input' } }));
  await page.goto(`/dashboard/settings/activity?by=${account.userId}`);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';

const password = 'a long enough password';
test.use({ allows4xx: true });

/** Registers an account with a prompt in each of three folders and a team workspace, and opens the list. */
async function prepare(page: Page): Promise<{ own: Record<string, string>; team: Record<string, string>; id: string }> {
  const email = `ada-${crypto.randomUUID()}@example.com`;
  const registered = await page.request.post('/api/auth/register', { data: { email, password, name: 'Ada' } });
  const own = { authorization: `Bearer ${(await registered.json()).token}` };
  const created = await page.request.post('/api/workspaces', { data: { name: 'Support team' }, headers: own });
  const { id } = await created.json();
  for (const name of ['support/triage', 'support/reply', 'sales/offer']) {
    await page.request.post('/api/prompts', { data: { name, template: `Text of ${name}` }, headers: own });
  }
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible();
  return { own, team: { ...own, 'promptharbor-workspace': id }, id };
}

async function namesIn(page: Page, headers: Record<string, string>): Promise<string[]> {
  const { data } = await (await page.request.get('/api/prompts', { headers })).json();
  return data.map(({ name }: { name: string }) => name);
}

test('a prompt is copied and moved to a team from its menu, and the history says where it came from', async ({ page }) => {
  const { own, team, id } = await prepare(page);
  await page.goto('/dashboard/prompts/support/triage');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy to workspace…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy support/triage' });
  await expect(dialog.getByLabel('Workspace')).toHaveValue(id);
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('a//b');
  await expect(dialog.getByRole('button', { name: 'Copy', exact: true })).toBeDisabled();
  await dialog.getByLabel('Name').fill('triage');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('support/triage copied to Support team.')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await namesIn(page, team)).toEqual(['triage']);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy to workspace…' }).click();
  await dialog.getByRole('radio', { name: 'Move' }).check();
  await page.getByRole('dialog', { name: 'Move support/triage' }).getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/prompts(\?|$)/);
  await expect(page.getByText('support/triage moved to Support team.')).toBeVisible();
  expect([await namesIn(page, own), await namesIn(page, team)]).toEqual([
    ['sales/offer', 'support/reply'],
    ['support/triage', 'triage'],
  ]);

  await page.goto(`/dashboard/prompts/support/triage?workspace=${id}`);
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText('Moved here from support/triage in Ada')).toBeVisible();
});

test('several prompts are copied together, and a report lists those that were not', async ({ page }) => {
  const { team } = await prepare(page);
  await page.request.post('/api/prompts', { data: { name: 'new/support/reply', template: 'theirs' }, headers: team });
  await page.goto('/dashboard/prompts');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Copy to workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy 3 prompts' });
  await dialog.getByLabel('Folder').fill('new');
  await expect(dialog.getByRole('list', { name: 'Resulting names' })).toContainText('new/support/triage');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  const report = page.getByRole('dialog', { name: 'Not all prompts were copied' });
  await expect(report).toContainText('2 prompts copied to Support team, 1 not copied.');
  await expect(report.getByRole('list', { name: 'Problems' })).toContainText('already has a prompt with the name "new/support/reply"');
  await expectAccessible(page);
  await report.getByRole('button', { name: 'Close', exact: true }).last().click();
  expect(await namesIn(page, team)).toEqual(['new/sales/offer', 'new/support/reply', 'new/support/triage']);
});

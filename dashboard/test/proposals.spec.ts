import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible, findViolations } from './support/accessibility.ts';
import { type Account, type Api, expect, test } from './support/fixtures.ts';

// The service refuses some requests of these tests.
test.use({ allows4xx: true });

test('an admin makes a label move only by proposals, and only the owner changes a rule that admins may not override', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  await page.goto('/dashboard/settings/labels');
  const rules = page.getByRole('group', { name: 'Rules for production' });
  await rules.getByText('Moves only by proposals').click();
  const asked = page.getByRole('dialog', { name: 'Move production only by proposals?' });
  await asked.getByLabel('Approvals', { exact: true }).selectOption('2');
  expect(await findViolations(page)).toEqual([]);
  expect(await fetchRules(api)).toEqual({});
  await asked.getByRole('button', { name: 'Require proposals' }).click();
  await expect(page.getByText('production moves only by proposals.')).toBeVisible();
  await expect(rules.getByRole('switch', { name: /Moves only by proposals/ })).toBeChecked();
  await expect(rules).toContainText('A proposal needs 2 approvals. Admins and the owner can move the label without one.');
  const rule = { approvals: 2, authorMayApprove: false, keysMayApply: false, override: 'admin' };
  expect(await fetchRules(api)).toEqual({ production: rule });

  await rules.getByRole('button', { name: 'Change rule' }).click();
  const changed = page.getByRole('dialog', { name: 'Change the rule of production' });
  await changed.getByRole('checkbox', { name: /Authors may approve/ }).check();
  await changed.getByRole('checkbox', { name: /API keys may apply/ }).check();
  await changed.getByLabel('Who can move the label without a proposal').selectOption('Nobody');
  await changed.getByRole('button', { name: 'Save rule' }).click();
  await expect(rules).toContainText('Authors may approve. API keys may apply approved proposals. Nobody can move the label without one.');
  expect(await fetchRules(api)).toEqual({ production: { ...rule, authorMayApprove: true, keysMayApply: true, override: 'nobody' } });
  await expectAccessible(page);

  await test.step('another admin cannot change it', async () => {
    const admin = await openMember(await (await browser.newContext({ baseURL: service.url })).newPage(), { api, account, role: 'admin' });
    await admin.goto(`/dashboard/settings/labels?workspace=${account.userId}`);
    const shown = admin.getByRole('group', { name: 'Rules for production' });
    await expect(shown).toContainText('Only the owner can change this rule.');
    await expect(shown.getByRole('switch', { name: /Moves only by proposals/ })).toHaveCount(0);
    await expect(admin.getByRole('group', { name: 'Rules for staging' }).getByRole('switch')).toHaveCount(3);
    await admin.context().close();
  });

  await rules.getByText('Moves only by proposals').click();
  const removed = page.getByRole('alertdialog', { name: 'Let production move without proposals?' });
  await removed.getByRole('button', { name: 'Remove rule' }).click();
  await expect(page.getByText('production moves without proposals.')).toBeVisible();
  expect(await fetchRules(api)).toEqual({});
  await page.goto('/dashboard/settings/activity');
  await expect(page.getByText(/required proposals for production/)).toBeVisible();
  await expect(page.getByText(/changed the rules for proposals of production/)).toBeVisible();
  await expect(page.getByText(/stopped requiring proposals for production/)).toBeVisible();
});

async function fetchRules(api: Api): Promise<unknown> {
  const response = await api.request.get('/api/workspace');
  return ((await response.json()) as { labelRules: unknown }).labelRules;
}

/** Signs in a new member of the account's workspace on a page. */
async function openMember(
  page: Page,
  { api, account, role, name = 'Grace Hopper' }: { api: Api; account: Account; role: string; name?: string },
): Promise<Page> {
  const member = { email: `member-${randomUUID()}@example.com`, password: account.password };
  expect((await page.request.post('/api/auth/register', { data: { ...member, name } })).status()).toBe(201);
  await page.goto('/login');
  const headers = { origin: new URL(page.url()).origin };
  expect((await page.request.post('/api/session/sign-in/email', { data: member, headers })).status()).toBe(200);
  const invited = await api.request.post('/api/members/invitations', { data: { email: member.email, role } });
  const { url } = (await invited.json()) as { url: string };
  const accepted = await page.request.post(`/api/invitations/${new URL(url).pathname.split('/').at(-1)}/accept`, { headers });
  expect(accepted.status()).toBe(200);
  return page;
}

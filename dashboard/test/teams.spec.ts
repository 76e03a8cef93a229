import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';

const password = 'a long enough password';
test.use({ allows4xx: true });

const workspaceMenu = (page: Page) => page.getByRole('button', { name: /^Workspace:/ });

/** Registers an account and signs it in. */
async function signUp(page: Page, name: string): Promise<{ email: string; userId: string; token: string }> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID()}@example.com`;
  const registered = await page.request.post('/api/auth/register', { data: { email, password, name } });
  expect(registered.status()).toBe(201);
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible();
  return { email, ...(await registered.json()) };
}

test('two people create a team, share a link, and one leaves and deletes the account', async ({ page, browser, service }) => {
  test.setTimeout(300_000);
  const ada = await signUp(page, 'Ada');
  await expect(page).toHaveURL(/\/dashboard$/);
  await workspaceMenu(page).click();
  await page.getByRole('menuitem', { name: 'New team workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'New team workspace' });
  await dialog.getByLabel('Name').fill('Support team');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(workspaceMenu(page)).toContainText('Support team');
  await expect(page).toHaveURL(/\/dashboard\/prompts\?workspace=w_/);
  const id = new URL(page.url()).searchParams.get('workspace') ?? '';
  const asAda = { authorization: `Bearer ${ada.token}`, 'promptharbor-workspace': id };
  const created = await page.request.post('/api/prompts', { data: { name: 'support/triage', template: 'Sort' }, headers: asAda });
  expect(created.status()).toBe(201);

  const context = await browser.newContext({ baseURL: service.url });
  const guest = await context.newPage();
  const grace = await signUp(guest, 'Grace');

  await page.goto(`/dashboard/prompts/support/triage`);
  await expect(page.getByRole('heading', { name: 'support/triage' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`triage\\?workspace=${id}$`));
  const link = page.url();

  await test.step('a shared link says whom to ask for access, and opens the page after the person has become a member', async () => {
    await guest.goto(link);
    await expect(guest.getByRole('heading', { name: 'You are not a member of this workspace' })).toBeVisible();
    await expect(guest.getByText(`invite ${grace.email}`)).toBeVisible();
    await expect(guest.getByRole('button', { name: 'Sign in with another account' })).toBeVisible();
    await expectAccessible(guest);
    const invited = await page.request.post('/api/members/invitations', { data: { email: grace.email, role: 'editor' }, headers: asAda });
    await guest.goto(new URL((await invited.json()).url).pathname);
    await guest.getByRole('button', { name: 'Accept' }).click();
    await expect(workspaceMenu(guest)).toContainText('Support team');
    await workspaceMenu(guest).click();
    await guest.getByRole('menuitem', { name: /Grace/ }).click();
    await expect(guest).toHaveURL(/\/dashboard\/prompts$/);
    await guest.goto(link);
    await expect(guest.getByRole('heading', { name: 'support/triage' })).toBeVisible();
    await guest.getByRole('link', { name: 'Prompts', exact: true }).first().click();
    await expect(guest).toHaveURL(new RegExp(`/dashboard/prompts\\?workspace=${id}$`));
    await guest.goBack();
    await expect(guest.getByRole('heading', { name: 'support/triage' })).toBeVisible();
  });

  await test.step('the owner renames it, and cannot delete the account before the team has another owner', async () => {
    await page.goto('/dashboard/settings/workspace');
    await page.getByLabel('Name').fill('Care team');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(workspaceMenu(page)).toContainText('Care team');
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Profile' }).click();
    await expect(page.getByText('You own Care team.')).toBeVisible();
    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByRole('button', { name: 'Transfer workspace' }).click();
    const transfer = page.getByRole('dialog', { name: 'Transfer Care team?' });
    await transfer.getByLabel('New owner').selectOption({ label: `Grace (${grace.email})` });
    await transfer.getByLabel('Your password').fill(password);
    await transfer.getByRole('button', { name: 'Transfer workspace' }).click();
    await expect(page.getByText('Grace now owns Care team.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Delete workspace' })).toHaveCount(0);
  });

  await test.step('the other member continues after the account is deleted', async () => {
    await workspaceMenu(page).click();
    await page.getByRole('menuitem', { name: /Ada/ }).click();
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await expect(page).toHaveURL(/\/(signup|login)$/);
    await guest.reload();
    await expect(guest.getByRole('heading', { name: 'support/triage' })).toBeVisible();
  });

  await test.step('the new owner deletes the workspace', async () => {
    await guest.goto('/dashboard/settings/workspace');
    await guest.getByRole('button', { name: 'Delete workspace' }).click();
    const remove = guest.getByRole('dialog', { name: 'Delete Care team?' });
    await expect(remove).toContainText('1 prompt with');
    await remove.getByLabel('Your password').fill(password);
    await remove.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(guest.getByText('Care team was deleted.')).toBeVisible();
    await expect(workspaceMenu(guest)).toHaveAccessibleName('Workspace: Grace');
  });
  await context.close();
});

test('on a phone, a team is created from the navigation', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard/prompts');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await workspaceMenu(page).click();
  await page.getByRole('menuitem', { name: 'New team workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'New team workspace' });
  // The click fails if something, such as the navigation, covers the field.
  await dialog.getByLabel('Name').click();
  await page.keyboard.insertText('Support team');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/dashboard\/prompts\?workspace=w_/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('banner')).toContainText('Support team');
});

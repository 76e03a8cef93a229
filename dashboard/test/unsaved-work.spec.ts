import type { Page } from '@playwright/test';
import { expect, test, write } from './support/fixtures.ts';

const template = (page: Page) => page.getByRole('textbox', { name: 'Template', exact: true });

test.describe('faults in place', () => {
  test.use({ refusals: true });

  test('what does not parse is marked where it is, and is not saved', async ({ signedIn: page, api }) => {
    await api.createPrompt('broken');
    await page.goto('/dashboard/prompts/broken');
    await write(page, 'Template', 'Hello\n{% if name %} there');
    await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /Line 2/ })).toBeVisible();
    await page.getByRole('button', { name: 'Save version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Line 2');
    expect(await api.fetchPrompt('broken')).toMatchObject({ version: 1 });
  });

  test('a config that is no JSON object is refused before it is sent', async ({ signedIn: page, api }) => {
    await api.createPrompt('config');
    await page.goto('/dashboard/prompts/config');
    await write(page, 'Config', '[1, 2]');
    await expect(page.getByText('Give a JSON object')).toBeVisible();
    await page.getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Save version' })).toBeDisabled();
  });
});

test('unsaved work survives leaving and reloading, until it is discarded', async ({ signedIn: page, api }) => {
  await api.createPrompt('draft', { template: 'before' });
  await page.goto('/dashboard/prompts/draft');
  await write(page, 'Template', 'my unsaved work');
  await expect(page.getByText('Unsaved changes')).toBeVisible();

  await page.getByRole('link', { name: 'Bin' }).click();
  await expect(page.getByRole('heading', { name: 'Bin', exact: true })).toBeVisible();
  await page.goBack();
  await expect(template(page)).toHaveText('my unsaved work');

  // The browser asks before it reloads; whoever goes on anyway loses nothing either.
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(template(page)).toHaveText('my unsaved work');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(template(page)).toHaveText('before');
  await page.reload();
  await expect(template(page)).toHaveText('before');
});

test.describe('two at work', () => {
  test.use({ refusals: true });

  test('someone else’s save is shown, not overwritten', async ({ signedIn: page, api }) => {
    await api.createPrompt('shared', { template: 'the beginning' });
    await page.goto('/dashboard/prompts/shared');
    await write(page, 'Template', 'my words');
    await api.saveVersion('shared', { template: 'their words', message: 'Theirs' });

    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    const conflict = page.getByRole('dialog', { name: 'Version 2 was saved in the meantime' });
    await expect(conflict.getByRole('textbox', { name: 'Theirs: version 2' })).toHaveText('their words');
    await expect(conflict.getByRole('textbox', { name: 'Yours, unsaved' })).toHaveText('my words');
    const { data } = (await (await api.request.get(api.path('shared', '/versions'))).json()) as { data: object[] };
    expect(data).toHaveLength(2);

    await conflict.getByRole('button', { name: 'Save mine on top' }).click();
    await page.getByRole('dialog', { name: 'Save version 3' }).getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 3 is saved.')).toBeVisible();
  });

  test('two tabs: the second sees what the first has saved', async ({ signedIn: page, context, api }) => {
    await api.createPrompt('tabs', { template: 'the beginning' });
    const other = await context.newPage();
    await page.goto('/dashboard/prompts/tabs');
    await other.goto('/dashboard/prompts/tabs');
    await expect(template(page)).toHaveText('the beginning');
    await write(other, 'Template', 'from the other tab');
    await other.getByRole('button', { name: 'Save version' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    await expect(other.getByText('Version 2 is saved.')).toBeVisible();
    // Nothing is typed here, so this tab goes on from the newest by itself.
    await expect(template(page)).toHaveText('from the other tab', { timeout: 40_000 });

    await write(page, 'Template', 'written here');
    await write(other, 'Template', 'written there');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 3 is saved.')).toBeVisible();
    await other.getByRole('button', { name: 'Save version' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    const conflict = other.getByRole('dialog', { name: 'Version 3 was saved in the meantime' });
    await conflict.getByRole('button', { name: 'Drop mine, take theirs' }).click();
    await expect(template(other)).toHaveText('written here');
  });

  test('a session that ends in mid-edit: sign in over the page and go on', async ({ signedIn: page, api, account, context }) => {
    await api.createPrompt('expiring', { template: 'before' });
    await page.goto('/dashboard/prompts/expiring');
    await write(page, 'Template', 'half a thought');
    await context.clearCookies();
    // The page looks every few seconds whether someone else saved, and so finds out by itself.
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await expect(dialog).toBeVisible({ timeout: 40_000 });
    await expect(dialog).toContainText(account.email);
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(dialog).toBeHidden();
    await expect(template(page)).toHaveText('half a thought');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('dialog', { name: 'Save version 2' }).getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 is saved.')).toBeVisible();
    await expect(template(page)).toHaveText('half a thought');
  });
});

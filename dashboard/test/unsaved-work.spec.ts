import type { Page } from '@playwright/test';
import { expect, openLive, test, write } from './support/fixtures.ts';

const template = (page: Page) => page.getByRole('textbox', { name: 'Template', exact: true });

test.describe('invalid content', () => {
  test.use({ allows4xx: true });

  test('a syntax error is marked at its position and cannot be saved', async ({ signedIn: page, api }) => {
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

  test('a config that is not JSON cannot be saved', async ({ signedIn: page, api }) => {
    await api.createPrompt('config');
    await page.goto('/dashboard/prompts/config');
    await write(page, 'Config', '[1, 2');
    await expect(page.getByText(/in JSON at position 5/)).toBeVisible();
    await page.getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Save version' })).toBeDisabled();
  });
});

test('unsaved changes survive leaving and reloading the page until they are discarded', async ({ signedIn: page, api }) => {
  await api.createPrompt('draft', { template: 'before' });
  await page.goto('/dashboard/prompts/draft');
  await write(page, 'Template', 'my unsaved work');
  await expect(page.getByText('Unsaved changes')).toBeVisible();

  await page.getByRole('link', { name: 'Bin' }).click();
  await expect(page.getByRole('heading', { name: 'Bin', exact: true })).toBeVisible();
  await page.goBack();
  await expect(template(page)).toHaveText('my unsaved work');

  // The browser asks for confirmation before it reloads the page. The draft survives the reload.
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(template(page)).toHaveText('my unsaved work');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(template(page)).toHaveText('before');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(template(page)).toHaveText('my unsaved work');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(template(page)).toHaveText('before');
  await page.reload();
  await expect(template(page)).toHaveText('before');
});

test('each tab keeps its own draft, and the draft of a closed tab is offered', async ({ signedIn: page, context, api }) => {
  await api.createPrompt('tabs', { template: 'before' });
  const other = await context.newPage();
  await page.goto('/dashboard/prompts/tabs');
  await write(page, 'Template', 'from this tab');
  await other.goto('/dashboard/prompts/tabs');
  await expect(other.getByText('Another tab has unsaved changes')).toBeVisible();
  await expect(template(other)).toHaveText('before');
  await write(other, 'Template', 'from the other tab');

  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(template(page)).toHaveText('from this tab');
  await other.close();
  await expect(page.getByText('A closed tab left unsaved changes')).toBeVisible();

  const review = page.getByRole('button', { name: 'Review', exact: true });
  const dialog = page.getByRole('dialog', { name: 'A draft from a closed tab' });
  await review.click();
  await expect(dialog.getByRole('textbox', { name: 'This tab, unsaved' })).toHaveText('from this tab');
  await expect(dialog.getByRole('textbox', { name: 'The draft' })).toHaveText('from the other tab');
  await dialog.getByRole('button', { name: 'Continue this draft' }).click();
  await expect(template(page)).toHaveText('from the other tab');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(template(page)).toHaveText('from this tab');
  await review.click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(review).toBeHidden();
  const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('promptharbor:draft:')));
  await expect.poll(drafts).toHaveLength(1);

  // After a crash, the tab does not know that it wrote the draft.
  await page.evaluate(() => addEventListener('pagehide', () => sessionStorage.clear()));
  page.once('dialog', (question) => question.accept());
  await page.reload();
  await review.click();
  await dialog.getByRole('button', { name: 'Continue this draft' }).click();
  await expect(template(page)).toHaveText('from this tab');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect.poll(drafts).toEqual([]);
});

test.describe('concurrent changes', () => {
  test.use({ allows4xx: true });

  test('with two tabs, each sees what the other has saved', async ({ signedIn: page, context, api }) => {
    await api.createPrompt('tabs', { template: 'the beginning' });
    const other = await context.newPage();
    await openLive(page, '/dashboard/prompts/tabs');
    await other.goto('/dashboard/prompts/tabs');
    await expect(template(page)).toHaveText('the beginning');
    await write(other, 'Template', 'from the other tab');
    await other.getByRole('button', { name: 'Save version' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    await expect(other.getByText('Version 2 saved.')).toBeVisible();
    // This tab has no unsaved changes, so it switches to the latest version.
    await expect(template(page)).toHaveText('from the other tab', { timeout: 40_000 });

    await write(page, 'Template', 'written here');
    await write(other, 'Template', 'written there');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 3 saved.')).toBeVisible();
    await expect(other.getByText('Version 3 was saved in the meantime.')).toBeVisible();
    await other.getByRole('button', { name: 'Save version' }).click();
    const conflict = other.getByRole('dialog', { name: 'Version 3 was saved in the meantime' });
    await conflict.getByRole('button', { name: 'Discard mine, use theirs' }).click();
    await expect(template(other)).toHaveText('written here');
  });

  test('when the session ends while editing, the user signs in again and continues', async ({ signedIn: page, api, account, context }) => {
    await api.createPrompt('expiring', { template: 'before' });
    await page.goto('/dashboard/prompts/expiring');
    await write(page, 'Template', 'half a thought');
    await page.getByRole('button', { name: 'Save version' }).click();
    const save = page.getByRole('dialog', { name: 'Save version 2' });
    await expect(save.getByText('half a thought')).toBeVisible();
    await context.clearCookies();
    await save.getByRole('button', { name: 'Save version' }).click();
    const dialog = page.getByRole('dialog', { name: 'You were signed out' });
    await expect(dialog).toBeVisible({ timeout: 40_000 });
    await expect(dialog).toContainText(account.email);
    // The upper dialog covers the lower one, so that the two can be told apart.
    const covered = await save.boundingBox();
    const above = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('[role=dialog]')?.textContent ?? '', [
      (covered?.x ?? 0) + 10,
      (covered?.y ?? 0) + (covered?.height ?? 0) - 10,
    ] as const);
    expect(above).not.toContain('Save version');
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(dialog).toBeHidden();
    await expect(save.getByRole('alert')).toHaveText('You were signed out. Sign in and try again.');
    await save.getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    await expect(template(page)).toHaveText('half a thought');
  });
});

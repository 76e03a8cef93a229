import { expect, test } from './support/fixtures.ts';

test('folders, tags, search and sort change the list, and the URL keeps them', async ({ signedIn: page, api }) => {
  await api.createPrompt('support/triage', { template: 'x', tags: ['sorting'], description: 'Sorts requests' });
  await api.createPrompt('support/mail/reply', { template: 'x', tags: ['writing'] });
  await api.createPrompt('translate', { template: 'x', tags: ['writing'] });
  await page.goto('/dashboard/prompts');
  const rows = page.getByRole('listitem');
  await expect(rows).toHaveText([/^translate/, /^support/, /^mail\/reply/, /^triage/]);
  await rows.nth(1).getByRole('link').click();
  await expect(page).toHaveURL(/folder=support/);
  await expect(rows).toHaveText([/^triage/, /^mail/, /^reply/]);
  await page.getByRole('link', { name: 'All prompts' }).click();

  await page.getByLabel('Search prompts').fill('sorts req');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('support/triage');
  await page.reload();
  await expect(page.getByLabel('Search prompts')).toHaveValue('sorts req');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByLabel('Tag').selectOption('writing');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Sort').selectOption('Last changed');
  await expect(rows.first()).toContainText('translate');
  await page.getByLabel('Search prompts').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No prompts found' })).toBeVisible();
});

test('a list of 250 prompts renders only the visible rows, and the End key reaches the last one', async ({ signedIn: page, api }) => {
  test.setTimeout(180_000);
  for (let batch = 0; batch < 10; batch += 1) {
    await Promise.all(
      Array.from({ length: 25 }, (_, index) => api.createPrompt(`many-${String(batch * 25 + index).padStart(3, '0')}`, { template: 'x' })),
    );
  }
  await page.goto('/dashboard/prompts');
  await expect(page.getByText('250 prompts')).toBeVisible();
  const rows = page.getByRole('listitem');
  expect(await rows.count()).toBeLessThan(60);
  await rows.first().getByRole('link').focus();
  await page.keyboard.press('End');
  await expect(rows.filter({ hasText: 'many-249' }).getByRole('link')).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('many-123');
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('1 prompt found')).toBeVisible();
});

test('by keyboard alone: find a prompt, change it, save, deploy, sign out', async ({ signedIn: page, api }) => {
  await api.createPrompt('alpha', { template: 'a' });
  await api.createPrompt('beta', { template: 'b' });
  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: /alpha/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'beta' })).toBeVisible();

  const editor = page.getByRole('textbox', { name: 'Template' });
  await expect(editor).toBeVisible();
  for (let presses = 0; presses < 40 && !(await editor.evaluate((element) => element === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(editor).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('typed by keyboard');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByLabel('What changed?')).toBeFocused();
  await page.keyboard.type('Keys only');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Version 2 saved.')).toBeVisible();
  // The dialog returns the focus a moment after it closes.
  await expect(editor).toBeFocused();

  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  await deploy.focus();
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('button', { name: 'Deploy v2' });
  await expect(confirm).toBeVisible();
  for (let presses = 0; presses < 20 && !(await confirm.evaluate((element) => element === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('production is now at v2.')).toBeVisible();
  await expect(deploy).toBeFocused();
  expect(await api.fetchPrompt('beta')).toMatchObject({ version: 2, template: 'typed by keyboard' });

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
});

test('the command palette finds prompts and pages; the n key starts a new prompt', async ({ signedIn: page, api }) => {
  await api.createPrompt('deep/inside/prompt');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('inside');
  await expect(page.getByRole('option', { selected: true })).toContainText('deep/inside/prompt');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/prompts\/deep\/inside\/prompt$/);
  await expect(page.getByRole('heading', { name: 'deep/inside/prompt' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('api keys');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/api-keys$/);
  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('listitem')).toHaveText([/^deep/, /^inside\/prompt/]);
  await page.keyboard.press('n');
  await expect(page.getByLabel('Name')).toBeFocused();
});

import { findViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';

test('folders in folders are closed and opened by click and by keyboard, and this browser remembers it', async ({
  signedIn: page,
  api,
}) => {
  for (const name of ['zeta', 'support/triage', 'support/mail/reply', 'support/mail/old/x', 'sales/offer']) await api.createPrompt(name);
  await page.goto('/dashboard/prompts');
  const rows = page.locator('[role=listitem]');
  const open = [/^zeta/, /^sales1 prompt/, /^offer/, /^support3 prompts/, /^triage/, /^mail2 prompts/, /^reply/, /^old1 prompt/, /^x/];
  await expect(rows).toHaveText(open);
  await page.getByRole('button', { name: 'Subfolders and prompts of support/mail', exact: true }).click();
  await expect(rows).toHaveText([...open.slice(0, 6)]);
  await page.reload();
  await expect(rows).toHaveText([...open.slice(0, 6)]);

  await rows.nth(4).getByRole('link').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(rows.nth(3).getByRole('link')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(rows).toHaveText(open.slice(0, 4));
  await expect(page.getByRole('button', { name: 'Subfolders and prompts of support', exact: true })).toHaveAttribute(
    'aria-expanded',
    'false',
  );
  await page.keyboard.press('ArrowRight');
  await expect(rows).toHaveText(open.slice(0, 6));
  await page.keyboard.press('ArrowRight');
  await expect(rows.nth(4).getByRole('link')).toBeFocused();

  await page.getByRole('button', { name: 'Collapse all folders' }).click();
  await expect(rows).toHaveText([/^zeta/, /^sales1 prompt/, /^support3 prompts/]);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Expand all folders' }).click();
  await expect(rows).toHaveText(open);
});

test('columns sort the list by keyboard, and the URL keeps filters, which can be removed one by one', async ({ signedIn: page, api }) => {
  await api.createPrompt('a', { template: 'x', tags: ['mail'] });
  await api.createPrompt('b', { template: 'x', labels: [], tags: ['mail'] });
  await api.createPrompt('c', { template: 'x', labels: [] });
  for (let calls = 0; calls < 2; calls += 1) await api.fetchPrompt('a');
  await api.untilCalled('a', 2);
  await page.goto('/dashboard/prompts');
  const rows = page.locator('[role=listitem]');
  const header = (name: string) => page.getByRole('columnheader', { name });
  await expect(header('Name')).toHaveAttribute('aria-sort', 'ascending');
  await header('Name').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveText([/^c/, /^b/, /^a/]);
  await expect(header('Name')).toHaveAttribute('aria-sort', 'descending');
  await header('Calls').getByRole('button').focus();
  await page.keyboard.press('Space');
  await expect(rows).toHaveText([/^a/, /^b/, /^c/]);
  await expect(header('Calls')).toHaveAttribute('aria-sort', 'descending');
  await expect(header('Name')).toHaveAttribute('aria-sort', 'none');

  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Deployment').selectOption('Not deployed');
  await page.getByLabel('Tag', { exact: true }).selectOption('mail');
  await page.getByLabel('Author', { exact: true }).selectOption('Ada Lovelace');
  await page.getByLabel('Changed since', { exact: true }).selectOption('Today');
  await expect(rows).toHaveText([/^b/]);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expect(chips.locator('li')).toHaveText(['Tag: mail', 'Author: Ada Lovelace', 'Not deployed', 'Changed: today', 'Clear all']);
  expect(await findViolations(page)).toEqual([]);
  await page.reload();
  await expect(rows).toHaveText([/^b/]);
  await chips.getByRole('button', { name: 'Remove the filter Tag: mail' }).click();
  await expect(rows).toHaveText([/^b/, /^c/]);
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/prompts\?sort=-calls$/);
  await expect(rows).toHaveCount(3);
});

test('a favorite survives a rename, can be filtered by, and comes first in the command palette', async ({ signedIn: page, api }) => {
  await api.createPrompt('alpha');
  await api.createPrompt('beta/one');
  await page.goto('/dashboard/prompts');
  const star = page.getByRole('button', { name: 'Favorite beta/one' });
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  // The button changes before the service has stored the favorite, so the test waits for the response before it renames the prompt.
  const untilStored = (method: string) =>
    page.waitForResponse((response) => response.url().includes('/favorite') && response.request().method() === method);
  const stored = untilStored('PUT');
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await stored;
  await api.request.patch(api.path('beta/one'), { data: { name: 'gamma/two' } });
  await page.getByRole('button', { name: 'Favorites', exact: true }).click();
  const rows = page.locator('[role=listitem]');
  await expect(rows).toHaveText([/^gamma\/two/]);
  await expect(page).toHaveURL(/favorites=true/);
  await page.keyboard.press('ControlOrMeta+K');
  const first = page.getByRole('option').first();
  await expect(first).toHaveText('gamma/twoFavorite');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'gamma/two' })).toBeVisible();
  const removed = untilStored('DELETE');
  await page.getByRole('button', { name: 'Favorite gamma/two' }).click();
  await expect(page.getByRole('button', { name: 'Favorite gamma/two' })).toHaveAttribute('aria-pressed', 'false');
  await removed;
  await page.goto('/dashboard/prompts?favorites=true');
  await expect(page.getByText('You have no favorites here.')).toBeVisible();
});

test.describe('with a refused request', () => {
  // Saving a second view with the same name returns 409.
  test.use({ allows4xx: true });

  test('filters are saved as a view, which is opened, renamed and deleted', async ({ signedIn: page, api }) => {
    await api.createPrompt('a', { template: 'x', tags: ['mail'] });
    await api.createPrompt('b');
    await page.goto('/dashboard/prompts?tag=mail&sort=-updatedAt');
    const rows = page.locator('[role=listitem]');
    await expect(rows).toHaveText([/^a/]);
    const save = async (name: string) => {
      await page.getByRole('button', { name: /^Views|^Mine/ }).click();
      await page.getByRole('menuitem', { name: 'Save these filters…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await expect(dialog).toContainText('Tag: mail');
      await dialog.getByLabel('Name').fill(name);
      await page.keyboard.press('Enter');
    };
    await save('Mine');
    await expect(page.getByText('View Mine saved.')).toBeVisible();
    await save('Mine');
    await expect(page.getByRole('alert')).toHaveText('You already have a saved view with this name');
    await page.keyboard.press('Escape');

    // A saved view of a tag that no longer exists shows an empty list.
    await api.request.patch(api.path('a'), { data: { tags: [] } });
    await page.goto('/dashboard/prompts');
    await expect(rows).toHaveCount(2);
    await page.getByRole('button', { name: /^Views/ }).click();
    await page.getByRole('menuitem', { name: 'Mine' }).click();
    await expect(page).toHaveURL(/tag=mail/);
    await expect(page.getByRole('heading', { name: 'No prompts found' })).toBeVisible();
    await page.getByRole('button', { name: 'Mine' }).click();
    await page.getByRole('menuitem', { name: 'Rename or delete views…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Name of the view Mine').fill('Ours');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(dialog.getByLabel('Name of the view Ours')).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete the view Ours' }).click();
    await expect(dialog).toContainText('You have no saved views in this workspace.');
  });

  test('a move shows the new names, keeps the folders below, and reports names that are taken before anything changes', async ({
    signedIn: page,
    api,
  }) => {
    for (const name of ['support/a/x', 'support/b', 'archive/support/b', 'other']) await api.createPrompt(name);
    const list = async () =>
      ((await (await api.request.get('/api/prompts')).json()) as { data: { name: string }[] }).data.map(({ name }) => name);
    await page.goto('/dashboard/prompts');
    await page.getByRole('button', { name: 'Move the folder support', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move the folder support' });
    const names = dialog.getByRole('list', { name: 'New names' });
    const move = dialog.getByRole('button', { name: 'Move' });
    await dialog.getByLabel('To folder').fill('archive');
    await expect(names.locator('li')).toHaveText(['support/a/x → archive/support/a/x', 'support/b → archive/support/b']);
    await expect(dialog.getByRole('alert')).toHaveText(/This name is already taken.*archive\/support\/b\./);
    await expect(move).toBeDisabled();
    await dialog.getByLabel('To folder').fill('old');
    await expect(move).toBeEnabled();
    expect(await findViolations(page)).toEqual([]);
    await move.click();
    await expect(page.getByText('2 prompts moved to old.')).toBeVisible();
    expect(await list()).toEqual(['archive/support/b', 'old/support/a/x', 'old/support/b', 'other']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(list).toEqual(['archive/support/b', 'other', 'support/a/x', 'support/b']);

    // The selected prompts leave their common folder and keep the folders below it. Meanwhile, someone renames one of the prompts.
    await page.getByLabel('Select support/a/x').click();
    await page.getByLabel('Select support/b', { exact: true }).click();
    await page.getByRole('region', { name: 'Selected prompts' }).getByRole('button', { name: 'Move' }).click();
    const selected = page.getByRole('dialog', { name: 'Move 2 prompts' });
    await selected.getByLabel('To folder').fill('new');
    await expect(selected.getByRole('list', { name: 'New names' }).locator('li')).toHaveText([
      'support/a/x → new/a/x',
      'support/b → new/b',
    ]);
    await expect(selected.getByRole('button', { name: 'Move' })).toBeEnabled();
    await api.request.patch(api.path('support/b'), { data: { name: 'elsewhere' } });
    await selected.getByRole('button', { name: 'Move' }).click();
    const report = page.getByRole('dialog', { name: 'Not all prompts were changed' });
    await expect(report).toContainText('1 prompt changed, 1 failed.');
    await expect(report.getByRole('list', { name: 'Failures' })).toHaveText('support/bSomeone renamed or deleted it in the meantime.');
    expect(await list()).toEqual(['archive/support/b', 'elsewhere', 'new/a/x', 'other']);
  });
});

test('with 2,500 prompts, each folder loads its prompts, all matching prompts are selected, and a change of many prompts is stopped', async ({
  signedIn: page,
  api,
}) => {
  test.setTimeout(600_000);
  const name = (index: number) => `${index % 2 === 0 ? 'even' : 'odd/deep'}/n${String(index).padStart(4, '0')}`;
  await api.createPrompts([...Array.from({ length: 2500 }, (_, index) => name(index)), 'root']);
  await page.goto('/dashboard/prompts');
  const rows = page.locator('[role=listitem]');
  await expect(rows).toHaveText([/^root/, /^even1,250 prompts/, /^odd1,250 prompts/]);
  await expect(page.getByText('2,501 prompts')).toBeVisible();
  await page.getByRole('button', { name: 'Subfolders and prompts of odd', exact: true }).click();
  await expect(rows).toHaveText([/^root/, /^even/, /^odd1,250 prompts/, /^deep1,250 prompts/]);
  await page.getByRole('button', { name: 'Subfolders and prompts of odd/deep' }).click();
  await expect(rows.nth(4)).toHaveText(/^n0001/);
  await page.locator('[data-prompt-row="0"]').focus();
  await page.keyboard.press('End');
  const more = page.getByRole('button', { name: 'Show 100 of the remaining 1,150' });
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows.filter({ hasText: 'n0201' }).locator('[data-prompt-row]')).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Show 100 of the remaining 1,050' })).toBeFocused();
  await expect(page.getByRole('columnheader', { name: 'Calls' }).getByRole('button')).toHaveAttribute('aria-disabled', 'true');

  await page.goto('/dashboard/prompts?search=odd&sort=-name');
  await expect(rows.first()).toHaveText(/^odd\/deep\/n2499/);
  await expect(page.getByText('1,250 prompts found')).toBeVisible();
  await page.getByLabel('Select all').check();
  const bar = page.getByRole('region', { name: 'Selected prompts' });
  await bar.getByRole('button', { name: 'Select all 1,250 that match' }).click();
  await expect(bar).toContainText('1,250 selected');
  await bar.getByRole('button', { name: 'Tag' }).click();
  await page.getByLabel('Add tags').fill('odd');
  await page.getByRole('button', { name: 'Save tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 1,250 prompts' });
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await expect(dialog).toContainText(/[1-9]\d* of 1,250/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const report = page.getByRole('dialog', { name: 'Stopped' });
  await expect(report).toContainText(/\d+ prompts changed, [\d,]+ not changed\./);
  const { prompts } = (await (await api.request.get('/api/overview?tag=odd')).json()) as { prompts: number };
  expect(prompts).toBeGreaterThan(0);
  expect(prompts).toBeLessThan(1250);
  await expect(report).toContainText(`${prompts.toLocaleString('en')} prompt`);
  await report.getByRole('button', { name: 'Close' }).last().click();
  await page.goto(`/dashboard/prompts?tag=odd`);
  await expect(page.getByText(`${prompts.toLocaleString('en')} prompts found`)).toBeVisible();
});

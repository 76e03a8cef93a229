import { readFile } from 'node:fs/promises';
import { expect, test } from './support/fixtures.ts';

test.describe('the history of a prompt with many versions', () => {
  const messages = [
    'Shorter',
    'Name the customer',
    'Ask for the order',
    'Polite ending',
    'Fewer words',
    'No greeting',
    'In English',
    'Typos',
  ];

  test.beforeEach(async ({ api }) => {
    await api.createPrompt('many', { template: 'v1' });
    for (const [index, message] of messages.entries()) await api.saveVersion('many', { template: `v${index + 2}`, message });
  });

  test('Compare keeps the position in the timeline, and the comparison is visible', async ({ signedIn: page }) => {
    await page.goto('/dashboard/prompts/many?view=history');
    const compare = page.getByRole('button', { name: 'Compare v2 with' });
    // The first comparison is loaded after the timeline, and moves it.
    await expect(page.getByRole('textbox', { name: 'Version 9', exact: true })).toBeVisible();
    await compare.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(0);
    await compare.click();
    await expect(page).toHaveURL(/from=1&to=2/);
    await expect(page.getByRole('textbox', { name: 'Version 2', exact: true })).toBeInViewport();
    await expect(compare).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  });

  test('on a phone, Compare shows the comparison, and Back returns to the entry', async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/dashboard/prompts/many?view=history');
    const compare = page.getByRole('button', { name: 'Compare v2 with' });
    await compare.click();
    await expect(page.getByRole('textbox', { name: 'Version 1 and Version 2' })).toBeInViewport();
    await page.goBack();
    await expect(compare).toBeInViewport();
  });

  test('versions are found by their message, and menus show message and date', async ({ signedIn: page }) => {
    await page.goto('/dashboard/prompts/many?view=history');
    const search = page.getByRole('searchbox', { name: 'Find a version' });
    await search.fill('customer');
    await expect(page.getByText('1 version.', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Compare v/ })).toHaveCount(1);
    await search.fill('v4 order');
    await expect(page.getByRole('button', { name: 'Compare v4 with' })).toBeVisible();
    await search.fill('nothing like it');
    await expect(page.getByText(/^No version has a matching/)).toBeVisible();
    await search.fill('');
    await expect(page.getByRole('button', { name: /^Compare v/ })).toHaveCount(9);

    const titled = /^v3 · Name the customer · .* \d{4}$/;
    await expect(page.getByLabel('Older version').locator('option[value="3"]')).toHaveText(titled);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await expect(page.getByRole('dialog').getByLabel('Version', { exact: true }).locator('option[value="3"]')).toHaveText(titled);
  });
});

test('a prompt is duplicated and exported on its page', async ({ signedIn: page, api }) => {
  await api.createPrompt('support/triage', { template: 'Sort {{ request }}' });
  await page.goto('/dashboard/prompts/support/triage');
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const download = page.waitForEvent('download');
  await choose('Export as JSON');
  expect(await readFile(await (await download).path(), 'utf8')).toContain('Sort {{ request }}');
  await choose('Duplicate');
  await expect(page).toHaveURL(/prompts\/support\/triage-copy$/);
  await expect(page.getByText('not deployed')).toBeVisible();
});

test('the bin says who deleted a prompt, and describes the prompt', async ({ signedIn: page, api }) => {
  await api.createPrompt('old', { template: 'x', description: 'Sorts requests' });
  await api.saveVersion('old', { template: 'y', labels: ['staging'] });
  await page.goto('/dashboard/prompts/old');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('old moved to the bin.')).toBeVisible();
  await page.goto('/dashboard/bin');
  const row = page.getByRole('listitem').filter({ hasText: 'old' });
  await expect(row).toContainText('Sorts requests');
  await expect(row).toContainText('Deleted by Ada Lovelace just now · text · 2 versions · production v1, staging v2');
});

test('a warning is shown before a prompt that judges others is deleted', async ({ signedIn: page, api }) => {
  for (const name of ['judge', 'other', 'reply']) await api.createPrompt(name, { template: 'x' });
  const data = { name: 'Polite', checks: [{ kind: 'judge', value: 'judge' }] };
  expect((await api.request.post(api.path('reply', '/cases'), { data })).status()).toBe(201);
  await page.goto('/dashboard/prompts/judge');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('This prompt judges test cases of 1 prompt, whose checks will fail.');
  await expect(dialog.getByRole('link', { name: 'reply' })).toBeVisible();
});

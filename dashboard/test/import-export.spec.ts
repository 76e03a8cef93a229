import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, test } from './support/fixtures.ts';

/** Returns the row of the prompt with this name. */
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Prompts' })
    .locator('> li')
    .filter({ has: page.getByText(name, { exact: true }) });

const exportOf = async (api: Api) => (await api.request.get('/api/export')).text();

/** Returns the lines of the given prompts in an export. */
function linesOf(text: string, wanted: string[]): string[] {
  let isWanted = false;
  return text.split('\n').filter((line) => {
    const name = /^\{"kind":"prompt","name":"([^"]*)"/.exec(line)?.[1];
    if (name !== undefined) isWanted = wanted.includes(name);
    return isWanted && line !== '';
  });
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Files', { exact: true }).setInputFiles({ name, mimeType: 'text/plain', buffer });

test('“Export all” is recognized under any name and restored exactly, with a choice for each conflict', async ({ signedIn: page, api }) => {
  await api.createPrompt('shared/tone', { template: 'Be kind.', tags: ['b', 'a'], config: { model: 'some-model' } });
  await api.saveVersion('shared/tone', { template: 'Be brief, {{ name }}.', labels: ['staging'] });
  await api.request.post(api.path('shared/tone', '/cases'), {
    data: { name: 'brief', variables: { name: 'Ada' }, checks: [{ kind: 'judge', rubric: 'Is brief' }] },
  });
  for (const name of ['kept', 'renamed', 'replaced', 'skipped']) await api.createPrompt(name, { template: `${name} there` });
  await page.goto('/dashboard/prompts');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export all' }).click()]);
  const file = await readFile(await download.path());
  const before = file.toString();
  expect(before).toBe(await exportOf(api));

  // Some of these prompts no longer exist, and some have changed.
  for (const name of ['shared/tone', 'kept', 'renamed', 'replaced', 'skipped']) await api.request.delete(api.path(name));
  for (const name of ['kept', 'renamed', 'replaced']) await api.createPrompt(name, { template: `${name} here` });
  await page.goto('/dashboard/import');
  for (const name of ['prompts.json', 'promptfooconfig.yaml', 'a.prompt', 'noending']) {
    await choose(page, name, file);
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    await expect(page.getByText('2 new, 3 conflicts')).toBeVisible();
    if (name !== 'noending') await page.getByRole('button', { name: 'Back' }).click();
  }
  expect(linesOf(await exportOf(api), ['shared/tone'])).toEqual([]);
  await expect(rowOf(page, 'kept')).toContainText('Version 1 already exists here with different content');
  await page.getByRole('combobox', { name: 'What to do with replaced' }).selectOption('Replace: move the existing prompt to the bin');
  await page.getByRole('combobox', { name: 'What to do with renamed' }).selectOption('Import under another name');
  const newName = page.getByRole('textbox', { name: 'New name for renamed' });
  await expect(newName).toHaveValue('renamed-imported');
  await newName.fill('kept');
  await expect(page.getByText('Another prompt in this import has this name')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import \d/ })).toBeDisabled();
  await newName.fill('other/renamed');
  await page.getByRole('checkbox', { name: 'Import skipped' }).uncheck();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Import 3 prompts' }).click();
  await expect(page.getByText('3 prompts imported', { exact: true })).toBeVisible();
  const after = await exportOf(api);
  expect(linesOf(after, ['shared/tone', 'replaced'])).toEqual(linesOf(before, ['shared/tone', 'replaced']));
  expect(linesOf(after, ['other/renamed'])).toEqual(
    linesOf(before, ['renamed']).map((line) => line.replace('"prompt","name":"renamed"', '"prompt","name":"other/renamed"')),
  );
  expect((await api.fetchPrompt('kept')).template).toBe('kept here');
  expect((await api.fetchPrompt('renamed')).template).toBe('renamed here');
  expect(linesOf(after, ['skipped'])).toEqual([]);
  await rowOf(page, 'renamed').getByRole('link', { name: 'Open other/renamed' }).click();
  await expect(page.getByRole('heading', { name: 'other/renamed' })).toBeVisible();

  await page.goto('/dashboard/import');
  await choose(page, 'again.txt', Buffer.from(after));
  await expect(page.getByText('0 new, 5 unchanged')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
});

test.describe('Exports with problems', () => {
  test.use({ allows4xx: true });
  test('an invalid export is explained; a large import can be canceled, and a second import adds the rest', async ({
    signedIn: page,
    api,
  }) => {
    await page.goto('/dashboard/import');
    await choose(page, 'newer.jsonl', Buffer.from('{"format":"promptharbor","version":2}\n'));
    await expect(page.getByText('This export was made by a newer version of PromptHarbor. Upgrade the service first.')).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();
    await choose(page, 'broken.jsonl', Buffer.from('{"format":"promptharbor","version":1}\n{"kind":"prompt","name":"half"\n'));
    await expect(page.getByText('1 conflict', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();

    await api.createPrompts(Array.from({ length: 20 }, (_, index) => `many/${index}`));
    for (let index = 0; index < 20; index += 1) await api.saveVersion(`many/${index}`, { template: 'x'.repeat(60_000) });
    const file = Buffer.from(await exportOf(api));
    for (let index = 0; index < 20; index += 1) await api.request.delete(api.path(`many/${index}`));
    await choose(page, 'large.jsonl', file);
    let requests = 0;
    const held = Promise.withResolvers<void>();
    await page.route('**/api/import', async (route) => {
      requests += 1;
      if (requests === 2) await held.promise;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Import 20 prompts' }).click();
    await expect(page.getByText(/^\d+ of 20 prompts imported$/)).toBeVisible();
    await expect.poll(() => requests).toBe(2);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText(/^Canceled: \d+ prompts imported$/)).toBeVisible();
    held.resolve();
    expect((await (await api.request.get('/api/overview')).json()).prompts).toBeLessThan(20);
    await page.getByRole('button', { name: 'Import more' }).click();
    await choose(page, 'large.jsonl', file);
    await page.getByRole('button', { name: /^Import \d+ prompts?$/ }).click();
    await expect(page.getByText(/^\d+ prompts? imported$/)).toBeVisible();
    expect((await (await api.request.get('/api/overview')).json()).prompts).toBe(20);
  });
});

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, expectNoSidewaysScroll, test } from './support/fixtures.ts';

const examples = join(import.meta.dirname, '../../test/formats/files');

function manyFiles(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `many-${String(index).padStart(4, '0')}.prompt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`---\nmodel: some-model\n---\nNumber ${index} for {{ name }}`),
  }));
}

/** Returns the row of the prompt with this name. */
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Prompts' })
    .locator('> li')
    .filter({ has: page.getByText(name, { exact: true }) });

test('a folder: the review shows which prompts are new, changed or refused; after the import, all are unchanged', async ({
  signedIn: page,
  api,
}) => {
  test.setTimeout(600_000);
  await page.goto('/dashboard/prompts');
  await page.getByRole('link', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { name: 'Drop files or a folder here' })).toBeVisible();
  await expectAccessible(page);
  await api.createPrompt('plain', { template: 'Translate {{text}}.' });
  await page.getByLabel('Folder', { exact: true }).setInputFiles(join(examples, 'dotprompt'));

  await expect(page.getByText('3 new, 1 changed, 1 cannot be imported')).toBeVisible();
  await rowOf(page, 'orders').getByRole('button').first().click();
  await expect(rowOf(page, 'orders')).toContainText('{{#each orders}}Converted to {% for order in orders %}');
  await expect(rowOf(page, 'orders')).toContainText('{{> signature}}Liquid does not support Handlebars partials');
  await expect(rowOf(page, 'orders')).toContainText('orders.prompt, line 11');
  await rowOf(page, 'plain').getByRole('button').first().click();
  await expect(rowOf(page, 'plain').getByText('Version 1').first()).toBeVisible();
  await expect(rowOf(page, 'plain').locator('.cm-mergeView')).toContainText('to {{language}}.');
  await rowOf(page, 'support/reply').getByRole('button').first().click();
  await expect(rowOf(page, 'support/reply').getByLabel('Text of support/reply')).toContainText('You answer mails of {{customer}}');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect((await (await api.request.get('/api/prompts')).json()).data).toHaveLength(1);

  await page.getByRole('textbox', { name: 'Folder' }).fill('team');
  await expect(rowOf(page, 'team/plain')).toContainText('New');
  await page.getByRole('textbox', { name: 'Folder' }).fill('a//b');
  await expect(page.getByText('two slashes in a row')).toBeVisible();
  await page.getByRole('textbox', { name: 'Folder' }).fill('');
  await page.getByRole('combobox', { name: 'Label' }).selectOption('staging');
  // Each prompt can be deselected, and one that cannot be converted can be imported as text.
  await page.getByRole('checkbox', { name: 'Import plain', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'Import orders with tags as text' }).check();
  await expect(page.getByText('4 new, 0 changed')).toBeVisible();
  await expect(rowOf(page, 'plain')).toContainText('Skipped');
  await rowOf(page, 'orders').getByRole('button').first().click();
  await expect(rowOf(page, 'orders').getByLabel('Text of orders')).toContainText('{% raw %}{{> signature}}{% endraw %}');
  await page.getByRole('textbox', { name: 'Folder' }).fill('team');
  await expect(rowOf(page, 'team/plain')).toContainText('Skipped');
  await page.getByRole('textbox', { name: 'Folder' }).fill('');
  await page.getByRole('checkbox', { name: 'Import plain', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Import orders', exact: true }).uncheck();
  await page.getByRole('button', { name: 'Import 4 prompts' }).click();
  await expect(page.getByText('4 prompts imported, 1 cannot be imported')).toBeVisible();
  await expect(rowOf(page, 'plain').getByRole('link', { name: 'Open v2 of plain' })).toBeVisible();
  const { data } = (await (await api.request.get('/api/prompts')).json()) as { data: { name: string; labels: object }[] };
  expect(data.map(({ name, labels }) => [name, labels])).toEqual([
    ['greeting', { staging: 1 }],
    ['greeting.formal', { staging: 1 }],
    ['plain', { production: 1, staging: 2 }],
    ['support/reply', { staging: 1 }],
  ]);

  await page.getByRole('button', { name: 'Import more' }).click();
  await page.getByLabel('Files', { exact: true }).setInputFiles(join(examples, 'dotprompt/plain.prompt'));
  await expect(page.getByText('0 new, 0 changed, 1 unchanged')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Folder', { exact: true }).setInputFiles(join(examples, 'promptfoo'));
  await expect(page.getByText('5 notes about the files')).toBeVisible();
  await expect(rowOf(page, 'prompts/chat')).toContainText('promptfoo · prompts/chat.json · 2 test cases');
  await page.getByRole('button', { name: 'Import 4 prompts' }).click();
  await rowOf(page, 'prompts/chat').getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'prompts/chat' })).toBeVisible();
});

test.describe('1,000 files', () => {
  // Requests that are cut off are logged by the browser.
  test.use({ allows4xx: true });
  test('are imported in batches; after a lost connection, trying again imports the rest; the command palette opens the import', async ({
    signedIn: page,
    api,
  }) => {
    test.setTimeout(600_000);
    await page.goto('/dashboard/prompts');
    await expect(page.getByRole('heading', { name: 'No prompts yet' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox').fill('import pro');
    await page.getByRole('option', { name: 'Import prompts' }).click();
    await page.getByLabel('Files', { exact: true }).setInputFiles(manyFiles(1000));
    await expect(page.getByText('1,000 new, 0 changed')).toBeVisible({ timeout: 60_000 });
    let batches = 0;
    await page.route('**/api/prompts/batch', async (route) => {
      batches += 1;
      // Responds like a proxy whose service is unreachable.
      if (batches === 3) await route.fulfill({ status: 404, json: { error: 'The service is gone', code: 'gone' } });
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Import 1,000 prompts' }).click();
    await expect(page.getByText('The service is gone 100 prompts imported so far. Try again to import the rest.')).toBeVisible({
      timeout: 60_000,
    });
    expect((await (await api.request.get('/api/overview')).json()).prompts).toBe(100);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('1,000 prompts imported', { exact: true })).toBeVisible({ timeout: 90_000 });
    expect((await (await api.request.get('/api/overview')).json()).prompts).toBe(1000);
    expect(batches).toBe(3 + 18);
    await expect(page.getByRole('link', { name: 'Open v1 of many-0000' })).toBeVisible();
  });
});

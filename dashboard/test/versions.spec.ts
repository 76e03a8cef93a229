import { expect, test, write } from './support/fixtures.ts';

test('a mustache version is edited, and a version is deleted', async ({ signedIn: page, api }) => {
  const name = 'from langfuse/greeting [v2]';
  const saved = await api.request.post('/api/public/v2/prompts', {
    data: { name, prompt: '{{#vip}}Welcome back, {{name}}{{/vip}}', labels: ['production'], config: ['any', 'JSON'] },
  });
  expect(saved.status()).toBe(201);
  await page.goto(`/dashboard/prompts/${encodeURIComponent(name)}`);

  await test.step('the editor keeps its language, and the preview renders it', async () => {
    await expect(page.getByText('mustache', { exact: true })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Config' })).toContainText('"JSON"');
    await write(page, 'Template', 'Hello {{{name}}}{{! a comment }}');
    await page.getByLabel('name', { exact: true }).fill('Ada & Bob');
    await expect(page.getByTestId('preview')).toHaveText('Hello Ada & Bob');
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByRole('dialog', { name: 'Save version 2' }).getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    const response = await api.request.get(api.path(name, '/versions/2'));
    expect(await response.json()).toMatchObject({
      syntax: 'mustache',
      template: 'Hello {{{name}}}{{! a comment }}',
      config: ['any', 'JSON'],
    });
  });

  await test.step('a deleted version stays in the timeline, and nothing offers it any longer', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'More for v2' }).click();
    await page.getByRole('menuitem', { name: 'Delete version' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete version 2?' });
    await dialog.getByRole('button', { name: 'Delete version' }).click();
    await expect(page.getByText('v2 deleted.')).toBeVisible();
    await expect(page.getByText('Version 2 deleted')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Deploy v2' })).toBeHidden();
    await expect(page.getByLabel('Newer version').locator('option')).toHaveText([/^v1 \(production, latest\) · /]);
    await expect(page.getByRole('button', { name: 'More for v1' })).toBeHidden();
  });

  await test.step('the editor continues with the remaining version, and the deleted number is not used again', async () => {
    await page.getByRole('tab', { name: 'Editor' }).click();
    await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Welcome back');
    await write(page, 'Template', 'Third');
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByRole('dialog', { name: 'Save version 3' }).getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 3 saved.')).toBeVisible();
  });
});

test('Save shows what changes for each label that moves', async ({ signedIn: page, api }) => {
  await api.createPrompt('behind', { template: 'first words' });
  await api.saveVersion('behind', { template: 'second words', labels: ['staging'] });
  await api.saveVersion('behind', { template: 'third words', labels: ['canary'] });
  await page.goto('/dashboard/prompts/behind');
  await write(page, 'Template', 'fourth words');
  await page.keyboard.press('ControlOrMeta+S');
  const dialog = page.getByRole('dialog', { name: 'Save version 4' });
  await expect(dialog.getByRole('textbox', { name: 'Version 3' })).toHaveText('third words');

  const changesFor = (name: string) => dialog.getByRole('region', { name, exact: true });
  await dialog.getByRole('checkbox', { name: 'production' }).check();
  await expect(changesFor('What changes for production').getByRole('textbox', { name: 'Version 1' })).toHaveText('first words');
  await expect(changesFor('What changes for production').getByRole('textbox', { name: 'Version 4' })).toHaveText('fourth words');
  await expect(changesFor('What changes since version 3').getByRole('textbox', { name: 'Version 3' })).toHaveText('third words');

  await dialog.getByRole('checkbox', { name: 'staging' }).check();
  await expect(changesFor('What changes for staging').getByRole('textbox', { name: 'Version 2' })).toHaveText('second words');
  await dialog.getByRole('checkbox', { name: 'canary' }).check();
  await expect(changesFor('What changes for canary').getByRole('textbox', { name: 'Version 3' })).toHaveText('third words');
  await expect(dialog.getByRole('region')).toHaveCount(3);
});

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test, write } from './support/fixtures.ts';

const output = (page: Page) => page.getByTestId('preview');
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const variable = (page: Page, name: string) => page.getByRole('group', { name: `Variable ${name}`, exact: true });
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a variable is declared with a type, a description, a default and an example, and saved with the version', async ({
  signedIn: page,
  api,
}) => {
  await api.createPrompt('reply', { template: 'Be {{ tone }}, {{ age }}, {{ tags | json }}. {% if vip %}First.{% endif %}' });
  await page.goto('/dashboard/prompts/reply');
  const dialog = page.getByRole('dialog');

  await test.step('one of several values, by keyboard', async () => {
    await page.getByRole('button', { name: 'Describe tone' }).press('Enter');
    await dialog.getByLabel('Type').selectOption('One of several values');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Enter at least one value.');
    await dialog.getByLabel('Values').fill('formal\nwarm\n');
    await dialog.getByLabel('Description').fill('How the reply should sound');
    await dialog.getByLabel('Default').selectOption('warm');
    await expectAccessible(page);
    await dialog.getByLabel('Description').press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByText('How the reply should sound')).toBeVisible();
    await expect(output(page)).toContainText('Be warm');
    await field(page, 'tone').selectOption('formal');
    await expect(output(page)).toContainText('Be formal');
    await field(page, 'tone').selectOption('Default: warm');
    await expect(page.getByLabel('Set tone')).not.toBeChecked();
  });

  await test.step('a number is sent as a number, and a text in its place is refused at the field', async () => {
    await page.getByRole('button', { name: 'Describe age' }).click();
    await dialog.getByLabel('Type').selectOption('Number');
    await dialog.getByLabel('Default').fill('many');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Must be a number.');
    await dialog.getByLabel('Default').fill('');
    await dialog.getByLabel('Example').fill('42');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(field(page, 'age')).toHaveAttribute('placeholder', 'Example: 42');
    await field(page, 'age').fill('seven');
    await expect(variable(page, 'age').getByRole('alert')).toHaveText('Must be a number');
    await field(page, 'age').fill('7.5');
    await expect(variable(page, 'age').getByRole('alert')).toBeHidden();
    await expect(output(page)).toContainText('7.5');
  });

  await test.step('true or false, and a list as JSON', async () => {
    await page.getByRole('button', { name: 'Describe vip' }).click();
    await dialog.getByLabel('Type').selectOption('True or false');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await variable(page, 'vip').getByRole('radio', { name: 'True' }).check();
    await expect(output(page)).toContainText('First.');
    await page.getByRole('button', { name: 'Describe tags' }).click();
    await dialog.getByLabel('Type').selectOption('List');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await field(page, 'tags').fill('{ "a": 1 }');
    await expect(variable(page, 'tags').getByRole('alert')).toHaveText('Must be a list');
    await field(page, 'tags').fill('["a", "b"]');
    await expect(output(page)).toContainText('["a","b"]');
  });

  await test.step('the version has the declarations, and a reload and an undone removal keep them', async () => {
    await page.reload();
    await expect(field(page, 'age')).toHaveValue('7.5');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(dialog.getByText('Version 2, variables')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    const saved = (await (await api.request.get(api.path('reply', '/versions/2'))).json()) as { variables: { name: string }[] };
    const byName = Object.fromEntries(saved.variables.map((each) => [each.name, each]));
    expect(byName.tone).toMatchObject({
      type: 'enum',
      values: ['formal', 'warm'],
      default: 'warm',
      description: 'How the reply should sound',
    });
    expect(byName.age).toMatchObject({ type: 'number', example: 42, required: true });
    expect(byName.vip).toMatchObject({ type: 'boolean' });
    expect(byName.tags).toMatchObject({ type: 'list' });
    await page.getByRole('button', { name: 'Describe age' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Unsaved changes')).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('Unsaved changes')).toBeHidden();
  });
});

test('an image comes from an address or from a file, and is shown', async ({ signedIn: page, api }) => {
  await api.createPrompt('look', {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', url: '{{ photo }}' },
        ],
      },
    ],
    variables: [{ name: 'photo', type: 'image', description: 'The photo to describe' }],
  });
  await page.goto('/dashboard/prompts/look');
  await field(page, 'photo').fill('somewhere');
  await expect(variable(page, 'photo').getByRole('alert')).toContainText('Must be an image');
  await field(page, 'photo').fill('https://images.example.com/cat.png');
  // The page never loads the image itself. If it did, the fixtures would fail the test.
  const link = page.getByTestId('media').getByRole('link', { name: 'https://images.example.com/cat.png' });
  await expect(link).toHaveAttribute('rel', 'noreferrer');
  await expect(link).toHaveAttribute('target', '_blank');
  const image = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
  await page.getByLabel('Upload an image for photo from this computer').setInputFiles(image);
  await expect(page.getByAltText('Value of photo')).toBeVisible();
  await expect(page.getByTestId('media').getByAltText('Image')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove the image for photo' }).click();
  await expect(field(page, 'photo')).toHaveValue('');
  await page.getByLabel('Upload an image for photo from this computer').setInputFiles({ ...image, buffer: Buffer.alloc(800_000) });
  await expect(variable(page, 'photo').getByRole('alert')).toHaveText(
    'dot.png is too large (800 KB). Use at most 700 KB, or enter the URL of a larger file.',
  );
});

test('a draft that was stored before variables could be declared keeps what its version declares', async ({ signedIn: page, api }) => {
  await api.createPrompt('old', {
    template: 'Hello {{ name }}',
    variables: [{ name: 'name', description: 'Who to greet' }],
    tools: [{ name: 'wave' }],
    output: { schema: { type: 'object' } },
  });
  await page.goto('/dashboard/prompts/old');
  await write(page, 'Template', 'Good morning {{ name }}');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.evaluate(() => {
    for (const [key, text] of Object.entries(localStorage)) {
      if (!key.startsWith('promptharbor:draft:')) continue;
      const stored = JSON.parse(text as string);
      for (const field of ['variables', 'tools', 'output']) delete stored.draft[field];
      localStorage.setItem(key, JSON.stringify(stored));
    }
  });
  await page.reload();
  await expect(page.getByText('Who to greet')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+S');
  await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
  await expect(page.getByText('Version 2 saved.')).toBeVisible();
  const saved = await (await api.request.get(api.path('old', '/versions/2'))).json();
  expect(saved).toMatchObject({
    template: 'Good morning {{ name }}',
    variables: [{ name: 'name', description: 'Who to greet' }],
    tools: [{ name: 'wave' }],
    output: { schema: { type: 'object' } },
  });
});

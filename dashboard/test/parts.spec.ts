import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { emptyClipboard, expect, readClipboard, test, write } from './support/fixtures.ts';

const output = (page: Page) => page.getByTestId('preview');
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const dot = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };

async function addTo(page: Page, message: number, type: string): Promise<void> {
  await page.getByRole('button', { name: `Add an image, file or audio to message ${message}` }).click();
  await page.getByRole('menuitem', { name: type }).click();
}

test('a message gets an image, a file and audio, in any order, and becomes plain text again when they are removed', async ({
  signedIn: page,
  api,
}) => {
  await api.createPrompt('look', { messages: [{ role: 'user', content: 'What is this?' }] });
  await page.goto('/dashboard/prompts/look');
  await expect(output(page)).toHaveText('What is this?');

  await test.step('an image from a variable', async () => {
    await addTo(page, 1, 'Image');
    await expect(field(page, 'URL or variable for part 2 of message 1')).toBeFocused();
    await page.keyboard.type('{{ photo }}');
    await expect(page.getByRole('group', { name: 'Variable photo' })).toBeVisible();
    await expect(page.getByTestId('media')).toHaveText('Image‹photo›');
    await field(page, 'Detail of part 2 of message 1').selectOption('Low: fewer tokens');
  });

  await test.step('a file and a recording from this computer', async () => {
    await page.getByRole('button', { name: 'Add file to message 1' }).click();
    await page
      .getByLabel('Upload part 3 of message 1 from this computer')
      .setInputFiles({ name: 'terms.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
    await expect(field(page, 'File name of part 3 of message 1')).toHaveValue('terms.pdf');
    await page.getByRole('button', { name: 'Add audio to message 1' }).click();
    const recording = page.getByLabel('Upload part 4 of message 1 from this computer');
    await recording.setInputFiles({ name: 'long.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(250_000) });
    await expect(page.getByRole('alert')).toHaveText(
      'long.wav is too large (250 KB). Use at most 196 KB, or enter the URL of a larger file.',
    );
    await recording.setInputFiles({ name: 'short.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('ID3') });
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(field(page, 'Format of part 4 of message 1')).toHaveValue('audio/mpeg');
    await expectAccessible(page);
  });

  await test.step('the order, and the version', async () => {
    await page.getByRole('button', { name: 'Move part 2 of message 1 up' }).click();
    await write(page, 'Message 1, part 2', 'What is on it, {{ name }}?');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(page.getByRole('dialog').getByText('[image (low): {{ photo }}]').first()).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    const saved = await (await api.request.get(api.path('look', '/versions/2'))).json();
    expect(saved.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', url: '{{ photo }}', detail: 'low' },
          { type: 'text', text: 'What is on it, {{ name }}?' },
          { type: 'file', data: Buffer.from('%PDF-1.4').toString('base64'), mediaType: 'application/pdf', filename: 'terms.pdf' },
          { type: 'audio', data: Buffer.from('ID3').toString('base64'), mediaType: 'audio/mpeg' },
        ],
      },
    ]);
  });

  await test.step('only the text is left', async () => {
    await page.getByRole('button', { name: 'Remove part 4 of message 1' }).click();
    await page.getByRole('button', { name: 'Remove part 3 of message 1' }).click();
    await page.getByRole('button', { name: 'Remove part 1 of message 1' }).click();
    await expect(page.getByRole('textbox', { name: 'Message 1', exact: true })).toHaveText('What is on it, {{ name }}?');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(field(page, 'URL or variable for part 1 of message 1')).toHaveValue('{{ photo }}');
  });
});

test('the preview shows embedded images, never loads others, and copies parts', async ({ signedIn: page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
  const parts = [
    { type: 'image', data: png, mediaType: 'image/png' },
    { type: 'image', url: 'https://tracker.example.com/pixel.png?who=me' },
    { type: 'image', url: svg },
    { type: 'text', text: 'Compare them.' },
  ];
  await api.createPrompt('look', { messages: [{ role: 'user', content: parts }] });
  // The fixtures fail the test if the page sends a request to another host, or violates the content security policy.
  await page.goto('/dashboard/prompts/look');
  await expect(output(page)).toHaveText('Compare them.');
  const preview = page.getByRole('list').filter({ has: output(page) });
  await expect(preview.getByRole('img', { name: 'Image' })).toHaveCount(1);
  await expect(preview.getByText('SVG+XML')).toBeVisible();
  await expect(preview.getByRole('link')).toHaveAttribute('href', 'https://tracker.example.com/pixel.png?who=me');
  await expect(preview.getByRole('link')).toHaveAttribute('rel', 'noreferrer');
  await emptyClipboard(page);
  await page.getByRole('button', { name: 'Copy message 1' }).click();
  const copied = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    { type: 'image_url', image_url: { url: 'https://tracker.example.com/pixel.png?who=me' } },
    { type: 'image_url', image_url: { url: svg } },
    { type: 'text', text: 'Compare them.' },
  ];
  await expect.poll(() => readClipboard(page)).toBe(JSON.stringify(copied, null, 2));
  await page.getByLabel('Replace part 1 of message 1 from this computer').setInputFiles(dot);
  await page.getByRole('button', { name: 'Use a URL or variable instead' }).click();
  await expect(field(page, 'URL or variable for part 1 of message 1')).toHaveValue('');
});

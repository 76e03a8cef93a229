import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, openLive, test, write } from './support/fixtures.ts';

const chat = (...contents: string[]) => ({
  messages: contents.map((content, index) => ({ role: index === 0 ? 'system' : 'user', content })),
});
const mergeDialog = (page: Page, version: number) => page.getByRole('dialog', { name: `Version ${version} was saved in the meantime` });
const message = (page: Page, number: number) => page.getByRole('textbox', { name: `Message ${number}`, exact: true });

test('changes of different messages are merged, and the version has both', async ({ signedIn: page, api }) => {
  await api.createPrompt('team', { ...chat('Be kind.', '{{ question }}'), config: { model: 'a', temperature: 0 } });
  await openLive(page, '/dashboard/prompts/team');
  await write(page, 'Message 2', 'Q: {{ question }}');
  await write(page, 'Config', '{ "model": "a", "temperature": 1 }');
  await api.saveVersion('team', { ...chat('Be brief.', '{{ question }}'), config: { model: 'b', temperature: 0 }, message: 'Shorter' });

  await expect(page.getByText('Version 2 was saved in the meantime.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+S');
  const dialog = mergeDialog(page, 2);
  await expect(dialog).toContainText('Ada Lovelace saved it');
  await expect(dialog).toContainText('“Shorter”');
  await expect(dialog.getByRole('status')).toHaveText('Their changes and yours do not overlap. The result contains both.');
  await expect(dialog.getByRole('textbox', { name: 'Version 2', exact: true })).toContainText('{{ question }}');
  await expect(dialog.getByRole('textbox', { name: 'Result', exact: true })).toContainText('Q: {{ question }}');
  await dialog.getByRole('radio', { name: 'With my draft' }).check();
  await expect(dialog.getByRole('textbox', { name: 'My draft', exact: true })).toContainText('Be kind.');
  await dialog.getByRole('button', { name: 'Merge and save…' }).click();

  const save = page.getByRole('dialog', { name: 'Save version 3' });
  await save.getByRole('button', { name: 'Save version' }).click();
  await expect(page.getByText('Version 3 saved.')).toBeVisible();
  const saved = await api.request.get(api.path('team', '/versions/3'));
  expect(await saved.json()).toMatchObject({ ...chat('Be brief.', 'Q: {{ question }}'), config: { model: 'b', temperature: 1 } });
});

test('where both sides changed the same part, the user chooses by keyboard, and nothing is merged until then', async ({
  signedIn: page,
  api,
}) => {
  await api.createPrompt('clash', chat('one', 'two', 'three'));
  await openLive(page, '/dashboard/prompts/clash');
  await write(page, 'Message 1', 'my one');
  await write(page, 'Message 2', 'my two');
  await api.saveVersion('clash', chat('their one', 'their two', 'their three'));
  await page.getByRole('button', { name: 'Review', exact: true }).click();

  const dialog = mergeDialog(page, 2);
  const merge = dialog.getByRole('button', { name: 'Merge', exact: true });
  const first = dialog.getByRole('region', { name: 'Message 1' });
  const second = dialog.getByRole('region', { name: 'Message 2' });
  await expect(dialog.getByRole('status')).toContainText('Both of you changed 2 parts.');
  await expect(first.getByRole('textbox', { name: 'Theirs: version 2' })).toHaveText('their one');
  await expect(first.getByRole('textbox', { name: 'Yours, unsaved' })).toHaveText('my one');
  await expect(merge).toBeDisabled();

  await first.getByRole('radio', { name: 'Mine' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(first.getByRole('radio', { name: 'Theirs' })).toBeChecked();
  await expect(dialog.getByRole('status')).toContainText('1 left to choose');
  await expect(merge).toBeDisabled();
  await second.getByRole('radio', { name: 'Edit' }).check();
  await expect(second.getByRole('textbox', { name: 'Message 2, merged' })).toHaveText('their twomy two');
  await write(page, 'Message 2, merged', 'our two');
  await expect(dialog.getByRole('textbox', { name: 'Result', exact: true })).toContainText('our two');
  await expectAccessible(page);
  await merge.click();

  await expect(message(page, 1)).toHaveText('their one');
  await expect(message(page, 2)).toHaveText('our two');
  await expect(message(page, 3)).toHaveText('their three');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(message(page, 1)).toHaveText('my one');
  await expect(message(page, 3)).toHaveText('three');
});

test.describe('a version that was saved before this one', () => {
  test.use({ allows4xx: true });

  test('is merged by line, and what the user entered in the dialog is kept', async ({ signedIn: page, api }) => {
    await api.createPrompt('late', { template: 'one\n\ntwo\n\nthree' });
    await page.goto('/dashboard/prompts/late');
    await write(page, 'Template', 'ONE\n\ntwo\n\nthree');
    await page.keyboard.press('ControlOrMeta+S');
    const save = page.getByRole('dialog', { name: /^Save version/ });
    await save.getByLabel('What changed?').fill('Louder');
    await save.getByLabel('Another label').fill('canary');
    await api.saveVersion('late', { template: 'one\n\ntwo\n\nTHREE' });
    await save.getByRole('button', { name: 'Save and deploy' }).click();

    await mergeDialog(page, 2).getByRole('button', { name: 'Merge and save…' }).click();
    await expect(save).toHaveAccessibleName('Save version 3');
    await expect(save.getByLabel('What changed?')).toHaveValue('Louder');
    await expect(save.getByLabel('Another label')).toHaveValue('canary');
    await save.getByRole('button', { name: 'Save and deploy' }).click();
    await expect(page.getByText('Version 3 saved and deployed to canary.')).toBeVisible();
    const saved = await api.request.get(api.path('late', '/versions/3'));
    expect(await saved.json()).toMatchObject({ template: 'ONE\n\ntwo\n\nTHREE', message: 'Louder' });
  });
});

test('a version that was deleted after a newer one was saved is still the base of a merge', async ({ signedIn: page, api }) => {
  await api.createPrompt('gone', chat('one', 'two'));
  await openLive(page, '/dashboard/prompts/gone');
  await write(page, 'Message 1', 'my one');
  await api.saveVersion('gone', { ...chat('one', 'their two'), labels: ['production'] });
  expect((await api.request.delete(api.path('gone', '/versions/1'))).status()).toBe(204);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await mergeDialog(page, 2).getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(message(page, 1)).toHaveText('my one');
  await expect(message(page, 2)).toHaveText('their two');
});

test.describe('after a reload, changes to a version that was deleted', () => {
  test.use({ allows4xx: true });
  for (const choice of ['Mine', 'Theirs'] as const) {
    test(`are not merged by guessing: ${choice}`, async ({ signedIn: page, api }) => {
      await api.createPrompt('lost', { ...chat('one', 'two'), config: { model: 'a' } });
      await page.goto('/dashboard/prompts/lost');
      await write(page, 'Message 1', 'my one');
      await api.saveVersion('lost', { ...chat('one', 'their two'), config: { model: 'a' }, labels: ['production'] });
      expect((await api.request.delete(api.path('lost', '/versions/1'))).status()).toBe(204);
      // The page is reloaded twice, because the notice must still be shown after the user has left the page without choosing.
      for (let count = 0; count < 2; count += 1) {
        await page.reload();
        await expect(page.getByText('based on version 1, which was deleted, so they cannot be merged automatically')).toBeVisible();
        await expect(message(page, 1)).toHaveText('my one');
      }
      await page.getByRole('button', { name: 'Save version' }).click();
      const dialog = mergeDialog(page, 2);
      const merge = dialog.getByRole('button', { name: /^(Merge and save…|Continue with version 2)$/ });
      await expect(dialog.getByText('which was deleted')).toBeVisible();
      await expect(merge).toBeDisabled();
      const messages = dialog.getByRole('region', { name: 'Messages', exact: true });
      await messages.getByRole('radio', { name: choice }).check();
      await expect(dialog.getByRole('status')).toHaveText('The result contains your choices.');
      await expectAccessible(page);
      await merge.click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText('which was deleted')).toBeHidden();
      if (choice === 'Mine') await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(message(page, 1)).toHaveText(choice === 'Mine' ? 'my one' : 'one');
      await expect(message(page, 2)).toHaveText(choice === 'Mine' ? 'two' : 'their two');
    });
  }
});

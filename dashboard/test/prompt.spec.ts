import { findViolations } from './support/accessibility.ts';
import { emptyClipboard, expect, expectNoSidewaysScroll, openLive, readClipboard, test, write } from './support/fixtures.ts';

test('a prompt is created, changed, compared, deployed and rolled back', async ({ signedIn: page, api }) => {
  await page.goto('/dashboard/prompts');
  await page.getByRole('link', { name: 'New prompt' }).click();
  await page.getByLabel('Name').fill('support/triage');
  await page.getByLabel('Tags').fill('support, sorting');
  await write(page, 'Template', 'Sort this: {{ request }}');
  await page.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(page.getByRole('heading', { name: 'support/triage' })).toBeVisible();
  await expect(page).toHaveTitle('support/triage · PromptHarbor');
  expect(await api.fetchPrompt('support/triage')).toMatchObject({ version: 1, template: 'Sort this: {{ request }}' });

  await test.step('the preview follows the text', async () => {
    await page.getByLabel('request', { exact: true }).fill('My parcel is lost');
    await expect(page.getByTestId('preview')).toHaveText('Sort this: My parcel is lost');
    await write(page, 'Template', 'Sort this request of {{ customer }}: {{ request }}');
    await page.getByLabel('customer', { exact: true }).fill('Ada');
    await expect(page.getByTestId('preview')).toHaveText('Sort this request of Ada: My parcel is lost');
    await write(page, 'Config', '{ "temperature": 0.2 }');
  });

  await test.step('saving creates a version and does not change production', async () => {
    await page.keyboard.press('ControlOrMeta+S');
    const dialog = page.getByRole('dialog', { name: 'Save version 2' });
    await expect(dialog.getByRole('textbox', { name: 'Version 1', exact: true })).toHaveText('Sort this: {{ request }}');
    await expect(dialog.getByRole('textbox', { name: 'Version 2', exact: true })).toContainText('of {{ customer }}');
    await dialog.getByLabel('What changed?').fill('Name the customer');
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    await expect(page.getByText('Unsaved changes')).toBeHidden();
    expect(await api.fetchPrompt('support/triage')).toMatchObject({ version: 1 });
  });

  await test.step('any two versions can be compared', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('listitem').getByText('Name the customer')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Version 1', exact: true })).toHaveText('Sort this: {{ request }}');
    await expect(page.getByRole('textbox', { name: 'Version 2', exact: true })).toContainText('of {{ customer }}');
    await expect(page.getByRole('textbox', { name: 'Version 2, config' })).toContainText('0.2');
    await page.getByLabel('Older version').selectOption('2');
    await expect(page.getByText('The text and config are identical.')).toBeVisible();
    await expect(page).toHaveURL(/from=2&to=2/);
  });

  await test.step('deploying shows the diff first, and applications get the version immediately', async () => {
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Deploy' });
    await expect(dialog.getByRole('textbox', { name: 'Version 2', exact: true })).toContainText('of {{ customer }}');
    await dialog.getByRole('button', { name: 'Deploy v2' }).click();
    await expect(page.getByText('production is now at v2.')).toBeVisible();
    expect(await api.fetchPrompt('support/triage')).toMatchObject({ version: 2, config: { temperature: 0.2 } });
  });

  await test.step('rolling back works the same way and can be undone', async () => {
    await page.getByRole('button', { name: 'Deploy v1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deploy' });
    await dialog.getByRole('button', { name: 'Roll back to v1' }).click();
    await expect(page.getByText('production is now at v1.')).toBeVisible();
    expect(await api.fetchPrompt('support/triage')).toMatchObject({ version: 1 });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByText('production is back at v2.')).toBeVisible();
    expect(await api.fetchPrompt('support/triage')).toMatchObject({ version: 2 });
  });

  await test.step('the history says who made each change, and whether over the API', async () => {
    await api.saveVersion('support/triage', { template: 'Sort this', message: 'By a program' });
    await page.reload();
    const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await expect(entry('By a program')).toContainText('Ada Lovelace via API ·');
    await expect(entry('Name the customer')).toContainText('Ada Lovelace ·');
  });

  await test.step('a label is protected in the settings, and the activity says so', async () => {
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByRole('dialog', { name: 'Deploy' }).getByRole('link', { name: 'Label rules' }).click();
    const rules = page.getByRole('group', { name: 'Rules for production' });
    await rules.getByRole('switch', { name: 'Protect this label' }).press('Space');
    await page.getByRole('alertdialog', { name: 'Protect production?' }).getByRole('button', { name: 'Protect' }).click();
    await expect(page.getByText('production is protected.')).toBeVisible();
    // Activity is written within a second.
    await expect.poll(async () => (await api.request.get('/api/account/activity')).text()).toContain('workspace_changed');
    await page.goto('/dashboard/settings/security');
    await expect(page.getByText('Label production is protected')).toBeVisible();
    await page.goto('/dashboard/prompts/support/triage');
    await expect(page.getByLabel('protected', { exact: true })).toBeVisible();
  });
});

test('a version can be deployed right after it is saved, before the page has refetched the prompt', async ({ signedIn: page, api }) => {
  await api.createPrompt('quick', { template: 'before' });
  await page.goto('/dashboard/prompts/quick');
  await write(page, 'Template', 'after');
  const refetch = Promise.withResolvers<void>();
  await page.route('**/api/prompts?name=quick', async (route) => {
    await refetch.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click();
  await expect(page.getByText('latest v2')).toBeVisible();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('dialog', { name: 'Deploy' }).getByRole('button', { name: 'Deploy v2' }).click();
  refetch.resolve();
  await expect(page.getByText('production is now at v2.')).toBeVisible();
  expect(await api.fetchPrompt('quick')).toMatchObject({ version: 2, template: 'after' });
});

test('the messages of a chat prompt are added, moved and changed', async ({ signedIn: page, api }) => {
  await api.createPrompt('chat', {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '{{ question }}' },
    ],
  });
  await page.goto('/dashboard/prompts/chat');
  await page.getByRole('button', { name: 'Placeholder' }).click();
  await page.getByRole('button', { name: 'Move message 3 up' }).click();
  await page.getByRole('button', { name: 'Remove message 1' }).click();
  await expect(page.getByRole('textbox', { name: 'Message 1', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('textbox', { name: 'Message 1', exact: true })).toHaveText('Be brief.');
  await page.getByLabel('Role of message 1').selectOption('developer');
  await write(page, 'Message 3', 'Answer this: {{ question }}');
  await page.getByLabel('question', { exact: true }).fill('Why?');
  await expect(page.getByTestId('preview').last()).toHaveText('Answer this: Why?');
  await page.getByRole('button', { name: 'Save version' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save version 2' });
  await dialog.getByRole('checkbox', { name: 'production v1 to v2' }).check();
  await dialog.getByLabel('Another label').fill('Canary!');
  await expect(dialog.getByLabel('Another label')).toHaveAccessibleDescription(/lowercase letters/);
  await expect(dialog.getByRole('button', { name: 'Save and deploy' })).toBeDisabled();
  await dialog.getByLabel('Another label').fill('canary');
  await dialog.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(page.getByText('Version 2 saved and deployed to canary, production.')).toBeVisible();
  expect((await api.fetchPrompt('chat')).messages).toEqual([
    { role: 'developer', content: 'Be brief.' },
    { placeholder: 'history' },
    { role: 'user', content: 'Answer this: {{ question }}' },
  ]);

  await test.step('a label is removed after a warning, and comes back with Undo', async () => {
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByLabel('To', { exact: true }).selectOption('canary');
    await page.getByRole('button', { name: 'Remove canary' }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Remove canary?' });
    await expect(confirm).toContainText('with the label canary will get 404');
    await confirm.getByRole('button', { name: 'Remove label' }).click();
    await expect(page.getByText('canary removed.')).toBeVisible();
    expect((await api.request.get(api.path('chat', '?label=canary'))).status()).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByText('canary is back at v2.')).toBeVisible();
    expect((await api.request.get(api.path('chat', '?label=canary'))).status()).toBe(200);
  });
});

test('the focus follows messages that are added, removed and brought back', async ({ signedIn: page, api }) => {
  await api.createPrompt('chat', {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
    ],
  });
  // The editor is loaded only after the message was added. The focus must still move to the new message.
  await page.route('**/CodeEditor*.js', async (route) => {
    await expect(page.getByLabel('Role of message 3')).toBeVisible();
    await route.continue();
  });
  await page.goto('/dashboard/prompts/chat');
  const message = (number: number) => page.getByRole('textbox', { name: `Message ${number}`, exact: true });
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Add message');
  await expect(message(3)).toBeFocused();
  await page.keyboard.type(' yes');
  await expect(message(3)).toHaveText(' yes');
  await press('Add placeholder');
  await expect(page.getByLabel('Variable of placeholder 4')).toBeFocused();
  await press('Remove message 4');
  await expect(message(3)).toBeFocused();
  await press('Remove message 1');
  await expect(message(1)).toHaveText('Why?');
  await expect(message(1)).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(message(1)).toHaveText('Be brief.');
  await expect(message(1)).toBeFocused();
});

test('the focus follows a message that is removed before the effects of the last change have run', async ({ signedIn: page, api }) => {
  await api.createPrompt('chat', {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
    ],
  });
  await page.goto('/dashboard/prompts/chat');
  const preview = page.getByTestId('preview').last();
  await expect(preview).toHaveText('Why?');
  await write(page, 'Message 2', 'Why not?');
  await expect(preview).toHaveText('Why not?');
  await preview.evaluate((element) => {
    // As on a busy machine, React pauses after each step. The click arrives in the pause between showing the earlier preview again and the
    // effects.
    const now = performance.now.bind(performance);
    let passedMs = 0;
    performance.now = () => {
      passedMs += 10;
      return now() + passedMs;
    };
    const observer = new MutationObserver(() => {
      observer.disconnect();
      document.querySelector<HTMLElement>('[aria-label="Remove message 1"]')?.click();
    });
    observer.observe(element, { childList: true, characterData: true, subtree: true });
  });
  await write(page, 'Message 2', 'Why?');
  const message = page.getByRole('textbox', { name: 'Message 1', exact: true });
  await expect(message).toHaveText('Why?');
  await expect(message).toBeFocused();
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`toasts cover no dialog and close none, at ${viewport.width} pixels`, async ({ signedIn: page, api }) => {
    await page.setViewportSize(viewport);
    await api.createPrompt('greet');
    await page.goto('/dashboard/prompts/greet');
    await write(page, 'Template', `Hi {{ name }} {% render 'shared/a-name-that-makes-a-long-note' %}${'\nline'.repeat(80)}`);
    await page.getByRole('button', { name: 'Save version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await expect(page.getByText('Version 2 saved.')).toBeVisible();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await expect(dialog).toBeVisible();
    const toasts = page.getByRole('region', { name: 'Notifications' }).locator('> div');
    await expect(toasts).toHaveCount(2);
    const panel = await dialog.boundingBox();
    for (const toast of await toasts.all()) {
      const box = await toast.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(panel?.y ?? 0);
    }
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await expect(toasts).toHaveCount(1);
    await expect(dialog).toBeVisible();
  });
}

test('a new prompt starts empty, survives a reload, and is deployed only on request', async ({ signedIn: page, api }) => {
  await page.goto('/dashboard/new?folder=drafts');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Save and deploy' })).toBeDisabled();
  await page.getByRole('radio', { name: 'Chat' }).click();
  await expect(page.getByRole('textbox', { name: 'Message 1', exact: true })).toHaveText('Write here. {{ name }} is a variable.');
  await expect(page.getByRole('textbox', { name: 'Message 2', exact: true })).toBeHidden();
  await page.getByLabel('Name').fill('drafts/greeting');
  await page.getByLabel('Description').fill('Says hello');
  await write(page, 'Message 1', 'Greet {{ person }}.');
  const person = page.getByLabel('person', { exact: true });
  await person.fill('Ada');

  await page.getByRole('link', { name: 'Bin' }).click();
  await expect(page.getByRole('heading', { name: 'Bin', exact: true })).toBeVisible();
  await page.goto('/dashboard/new');
  await expect(page.getByText(/Your unsaved changes .* were restored/)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('');
  await expect(person).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(person).toHaveValue('Ada');
  await expect(page.getByLabel('Name')).toHaveValue('drafts/greeting');
  await expect(page.getByRole('textbox', { name: 'Message 1', exact: true })).toHaveText('Greet {{ person }}.');

  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByRole('heading', { name: 'drafts/greeting' })).toBeVisible();
  await expect(page.getByText('not deployed', { exact: true })).toBeVisible();
  await expect(person).toHaveValue('Ada');
  const { data } = (await (await api.request.get('/api/prompts?name=drafts/greeting')).json()) as { data: object[] };
  expect(data).toMatchObject([{ description: 'Says hello', labels: {}, latestVersion: 1 }]);
  expect(await (await api.request.get(api.path('drafts/greeting', '/versions/1'))).json()).toMatchObject({
    messages: [{ role: 'system', content: 'Greet {{ person }}.' }],
  });
  await page.goto('/dashboard/new');
  await expect(page.getByLabel('Name')).toHaveValue('');
});

test.describe('a large template', () => {
  // The preview is rendered while tags are being typed.
  test.use({ allows4xx: true });

  test('scrolls inside the editor, is searched, and its words are completed', async ({ signedIn: page, api }) => {
    const line = 'Answer {{ customer.name }} with care, at length, and in their own language. ';
    await api.createPrompt('large', { template: `{{ topic }}\n${`${line}\n`.repeat(3000)}the needle\n` });
    await api.createPrompt("shared/it's tone", { template: 'Be kind.', labels: ['production', 'staging'] });
    await page.goto('/dashboard/prompts/large');
    const editor = page.getByRole('textbox', { name: 'Template', exact: true });
    await expect(editor).toContainText('Answer');
    const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(pageHeight).toBe(800);

    // With the longest content that the API allows and with many messages, the editor stays visible, and the page does not continue below
    // it.
    const tags = Array.from({ length: 20 }, (_, index) => `${'T'.repeat(48)}${index + 10}`);
    await api.createPrompt('W'.repeat(200), { template: 'Hi', description: 'D '.repeat(1000), tags });
    await page.goto(`/dashboard/prompts/${'W'.repeat(200)}`);
    await expect(editor).toHaveText('Hi');
    await expect.poll(async () => (await editor.boundingBox())?.height).toBeGreaterThan(200);
    const messages = Array.from({ length: 40 }, (_, index) => ({ role: 'user', content: `Message ${index}` }));
    await api.createPrompt('chat', { messages });
    await page.goto('/dashboard/prompts/chat');
    await expect(page.getByTestId('preview').last()).toHaveText('Message 39');
    await expect.poll(pageHeight).toBe(800);
    await page.goto('/dashboard/prompts/large');
    await expect(editor).toContainText('Answer');

    await page.getByRole('button', { name: 'Find in the template' }).click();
    await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
    await page.keyboard.type('needle');
    await page.keyboard.press('Enter');
    await expect(editor.getByText('the needle')).toBeInViewport();
    await page.keyboard.press('Escape');

    const accept = async (typed: string, option: string | RegExp) => {
      await page.keyboard.type(typed);
      const offered = page.getByRole('option', { name: option });
      await expect(offered).toBeVisible();
      // The editor ignores a click while it prepares the list for the last letter.
      await expect(async () => {
        if (await offered.isVisible()) await offered.click({ timeout: 2000 });
        await expect(offered).toBeHidden({ timeout: 2000 });
      }).toPass({ timeout: 40_000 });
    };
    await page.keyboard.press('ControlOrMeta+End');
    await accept('{{ top', 'topic');
    await accept(' | upc', 'upcase');
    await accept(' }} {{ customer.', 'name');
    await page.keyboard.type(' }} ');
    await accept("{% render 'ton", "shared/it's tone");
    await accept(", label: 'sta", 'staging');
    await accept(' %} {% unl', /^unless/);
    await page.keyboard.type('topic');
    await page.keyboard.press('Tab');
    await page.keyboard.type('none');
    await expect(editor).toContainText(
      `{{ topic | upcase }} {{ customer.name }} {% render "shared/it's tone", label: 'staging' %} {% unless topic %}none{% endunless %}`,
    );
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\nשלום');
    await expect(editor.getByText('שלום')).toHaveCSS('direction', 'rtl');
    await expect(editor.getByText('the needle')).toHaveCSS('direction', 'ltr');

    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByRole('button', { name: 'Save version' })).toBeInViewport();
    await expect.poll(pageHeight).toBeLessThan(5000);
    await expectNoSidewaysScroll(page);
  });
});

test('an old version is opened in the editor as unsaved changes', async ({ signedIn: page, api }) => {
  await api.createPrompt('old', { template: 'first' });
  await api.saveVersion('old', { template: 'second', message: 'Another' });
  await page.goto('/dashboard/prompts/old?view=history');
  await page.getByRole('button', { name: 'Open in editor: v1' }).click();
  await expect(page.getByRole('textbox', { name: 'Template' })).toHaveText('first');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
});

test('snippets contain the URL of the prompt and are copied as they are shown; the key has a button of its own', async ({
  signedIn: page,
  api,
  account,
  service,
}) => {
  await api.createPrompt('a/b', { template: '{{ customer.name }}{% for item in items %}{{ item.price }}{% endfor %}' });
  await page.goto('/dashboard/prompts/a/b?view=code');
  await expect(page.getByRole('region', { name: 'render snippet' })).toContainText(
    `-d '{"variables":{"customer":{"name":"…"},"items":[{"price":"…"}]}}'`,
  );
  for (const name of ['fetch snippet', 'render snippet', 'settings']) {
    await emptyClipboard(page);
    await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
    const shown = await page.getByRole('region', { name, exact: true }).textContent();
    await expect.poll(() => readClipboard(page), name).toBe(shown);
  }
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await expect.poll(() => readClipboard(page)).toBe(account.token);
  for (const language of ['TypeScript', 'Python']) {
    await page.getByRole('radio', { name: language }).click();
    await expect(page.getByRole('radio', { name: 'curl' }), 'a segment is not drawn as a circle').toHaveCSS('border-width', '0px');
    await expect(page.getByRole('region', { name: 'fetch snippet' })).toContainText(`${service.url}/api/prompts/a%2Fb`);
  }
});

test('links with earlier names of views still open them', async ({ signedIn: page, api }) => {
  await api.createPrompt('linked', { template: 'Hello' });
  for (const [view, tab] of [
    ['includes', 'Dependencies'],
    ['use', 'Code'],
  ]) {
    await page.goto(`/dashboard/prompts/linked?view=${view}`);
    await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
  }
});

test('a prompt is deleted and restored', async ({ signedIn: page, api }) => {
  await api.createPrompt('gone');
  await page.goto('/dashboard/prompts/gone');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('gone moved to the bin.')).toBeVisible();
  expect((await api.request.get(api.path('gone'))).status()).toBe(404);
  await page.getByRole('link', { name: 'Bin' }).click();
  await page.getByRole('button', { name: 'Restore gone' }).click();
  await expect(page.getByText('gone restored.')).toBeVisible();
  await expect(page.getByText('The bin is empty')).toBeVisible();
  expect((await api.request.get(api.path('gone'))).status()).toBe(200);
});

test.describe('gated labels', () => {
  // Without a reason, the server refuses the move.
  test.use({ allows4xx: true });

  test('a prompt with a gated label on a version that has not passed is restored with a reason', async ({ signedIn: page, api }) => {
    await api.createPrompt('gated');
    const check = { kind: 'contains', value: 'never there', on: 'prompt' };
    expect((await api.request.post(api.path('gated', '/cases'), { data: { name: 'One', checks: [check] } })).status()).toBe(201);
    expect((await api.request.patch('/api/workspace', { data: { gatedLabels: ['production'] } })).status()).toBe(200);
    await api.request.delete(api.path('gated'));
    await page.goto('/dashboard/bin');
    const restore = page.getByRole('button', { name: 'Restore gated' });
    await restore.click();
    const dialog = page.getByRole('dialog', { name: 'Restore gated without passing checks?' });
    await expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled();
    expect(await findViolations(page, {}, ['[role=dialog]'])).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await restore.press('Enter');
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await page.keyboard.type('Deleted by mistake');
    await page.keyboard.press('Enter');
    await expect(page.getByText('gated restored.')).toBeVisible();
    await expect(page.getByText('The bin is empty')).toBeVisible();
    const history = await (await api.request.get(api.path('gated', '/history'))).json();
    expect(history.data[0]).toMatchObject({ type: 'restored', override: 'Deleted by mistake' });
  });
});

test('a prompt whose name has special characters is listed, opened, reloaded and used', async ({ signedIn: page, api, service }) => {
  const name = `Größe & 50%/it's (a) #1? 語 a%2Fb`;
  await page.goto('/dashboard/new');
  await page.getByLabel('Name').fill(name);
  await write(page, 'Template', 'x');
  await page.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await page.getByRole('tab', { name: 'Code' }).click();
  const url = `${service.url}/api/prompts/Gr%C3%B6%C3%9Fe%20%26%2050%25%2Fit%27s%20%28a%29%20%231%3F%20%E8%AA%9E%20a%252Fb`;
  await expect(page.getByRole('region', { name: 'fetch snippet' })).toContainText(`curl ${url} `);
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Größe & 50%' }).click();
  await page.getByRole('link', { name: `it's (a) #1? 語 a%2Fb` }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  expect(await api.fetchPrompt(name)).toMatchObject({ template: 'x' });
});

test.describe('invalid details', () => {
  test.use({ allows4xx: true });

  test('errors are shown at their fields', async ({ signedIn: page, api }) => {
    await api.createPrompt('taken');
    await page.goto('/dashboard/new');
    await page.getByLabel('Name').fill('a|b');
    await page.getByLabel('Tags').fill(`fine, ${'x'.repeat(51)}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/are not allowed/);
    await expect(page.getByLabel('Tags')).toHaveAccessibleDescription(/50 characters/);
    await page.getByLabel('Name').fill('taken');
    await page.getByLabel('Tags').fill('fine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/with this name/);
  });
});

test('a prompt is renamed, described and tagged', async ({ signedIn: page, api }) => {
  await api.createPrompt('before');
  await page.goto('/dashboard/prompts/before');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Name, description, tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('folder/after');
  await dialog.getByLabel('Description').fill('What it is for');
  await dialog.getByLabel('Tags').fill('one, two, one');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/dashboard\/prompts\/folder\/after$/);
  await expect(page.getByRole('heading', { name: 'folder/after' })).toBeVisible();
  const { data } = (await (await api.request.get('/api/prompts')).json()) as { data: object[] };
  expect(data).toMatchObject([{ name: 'folder/after', description: 'What it is for', tags: ['one', 'two'] }]);
});

test('changing the description keeps the tags that someone else set in the meantime', async ({ signedIn: page, api }) => {
  await api.createPrompt('described');
  await page.goto('/dashboard/prompts/described');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Name, description, tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('Mine');
  expect((await api.request.patch(api.path('described'), { data: { tags: ['theirs'] } })).status()).toBe(200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const { data } = (await (await api.request.get('/api/prompts')).json()) as { data: object[] };
  expect(data).toMatchObject([{ description: 'Mine', tags: ['theirs'] }]);
});

test('what others do appears at once, with their names, and the draft is kept', async ({ signedIn: page, api }) => {
  await api.createPrompt('shared');
  await openLive(page, '/dashboard/prompts/shared');
  await write(page, 'Template', 'my unsaved work');
  await api.saveVersion('shared', { template: 'Theirs', labels: ['production'] });
  await expect(page.getByText('Ada Lovelace (via API) saved version 2.')).toBeVisible();
  await expect(page.getByText('Ada Lovelace (via API) deployed version 2 to production.')).toBeVisible();
  await expect(page.getByText('latest v2')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Template', exact: true })).toHaveText('my unsaved work');
});

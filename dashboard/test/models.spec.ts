import { LLMock } from '@copilotkit/aimock';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, test as base, expect, write } from './support/fixtures.ts';
import { type ModelServer, startModelServer } from './support/model-server.ts';
import { type Service, startService } from './support/service.ts';

const providerKey = 'sk-provider-key-that-must-not-leak-7f3a';

/** A service that may connect to this machine, and two servers with models: one that responds at once, one step by step. */
const test = base.extend<{ mock: LLMock; slow: ModelServer }, { service: Service }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
    async ({}, use) => {
      const service = await startService({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0, auth: { apiKeys: [providerKey] } });
    await mock.start();
    await use(mock);
    await mock.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  slow: async ({}, use) => {
    const server = await startModelServer();
    await use(server);
    await server.close();
  },
});
test.use({ allows4xx: true });

async function connect(api: Api, name: string, baseUrl: string, fields: object = {}): Promise<void> {
  const response = await api.request.post('/api/models', {
    data: { name, baseUrl, models: ['some-model'], apiKey: providerKey, ...fields },
  });
  expect(response.status()).toBe(201);
}

const output = (page: Page) => page.getByRole('region', { name: /^Output/ });

test('a connection: refused with the setting to add, made from a preset, tested, changed; its key is nowhere', async ({
  signedIn: page,
  mock,
}) => {
  test.setTimeout(600_000);
  const received: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/') && !response.url().includes('/api/events')) received.push(response.text().catch(() => ''));
  });
  await page.goto('/dashboard/settings/models');
  // The service runs on this machine, so a server on this machine is the first to try.
  const presets = page.getByRole('tabpanel').getByRole('listitem');
  await expect(presets.first()).toContainText('Ollama');
  await presets.filter({ hasText: 'OpenAI' }).getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toHaveValue('OpenAI');
  await expect(dialog.getByLabel('Base address')).toHaveValue('https://api.openai.com/v1');
  await expect(dialog.getByRole('link', { name: 'Get a key' })).toHaveAttribute('href', 'https://platform.openai.com/api-keys');

  await dialog.getByLabel('Base address').fill('http://10.0.0.7/v1');
  await dialog.getByLabel('Key', { exact: true }).fill(providerKey);
  await dialog.getByRole('button', { name: 'Connect and test' }).click();
  await expect(dialog.getByRole('region', { name: 'setting' })).toHaveText('OUTBOUND_ALLOW=10.0.0.7');
  await expectAccessible(page);

  await dialog.getByLabel('Base address').fill(`${mock.url}/v1`);
  await dialog.getByLabel('Name').fill('Local');
  await dialog.getByLabel('Key', { exact: true }).fill('sk-wrong');
  await dialog.getByRole('button', { name: 'Connect and test' }).click();
  await expect(dialog.getByRole('heading', { name: 'Local does not work yet' })).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('rejected the key (401)');
  await dialog.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Key', { exact: true }).fill(providerKey);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('heading', { name: 'Local works' })).toBeVisible();
  const models = dialog.getByRole('group', { name: 'Allowed models' }).getByRole('checkbox');
  await models.first().check();
  await dialog.getByRole('button', { name: 'Save models' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('key ends in 7f3a')).toBeVisible();

  await test.step('prices are entered beside the models', async () => {
    await page.getByRole('button', { name: 'More actions for Local' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Input price of model 1').fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Enter both prices, or none.');
    await dialog.getByLabel('Output price of model 1').fill('2');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('another address drops the key, and says so before', async () => {
    await page.getByRole('button', { name: 'More actions for Local' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expect(dialog.getByLabel('Input price of model 1')).toHaveValue('0.5');
    await expect(dialog.getByLabel('Key', { exact: true })).toHaveValue('');
    await dialog.getByLabel('Base address').fill(`${mock.url}/other/v1`);
    await expect(dialog.getByRole('status')).toContainText('is removed when you save');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText('requires a key (401)');
    await page.keyboard.press('Escape');
    await expect(page.getByText('· no key')).toBeVisible();
  });

  await test.step('the key is nowhere', async () => {
    const stored = await page.evaluate(() =>
      JSON.stringify([
        document.documentElement.outerHTML,
        [...document.querySelectorAll('input')].map(({ value }) => value),
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
      ]),
    );
    expect(stored + (await Promise.all(received)).join('\n')).not.toContain(providerKey);
  });

  await test.step('the budget of the day', async () => {
    await page.getByLabel('Cost in US dollars').fill('2.5');
    await page.getByLabel('Tokens').fill('a lot');
    await expect(page.getByRole('alert')).toContainText('Enter a number');
    await page.getByLabel('Tokens').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Budget saved.')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Cost in US dollars')).toHaveValue('2.5');
  });

  await page.getByRole('button', { name: 'More actions for Local' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(presets.first()).toContainText('Ollama');
});

test('a run streams, stops, fails in the middle, ends with the page, and is kept to be opened and repeated', async ({
  signedIn: page,
  api,
  slow,
}) => {
  test.setTimeout(600_000);
  const prices = { 'some-model': { input: 1, output: 10 } };
  await connect(api, 'Slow', slow.url, { models: ['other-model', 'some-model'], prices });
  await api.createPrompt('greet', { template: 'Greet {{ name }}', config: { model: 'some-model', temperature: 0.2 } });
  await page.goto('/dashboard/prompts/greet');
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');

  await test.step('the text appears as it arrives, then what it took', async () => {
    await page.getByRole('textbox', { name: 'Template' }).click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('some-model');
    const call = await slow.next();
    expect(call.body).toMatchObject({ model: 'some-model', temperature: 0.2, messages: [{ role: 'user', content: 'Greet Ada' }] });
    await expect(page.getByText('Waiting for the model…')).toBeVisible();
    call.write('Hello ');
    await expect(output(page)).toHaveText('Hello');
    call.write('Ada!\u2028 שלום');
    await expect(output(page)).toContainText('Hello Ada!');
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
    call.finish();
    await expect(page.getByTestId('run-metrics')).toContainText('1,200 in');
    await expect(page.getByTestId('run-metrics')).toContainText('34 out');
    await expect(page.getByTestId('run-metrics')).toContainText('$0.0015');
    await expect(output(page)).toContainText('שלום');
    await expectAccessible(page);
  });

  await test.step('Stop ends the request to the model and keeps what had arrived, also while looking at another view', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const call = await slow.next();
    call.write('A long story!');
    await expect(output(page)).toHaveText('A long story!');
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByRole('tab', { name: 'Editor' }).click();
    await expect(output(page)).toHaveText('A long story!');
    await page.getByRole('button', { name: 'Stop' }).click();
    await call.closed;
    await expect(page.getByText('Stopped after')).toBeVisible();
    await expect(output(page)).toHaveText('A long story!');
  });

  await test.step('unsaved content runs, and an error in the middle is shown beside what had arrived', async () => {
    await write(page, 'Template', 'Greet {{ name }} in Latin');
    await page.keyboard.press('ControlOrMeta+Enter');
    const call = await slow.next();
    expect(call.body.messages[0]?.content).toBe('Greet Ada in Latin');
    call.write('Salve ');
    call.fail('The model is on fire');
    await expect(page.getByRole('alert')).toContainText('aborted the response: The model is on fire');
    await expect(output(page)).toHaveText('Salve');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  await test.step('what is missing is named before anything is sent', async () => {
    await page.getByRole('button', { name: 'Reset values' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('name');
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Grace');
  });

  await test.step('leaving the page ends the request to the model', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const call = await slow.next();
    call.write('Still ');
    await expect(output(page)).toHaveText('Still');
    await page.getByRole('link', { name: 'Bin' }).click();
    await call.closed;
  });

  await test.step('the runs are kept: opened, repeated with the same input, opened in the editor', async () => {
    await page.goto('/dashboard/prompts/greet?view=runs');
    const rows = page
      .getByRole('tabpanel')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') });
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(0)).toContainText('stopped');
    await expect(rows.nth(1)).toContainText('failed');
    await expect(rows.nth(1)).toContainText('draft');
    await rows.nth(1).getByRole('link').click();
    await expect(page.getByRole('alert')).toContainText('The model is on fire');
    await page.getByText('Messages (1)').click();
    await expect(page.getByText('Greet Ada in Latin')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run again' }).click();
    const call = await slow.next();
    expect(call.body).toMatchObject({ model: 'some-model', temperature: 0.2, messages: [{ role: 'user', content: 'Greet Ada in Latin' }] });
    call.write('Salve Ada');
    call.finish();
    await expect(page.getByRole('region', { name: 'Output of the new run' })).toHaveText('Salve Ada');
    await expect(rows).toHaveCount(5);
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await expect(page.getByRole('textbox', { name: 'Template' })).toHaveText('Greet {{ name }} in Latin');
    await expect(page.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Ada');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('textbox', { name: 'Template' })).toHaveText('Greet {{ name }}');
    await expect(page.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Grace');
  });
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`the output of a run is in sight at ${viewport.width} pixels, and the variables make room`, async ({
    signedIn: page,
    api,
    slow,
  }) => {
    await page.setViewportSize(viewport);
    await connect(api, 'Slow', slow.url);
    await api.createPrompt('long', { template: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `{{ ${name} | default: '' }}`).join(' ') });
    await page.goto('/dashboard/prompts/long');
    await page.getByRole('radio', { name: 'Run' }).check();
    const variables = page.getByRole('button', { name: 'Variables 6' });
    await expect(variables).toHaveAttribute('aria-expanded', 'true');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const call = await slow.next();
    await expect(page.getByText('Waiting for the model…')).toBeInViewport();
    await expect(variables).toHaveAttribute('aria-expanded', 'false');
    for (let line = 1; line <= 60; line += 1) call.write(`Line ${line} of what the model wrote.\n`);
    await expect(output(page)).toContainText('Line 60');
    await expect(output(page)).toBeInViewport({ ratio: 1 });
    call.finish();
    await expect(page.getByTestId('run-metrics')).toBeVisible();
    await expect(output(page)).toBeInViewport({ ratio: 1 });
    await page.getByRole('radio', { name: 'Preview' }).check();
    await expect(variables).toHaveAttribute('aria-expanded', 'true');
  });
}

test('JSON and tool calls are shown well, and two to four columns are compared with the same input', async ({
  signedIn: page,
  api,
  mock,
}) => {
  test.setTimeout(600_000);
  mock.onMessage('Sort', { content: '{"topic":"billing","urgent":true}' });
  mock.onMessage('Look up', { toolCalls: [{ name: 'find_order', arguments: '{"id":17}' }] });
  mock.onMessage('Greet Ada', { content: 'Hello Ada!\nHow are you?' });
  mock.onMessage('Welcome Ada', { content: 'Welcome Ada!\nHow are you?' });
  await connect(api, 'Quick', `${mock.url}/v1`, { models: ['model-a', 'model-b'] });
  await api.createPrompt('sort', { template: 'Sort {{ request }}' });
  await api.saveVersion('sort', { template: 'Look up {{ request }}', config: { tools: [] } });
  await api.createPrompt('greet', { template: 'Greet {{ name }}' });
  await api.saveVersion('greet', { template: 'Welcome {{ name }}', config: { temperature: 1 } });

  await page.goto('/dashboard/new');
  await page.getByRole('radio', { name: 'Run' }).check();
  await write(page, 'Template', 'Sort this');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(output(page)).toHaveText('{\n  "topic": "billing",\n  "urgent": true\n}');
  await page.getByRole('radio', { name: 'Raw' }).check();
  await expect(output(page)).toHaveText('{"topic":"billing","urgent":true}');

  await page.goto('/dashboard/prompts/sort');
  await page.getByRole('textbox', { name: 'request', exact: true }).fill('order');
  await page.getByRole('radio', { name: 'Run' }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('find_order', { exact: true })).toBeVisible();
  await expect(page.locator('pre').filter({ hasText: '"id": 17' })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/dashboard/prompts/greet');
  await expect(page.getByTestId('preview')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: /^Search/ }).fill('compare runs');
  await page.getByRole('option', { name: /^Compare runs/ }).click();
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
  await expect(page.getByLabel('Column 1: Version')).toHaveValue('1');
  await expect(page.getByLabel('Column 2: Version')).toHaveValue('2');
  await page.getByRole('button', { name: 'Add column' }).click();
  await page.getByLabel('Column 3: Model').selectOption('model-b');
  await page.getByText('Other parameters for this column').nth(2).click();
  await page.getByLabel('Column 3: Other parameters').fill('{ "temperature": ');
  await expect(page.getByText('The parameters are not a JSON object.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run all' })).toBeDisabled();
  await page.getByLabel('Column 3: Other parameters').fill('{ "temperature": 0, "seed": 7 }');
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(output(page)).toHaveText(['Hello Ada!\nHow are you?', 'Welcome Ada!\nHow are you?', 'Welcome Ada!\nHow are you?']);
  await expect(page.getByTestId('run-metrics')).toHaveCount(3);
  const sent = mock
    .getRequests()
    .slice(-3)
    .map(({ body }) => body as unknown as Record<string, unknown>);
  expect(sent).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ model: 'model-a', messages: [{ role: 'user', content: 'Greet Ada' }] }),
      expect.objectContaining({ model: 'model-a', temperature: 1 }),
      expect.objectContaining({ model: 'model-b', temperature: 0, seed: 7 }),
    ]),
  );

  await expect(page.getByRole('heading', { name: 'Differences between the outputs' })).toBeVisible();
  await expect(page.locator('.cm-changedText').filter({ hasText: 'Welcome' })).toBeVisible();
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 });
  await page.getByLabel('To', { exact: true }).selectOption({ index: 2 });
  await expect(page.getByText('The outputs are identical.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove column 3' }).click();
  await expect(page.locator('.cm-changedText').filter({ hasText: 'Welcome' })).toBeVisible();
});

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, test as base, expect, expectNoSidewaysScroll, write } from './support/fixtures.ts';

/** A server that speaks the protocol of models. */
const test = base.extend<{ mock: LLMock }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage('"rubric":"Names the order"', { content: '{"pass": true, "reason": "It names order 42."}' });
    mock.onMessage('Is this polite:', { content: '{"pass": false, "why": "too short"}' });
    mock.onMessage('politely', { content: 'Your order 42 is on its way.' });
    mock.onMessage('rudely', { content: `Go away.${' Really.'.repeat(200)}` });
    await mock.start();
    await use(mock);
    await mock.stop();
  },
});
test.use({ allows4xx: true });

async function expectToFitPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function connect(api: Api, name: string, baseUrl: string): Promise<void> {
  const prices = { 'some-model': { input: 1000, output: 2000 } };
  const response = await api.request.post('/api/models', { data: { name, baseUrl, models: ['some-model'], prices } });
  expect(response.status()).toBe(201);
}

async function addCheck(dialog: Locator, kind: string, field: string, value: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Add check' }).click();
  const check = dialog.getByRole('group', { name: /^Check \d/ }).last();
  await check.getByLabel('Requirement').selectOption(kind);
  await check.getByLabel(field, { exact: true }).fill(value);
}

const caseRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Test cases' }).getByRole('listitem').filter({ hasText: name }).first();

test('an input becomes a test case, production requires its checks, and a worse version is not deployed', async ({
  signedIn: page,
  api,
  mock,
}) => {
  test.setTimeout(600_000);
  await connect(api, 'Local', `${mock.url}/v1`);
  await api.createPrompt('support/answer', { template: 'Answer politely: {{ request }}' });
  await page.goto('/dashboard/prompts/support/answer');
  const dialog = page.getByRole('dialog');

  await test.step('the values of the preview are saved as a test case with two checks', async () => {
    await page.getByLabel('request', { exact: true }).fill('Where is my order?');
    await page.getByRole('button', { name: 'Save as test case' }).click();
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Where is my order?');
    await expect(dialog.getByLabel('request', { exact: true })).toHaveValue('Where is my order?');
    await dialog.getByLabel('Name', { exact: true }).fill('Order status');
    const first = dialog.getByRole('group', { name: 'Check 1' });
    await addCheck(dialog, 'matches', 'Regular expression', 'order (');
    await addCheck(dialog, 'maxCharacters', 'Limit', 'many');
    await dialog.getByRole('button', { name: 'Add test case' }).click();
    await expect(dialog.getByRole('group', { name: 'Check 2' })).toContainText('Enter a whole number');
    await dialog.getByRole('group', { name: 'Check 2' }).getByLabel('Limit').fill('200');
    await dialog.getByRole('button', { name: 'Add test case' }).click();
    await expect(first).toContainText('Not a valid RE2 regular expression');
    await expectAccessible(page);
    await first.getByLabel('Regular expression').fill('order \\d+');
    await dialog.getByRole('button', { name: 'Add test case' }).click();
    await expect(page.getByText('Test case “Order status” added.')).toBeVisible();
  });

  await test.step('version 1 passes', async () => {
    await page.getByRole('tab', { name: 'Checks' }).click();
    await expect(caseRow(page, 'Order status')).toContainText('Output matches the regular expression order \\d+');
    await expect(caseRow(page, 'Order status')).toContainText('Output has at most 200 characters');
    await expect(page.getByLabel('Connection')).toHaveText('Local');
    await page.getByRole('button', { name: 'Run the test case' }).click();
    await expect(page.getByText(/^v1: 1 test case passed · some-model · \$0\.\d+$/)).toBeVisible();
    await expect(caseRow(page, 'Order status')).toContainText('v1 passed');
  });

  await test.step('production requires passing checks from now on', async () => {
    await page.goto('/dashboard/settings/labels');
    const rules = page.getByRole('group', { name: 'Rules for production' });
    const rule = rules.getByRole('switch', { name: /Require passing checks/ });
    const asked = page.getByRole('alertdialog', { name: 'Require passing checks for production?' });
    await rules.getByText('Require passing checks').click();
    await expect(asked).toContainText('every prompt and member of the workspace');
    await expectAccessible(page);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect(rule).not.toBeChecked();
    await rule.press('Space');
    await asked.getByRole('button', { name: 'Require checks' }).click();
    await expect(page.getByText('production requires passing checks.')).toBeVisible();
    await expect(rule).toBeChecked();
    const settings = async () => (await api.request.get('/api/workspace')).json();
    await expect.poll(settings).toMatchObject({ gatedLabels: ['production'] });
  });

  await test.step('a worse version is saved, checked and not deployed', async () => {
    await page.goto('/dashboard/prompts/support/answer');
    await write(page, 'Template', 'Answer rudely: {{ request }}');
    await page.keyboard.press('ControlOrMeta+S');
    await dialog.getByRole('checkbox', { name: /^production/ }).check();
    await expect(dialog).toContainText('production requires passing checks. Save the version first');
    await dialog.getByRole('button', { name: 'Save, then check and deploy' }).click();
    await expect(page.getByRole('dialog', { name: 'Deploy' })).toContainText('v2 has not been checked with the current test case');
    const deploy = dialog.getByRole('button', { name: 'Deploy v2' });
    await expect(deploy).toBeDisabled();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await dialog.getByRole('button', { name: 'Run the checks now' }).click();
    await expect(dialog).toContainText('v2 does not pass: 0 of 1 passed');
    await expect(deploy).toBeDisabled();
    expect((await api.fetchPrompt('support/answer')).version).toBe(1);
  });

  await test.step('the page shows what failed, and in which test case the versions differ', async () => {
    await dialog.getByRole('link', { name: 'See what failed' }).click();
    const row = caseRow(page, 'Order status');
    await expect(row).toContainText('The output does not match order');
    await page.getByLabel('Run to compare with').selectOption({ index: 1 });
    await expect(page.getByText('Compared with v1: 0 better, 1 worse, 0 unchanged.')).toBeVisible();
    await page.getByRole('radio', { name: 'Changed' }).check();
    await row.getByRole('button', { name: /^Order status/ }).click();
    await expect(page.getByRole('region', { name: 'Result of v2' })).toContainText('at most 200 are allowed');
    await expect(page.getByRole('region', { name: 'Output of v1' })).toHaveText('Your order 42 is on its way.');
    await page.getByRole('region', { name: 'Output of v2' }).getByRole('button', { name: 'Show all' }).click();
    await expectAccessible(page);
    await expectToFitPhone(page);
    await page.reload();
    await expect(page.getByText('Compared with v1: 0 better, 1 worse, 0 unchanged.')).toBeVisible();
  });

  await test.step('an admin overrides with a reason, which the history shows', async () => {
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await dialog.getByRole('checkbox', { name: /Deploy without passing checks/ }).check();
    const override = dialog.getByRole('button', { name: 'Override and deploy v2' });
    await expect(override).toBeDisabled();
    await dialog.getByLabel('Reason').fill('Customers asked for it');
    await override.click();
    await expect(page.getByText('production is now at v2.')).toBeVisible();
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByText('Without passing checks: Customers asked for it')).toBeVisible();
    expect((await api.fetchPrompt('support/answer')).version).toBe(2);
  });

  await test.step('a changed test case closes the gate, but neither rolling back nor Undo requires checks', async () => {
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByRole('button', { name: 'Actions for Order status' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('request', { exact: true }).fill('Where is my parcel?');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The test cases have changed since this run.')).toBeVisible();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await dialog.getByLabel('Version', { exact: true }).selectOption('1');
    await dialog.getByRole('button', { name: 'Roll back to v1' }).click();
    await expect(page.getByText('production is now at v1.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByText('production is back at v2.')).toBeVisible();
    expect((await api.fetchPrompt('support/answer')).version).toBe(2);
  });
});

test('test cases are imported, run without a model, exported, changed and deleted; a batch reports the refused prompts', async ({
  signedIn: page,
  api,
}) => {
  test.setTimeout(600_000);
  await api.createPrompt('greet/hello', { template: 'Hello {{ name }}' });
  await api.createPrompt('greet/bye', { template: 'Bye' });
  await api.saveVersion('greet/bye', { template: 'Bye bye' });
  await page.goto('/dashboard/prompts/greet/hello?view=checks');
  const dialog = page.getByRole('dialog');

  await test.step('an import says line by line what is wrong', async () => {
    await page.getByRole('button', { name: 'Import' }).click();
    const text = dialog.getByRole('textbox', { name: 'Test cases' });
    await text.fill('case,name,check:prompt:maxCharacters\nAda,Ada,ten\n,Bob,5');
    await expect(dialog.getByRole('alert')).toContainText('Line 2: check:maxCharacters: Enter a whole number');
    await expect(dialog.getByRole('alert')).toContainText('Line 3: The column case is empty');
    await expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
    await expectAccessible(page);
    await text.fill('case,name,check:prompt:matches\nAda,Ada,Hello\nBob,Bob,(');
    await dialog.getByRole('button', { name: 'Import 2 test cases' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Line 3: check 1: Not a valid RE2 regular expression');
    const lines = ['case,name,check:prompt:contains', 'Ada,Ada,Hello Ada', '"Long, and with quotes",Bob,Hello', 'Nobody,,Bye'];
    const buffer = Buffer.from(lines.join('\r\n'));
    await dialog.getByLabel('File with test cases').setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer });
    await dialog.getByRole('button', { name: 'Import 3 test cases' }).click();
    await expect(page.getByText('3 test cases added.')).toBeVisible();
  });

  await test.step('no model is needed, and a missing variable is shown as the reason for a failure', async () => {
    await expect(page.getByText('No model is needed')).toBeVisible();
    await page.getByRole('button', { name: 'Run all 3 test cases' }).click();
    await expect(page.getByText('v1: 1 of 3 test cases failed')).toBeVisible();
    await page.getByRole('radio', { name: 'Failed' }).check();
    await expect(page.getByRole('list', { name: 'Test cases' }).getByRole('button', { expanded: false, name: /^Nobody/ })).toBeVisible();
    await expect(caseRow(page, 'Long, and')).toHaveCount(0);
    await page.getByRole('radio', { name: 'All' }).check();
    await expectAccessible(page);
    await expectToFitPhone(page);
  });

  await test.step('a test case is duplicated, another one deleted, and all are exported', async () => {
    await page.getByRole('button', { name: 'Actions for Ada' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Ada (copy)');
    await dialog.getByLabel('name', { exact: true }).fill('Grace');
    await dialog.getByRole('button', { name: 'Add test case' }).click();
    await expect(caseRow(page, 'Ada (copy)')).toContainText('name: Grace');
    await page.getByRole('button', { name: 'Actions for Nobody' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Test case “Nobody” deleted.')).toBeVisible();
    await page.getByRole('button', { name: 'Import and export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.split('\r\n').map((line) => line.split(',"[')[0])).toEqual([
      'case,name,checks',
      'Ada,Ada',
      '"Long, and with quotes",Bob',
      'Ada (copy),Grace',
      '',
    ]);
  });

  await test.step('deploying several prompts deploys those that pass, and lists the others', async () => {
    await api.saveVersion('greet/hello', { template: 'Hi {{ name }}' });
    await api.request.patch('/api/workspace', { data: { gatedLabels: ['production'] } });
    await page.goto('/dashboard/prompts?folder=greet');
    for (const name of ['hello', 'bye']) await page.getByRole('checkbox', { name: new RegExp(`Select .*${name}`) }).click();
    await page.getByRole('region', { name: 'Selected prompts' }).getByRole('button', { name: 'Deploy' }).click();
    await expect(dialog).toContainText('production requires passing checks. Versions that have not passed are skipped');
    await dialog.getByRole('button', { name: 'Deploy 2 prompts' }).click();
    await expect(page.getByRole('dialog', { name: '1 prompt not deployed' })).toContainText('greet/hello');
    await expectAccessible(page);
    expect((await api.fetchPrompt('greet/bye')).version).toBe(2);
    expect((await api.fetchPrompt('greet/hello')).version).toBe(1);
    await dialog.getByRole('link', { name: 'greet/hello' }).click();
    await expect(page.getByRole('tab', { name: 'Checks' })).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('Stop ends the run on the server, too', async () => {
    const ended = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const silent = createServer((req) => {
      asked.resolve();
      req.socket.on('close', () => ended.resolve());
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // The server listens on a port.
    await connect(api, 'Silent', `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`);
    // The page may have loaded the connections before.
    await page.reload();
    await page.getByRole('button', { name: 'New test case' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Waits for a model');
    await dialog.getByLabel('name', { exact: true }).fill('Ada');
    await dialog.getByRole('button', { name: 'Add test case' }).click();
    await page.getByRole('button', { name: 'Run all 4 test cases' }).click();
    await expect(page.getByText('v2: 3 of 4 test cases')).toBeVisible();
    await asked.promise;
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByText(/Stopped after 3 of 4 test cases/)).toBeVisible();
    await ended.promise;
    silent.closeAllConnections();
    silent.close();
  });
});

test('several labels wait for the checks; a judge decides; the budget limits runs; an image is sent and shown', async ({
  signedIn: page,
  api,
  mock,
}) => {
  test.setTimeout(600_000);
  await connect(api, 'Local', `${mock.url}/v1`);
  await api.createPrompt('support/answer', { template: 'Answer politely: {{ request }}', labels: [] });
  await api.createPrompt('judges/polite', { template: 'Is this polite: {{ output }}' });
  await api.request.patch('/api/workspace', { data: { gatedLabels: ['production', 'staging'] } });
  const check = { kind: 'contains', value: 'order', on: 'prompt' };
  const variables = { request: 'Where is my order?' };
  await api.request.post(api.path('support/answer', '/cases'), { data: { name: 'Order status', variables, checks: [check] } });
  const dialog = page.getByRole('dialog');

  await test.step('a version is saved for two labels, checked once, and deployed to each in turn', async () => {
    await page.goto('/dashboard/prompts/support/answer');
    await write(page, 'Template', 'Answer very politely: {{ request }}');
    await page.keyboard.press('ControlOrMeta+S');
    for (const label of [/^production/, /^staging/]) await dialog.getByRole('checkbox', { name: label }).check();
    await dialog.getByRole('button', { name: 'Save, then check and deploy' }).click();
    await expect(page.getByRole('dialog', { name: 'Deploy' })).toContainText('Next: staging.');
    await dialog.getByRole('button', { name: 'Run the checks now' }).click();
    await dialog.getByRole('button', { name: 'Deploy v2' }).click();
    await expect(dialog.getByLabel('To', { exact: true })).toHaveValue('staging');
    await expect(dialog).not.toContainText('Next:');
    await expect(dialog).toContainText('v2 has passed the current test case');
    await dialog.getByRole('button', { name: 'Deploy v2' }).click();
    await expect(page.getByText('staging is now at v2.')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    const { labels } = await (await api.request.get(api.path('support/answer', '/versions/2'))).json();
    expect(labels).toEqual(expect.arrayContaining(['production', 'staging']));
  });

  await test.step('a judge has a rubric or is a prompt, and gives a reason', async () => {
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByRole('button', { name: 'Actions for Order status' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await addCheck(dialog, 'judge', 'Rubric', ' ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByLabel('Rubric', { exact: true })).toHaveAccessibleDescription('Enter a rubric that describes a good output.');
    await dialog.getByLabel('Rubric', { exact: true }).last().fill('Names the order');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add check' }).click();
    const judge = dialog.getByRole('group', { name: 'Check 3' });
    await judge.getByLabel('Requirement').selectOption('judge');
    await judge.getByRole('radio', { name: 'By prompt' }).check();
    await judge.getByLabel('Judge prompt').fill('judges/polite');
    await expect(dialog).toContainText('The judge’s prompt can use the variables output, prompt and variables');
    await expectAccessible(page);
    // Even if the list is still being loaded, the run knows that it now needs a model.
    const { promise: isRun, resolve: loadList } = Promise.withResolvers<void>();
    await page.route('**/cases?limit=*', (route) => isRun.then(() => route.continue()));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Run the test case' }).click();
    const row = caseRow(page, 'Order status');
    await expect(row).toContainText('v2 failed');
    loadList();
    await page.unrouteAll({ behavior: 'wait' });
    await row.getByRole('button', { name: /^Order status/ }).click();
    await expect(page.getByText('too short')).toBeVisible();
    await expect(page.getByText('Output meets the rubric “Names the order”').first()).toBeVisible();
    await expect(page.getByText('It names order 42.', { exact: true })).toBeVisible();
  });

  await test.step('an image of a message is sent as it is, and shown with the run', async () => {
    await api.createPrompt('look', { messages: [{ role: 'system', content: 'Describe politely' }, { placeholder: 'history' }] });
    await page.goto('/dashboard/prompts/look');
    const url = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const content = [
      { type: 'text', text: 'What is on it, politely?' },
      { type: 'image_url', image_url: { url } },
    ];
    await page.getByRole('button', { name: 'Edit history as JSON' }).click();
    await page
      .getByRole('group', { name: 'Variable history' })
      .getByRole('textbox')
      .fill(JSON.stringify([{ role: 'user', content }]));
    await page.getByRole('radio', { name: 'Run' }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('region', { name: /^Output/ })).toHaveText('Your order 42 is on its way.');
    const sent = mock.getLastRequest()?.body as unknown as { messages: unknown[] };
    expect(sent.messages[1]).toEqual({ role: 'user', content });
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page
      .getByRole('link', { name: /some-model/ })
      .first()
      .click();
    await page.getByText('Messages (2)').click();
    const image = page.getByTestId('media').getByRole('img', { name: 'Image' });
    await expect(image).toBeVisible();
    await expect(image).toHaveJSProperty('naturalWidth', 1);
  });

  await test.step('a run beyond the budget is refused, and the error says where the budget is set', async () => {
    await page.goto('/dashboard/settings/models');
    await page.getByLabel('Tokens').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Budget saved.')).toBeVisible();
    await page.goto('/dashboard/prompts/support/answer');
    await page.getByLabel('request', { exact: true }).fill('Hello');
    await page.getByRole('radio', { name: 'Run' }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('used up its budget of 1 tokens for today');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Settings › Models' }).click();
    await expect(page.getByRole('heading', { name: 'Daily budget' })).toBeVisible();
  });
});

test('a viewer sees runs and results; an editor starts them, and is not offered an override', async ({
  signedIn: page,
  account,
  mock,
  playwright,
  service,
}) => {
  test.setTimeout(600_000);
  const anyone = await playwright.request.newContext({ baseURL: service.url });
  const data = { email: `grace-${account.userId}@example.com`, password: account.password, name: 'Grace Hopper' };
  const { token } = await (await anyone.post('/api/auth/register', { data })).json();
  const owner = await playwright.request.newContext({
    baseURL: service.url,
    extraHTTPHeaders: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  const post = async (path: string, body: object) => (await owner.post(path, { data: body })).json();
  await post('/api/models', { name: 'Local', baseUrl: `${mock.url}/v1`, models: ['some-model'] });
  await post('/api/prompts', { name: 'answer', template: 'Answer politely: {{ request }}' });
  await post('/api/prompts/answer/versions', { template: 'Answer rudely: {{ request }}' });
  const variables = { request: 'Where is my order?' };
  await post('/api/prompts/answer/cases', { name: 'Order status', variables, checks: [{ kind: 'contains', value: 'order' }] });
  await post('/api/prompts/answer/checks', { version: 2, connection: 'Local' });
  await post('/api/prompts/answer/run', { version: 1, connection: 'Local', variables });
  await owner.patch('/api/workspace', { data: { gatedLabels: ['production'], protectedLabels: [] } });
  const { url } = await post('/api/members/invitations', { email: account.email, role: 'viewer' });
  const invitation = new URL(url).pathname.split('/').at(-1);
  const accepted = await page.request.post(`/api/invitations/${invitation}/accept`, { headers: { origin: service.url } });
  expect(accepted.status()).toBe(200);

  await page.goto('/dashboard/prompts');
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: /Grace Hopper/ }).click();
  await page.getByRole('link', { name: /answer/ }).click();

  await test.step('viewer', async () => {
    await expect(page.getByRole('button', { name: 'Save as test case' })).toHaveCount(0);
    await page.getByRole('radio', { name: 'Run' }).check();
    await expect(page.getByText('You need the editor role to run prompts. Your role is viewer.')).toBeVisible();
    await page.getByRole('tab', { name: 'Runs' }).click();
    await expect(page.getByRole('region', { name: 'Output' })).toHaveText('Your order 42 is on its way.');
    await page.getByRole('tab', { name: 'Checks' }).click();
    await expect(caseRow(page, 'Order status')).toContainText('v2 failed');
    for (const name of ['Run the test case', 'New test case', 'Actions for Order status']) {
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    }
    await expectAccessible(page);
    await page.goto('/dashboard/settings/models');
    await expect(page.getByRole('heading', { name: 'Only editors can use models' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'New connection' })).toHaveCount(0);
  });

  await test.step('editor', async () => {
    expect((await owner.patch(`/api/members/${account.userId}`, { data: { role: 'editor' } })).status()).toBe(200);
    await page.goto('/dashboard/prompts/answer');
    await page.getByLabel('request', { exact: true }).fill('Where is it?');
    await page.getByRole('radio', { name: 'Run' }).check();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('region', { name: /^Output/ })).toContainText('Go away.');
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('v2 does not pass: 0 of 1 passed');
    await expect(dialog.getByRole('button', { name: 'Deploy v2' })).toBeDisabled();
    await expect(dialog.getByRole('checkbox', { name: /without passing checks/ })).toHaveCount(0);
    await page.goto('/dashboard/settings/models');
    await expect(page.getByText('Local', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Daily budget' })).toBeVisible();
    for (const name of ['New connection', 'Save']) await expect(page.getByRole('button', { name })).toHaveCount(0);
  });
  await Promise.all([anyone.dispose(), owner.dispose()]);
});

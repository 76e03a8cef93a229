import { LLMock } from '@copilotkit/aimock';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { test as base, expect } from './support/fixtures.ts';

/** A server with a model. */
const test = base.extend<{ mock: LLMock }>({
  mock: async ({ api }, use) => {
    const mock = new LLMock({ port: 0 });
    mock.on({ userMessage: 'order', hasToolResult: false }, { toolCalls: [{ name: 'find_order', arguments: '{"number":"A-1"}' }] });
    mock.on({ userMessage: 'order', hasToolResult: true }, { content: 'It was shipped {{ today }}.' });
    mock.onMessage('Thanks', { content: 'You are welcome!' });
    await mock.start();
    const data = { name: 'Local', baseUrl: `${mock.url}/v1`, models: ['some-model'] };
    expect((await api.request.post('/api/models', { data })).status()).toBe(201);
    await use(mock);
    await mock.stop();
  },
});

const output = (page: Page) => page.getByRole('region', { name: /^Output/ });
const sentMessages = (mock: LLMock) => (mock.getLastRequest()?.body as unknown as { messages: unknown[] } | undefined)?.messages ?? [];
const tools = [{ name: 'find_order', parameters: { type: 'object', properties: { number: { type: 'string' } } } }];

async function run(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Run' }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

test('a tool call is answered, the conversation goes on, and it becomes a test case', async ({ signedIn: page, api, mock }) => {
  const messages = [
    { role: 'system', content: 'Help {{ name }}.' },
    { placeholder: 'history' },
    { role: 'user', content: '{{ question }}' },
  ];
  await api.createPrompt('support', { messages, tools });
  await page.goto('/dashboard/prompts/support');
  await page.getByLabel('name', { exact: true }).fill('Ada');
  await page.getByLabel('question', { exact: true }).fill('Where is my order?');
  await run(page);
  await expect(page.getByText('tool call', { exact: true })).toBeVisible();
  const call = { role: 'assistant', content: null, tool_calls: [expect.objectContaining({ type: 'function' })] };

  await test.step('the result of a tool', async () => {
    await page.getByLabel('Result of find_order').fill('{ "status": "shipped" }');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send result' }).click();
    await expect(output(page)).toHaveText('It was shipped {{ today }}.');
    expect(sentMessages(mock)).toEqual([
      { role: 'system', content: 'Help Ada.' },
      { role: 'user', content: 'Where is my order?' },
      call,
      { role: 'tool', tool_call_id: expect.any(String), content: '{ "status": "shipped" }' },
    ]);
  });

  await test.step('the next message, by keyboard', async () => {
    await page.getByLabel('Next message').fill('Thanks');
    await page.getByLabel('Next message').press('Tab');
    await page.keyboard.press('Enter');
    await expect(output(page)).toHaveText('You are welcome!');
    expect(sentMessages(mock).slice(-2)).toEqual([
      { role: 'assistant', content: 'It was shipped {{ today }}.' },
      { role: 'user', content: 'Thanks' },
    ]);
    await expect(page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the test case has the conversation in the placeholder, and renders to the same messages', async () => {
    const sent = sentMessages(mock);
    await page.getByRole('tabpanel').getByRole('button', { name: 'Save as test case' }).last().click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Asks twice');
    await page.getByRole('dialog').getByRole('button', { name: 'Add test case' }).click();
    await expect(page.getByText('Test case “Asks twice” added.')).toBeVisible();
    const { data } = await (await api.request.get(api.path('support', '/cases'))).json();
    expect(data[0].variables).toMatchObject({ name: 'Ada', question: 'Thanks' });
    const rendered = await api.request.post(api.path('support', '/render'), { data: { variables: data[0].variables } });
    expect((await rendered.json()).messages).toEqual(sent);
  });

  await test.step('another run starts over', async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByLabel('Result of find_order')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Conversation' })).toBeHidden();
  });
});

test('the run of a text prompt can be continued too, but offers no test case', async ({ signedIn: page, api, mock }) => {
  await api.createPrompt('greet', { template: 'Where is the order of {{ name }}?', tools });
  await page.goto('/dashboard/prompts/greet');
  await page.getByLabel('name', { exact: true }).fill('Ada');
  await run(page);
  // The text alone would be 11 tokens.
  await expect(page.getByText('About 43 tokens')).toBeVisible();
  await page.getByLabel('Result of find_order').fill('shipped');
  await page.getByRole('button', { name: 'Send result' }).click();
  await expect(output(page)).toHaveText('It was shipped {{ today }}.');
  await page.getByLabel('Next message').fill('Thanks {{ name }}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(output(page)).toHaveText('You are welcome!');
  expect(sentMessages(mock)).toMatchObject([
    { role: 'user', content: 'Where is the order of Ada?' },
    { role: 'assistant' },
    { role: 'tool', content: 'shipped' },
    { role: 'assistant', content: 'It was shipped {{ today }}.' },
    { role: 'user', content: 'Thanks {{ name }}' },
  ]);
  await expect(page.getByRole('button', { name: 'Save as test case' })).toHaveCount(1);
});

test('a tool and an output schema that were added in the forms are sent by a run, before they are saved', async ({
  signedIn: page,
  api,
  mock,
}) => {
  await api.createPrompt('greet', { template: 'Where is the order of {{ name }}?' });
  await page.goto('/dashboard/prompts/greet');
  await page.getByLabel('name', { exact: true }).fill('Ada');
  await page.getByRole('radio', { name: /^Tools and output/ }).check();
  await page.getByRole('button', { name: 'Add tool' }).click();
  await page.getByLabel('Name of tool 1').fill('find_order');
  await page.getByRole('button', { name: 'Add parameter to find_order' }).click();
  await page.getByLabel('Name of find_order.parameter', { exact: true }).fill('number');
  await page.getByRole('button', { name: 'Add output schema' }).click();
  await page.getByRole('button', { name: 'Add field to output' }).click();
  await page.getByLabel('Name of output.field', { exact: true }).fill('status');
  await run(page);
  await expect(page.getByText('tool call', { exact: true })).toBeVisible();
  const object = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
    additionalProperties: false,
  });
  expect(mock.getLastRequest()?.body).toMatchObject({
    tools: [{ type: 'function', function: { name: 'find_order', parameters: object('number') } }],
    response_format: { type: 'json_schema', json_schema: { schema: object('status'), strict: true } },
  });
});

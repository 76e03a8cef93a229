import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { LangfuseClient } from '@langfuse/client';
import type { Page } from '@playwright/test';
import { Langfuse } from 'langfuse';
import OpenAI from 'openai';
import { PromptHarbor } from '../../client/src/client.ts';
import { toOpenAI } from '../../client/src/openai.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../../test/support/cli.ts';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { type Account, test as base, expect, write } from './support/fixtures.ts';
import { type Service, startService } from './support/service.ts';

const masterSecret = 'a secret for tests, long enough to be taken';

interface Parts {
  /** Creates an empty project whose commands use an account of the service, by default a new one. */
  createProject(service: Service, account?: Account): Promise<CliFolder & { account: Account }>;
  mock: LLMock;
  onPostgres: Service;
}

/** Provides services on both engines. The tests use the dashboard of the service with SQLite. */
const test = base.extend<Parts>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  onPostgres: async ({}, use) => {
    const postgres = await startPostgres();
    const service = await startService({ env: { OUTBOUND_ALLOW: '127.0.0.1', DATABASE_URL: postgres.adminUrl, SECRET_KEY: masterSecret } });
    await use(service);
    await service.stop();
    await postgres.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  createProject: async ({}, use) => {
    const removals: (() => Promise<void>)[] = [];
    await use(async (service, given) => {
      const account = given ?? (await register(service));
      const folder = await createCliFolder({ after: (remove) => void removals.push(remove) }, cliSettings(service, account));
      return { ...folder, account };
    });
    for (const remove of removals) await remove();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  mock: async ({}, use) => {
    const mock = new LLMock({ port: 0 });
    mock.on({ predicate: () => true }, { content: '{"mood":"good"}' });
    await mock.start();
    await use(mock);
    await mock.stop();
  },
});

// While names are typed, the service may refuse them.
test.use({ allows4xx: true });

const name = 'support/whole';
const file = `prompts/${name}.prompt.yaml`;
const photo = 'https://example.com/cat.png';

/** The content that the test types in the dashboard, as the API returns it. */
const content = {
  syntax: 'liquid',
  messages: [
    { role: 'system', content: 'Be {{ tone }}. Use {{ count }} sentences about {{ topics | join: ", " }}.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is on it, {{ customer }}?' },
        { type: 'image', url: '{{ photo }}', detail: 'low' },
        {
          type: 'file',
          data: Buffer.from('%PDF-1.4').toString('base64'),
          mediaType: 'application/pdf',
          filename: 'terms of {{ customer }}.pdf',
        },
      ],
    },
    { placeholder: 'history' },
  ],
  tools: [
    {
      name: 'find_order',
      description: 'Finds an order of {{ customer }}.',
      parameters: {
        type: 'object',
        properties: {
          number: { type: 'string', description: 'In a {{ tone }} form' },
          kinds: { type: 'array', items: { type: 'string' } },
        },
        required: ['number'],
        additionalProperties: false,
      },
    },
  ],
  output: {
    schema: {
      type: 'object',
      properties: { mood: { type: 'string', enum: ['good', 'bad'] } },
      required: ['mood'],
      additionalProperties: false,
    },
    strict: true,
  },
  config: { model: 'some-model', temperature: 0.2 },
  variables: {
    count: { type: 'number', default: 2, example: 3 },
    photo: { type: 'image', description: 'The photo to describe', example: photo },
    tone: { type: 'enum', description: 'How the reply sounds', values: ['formal', 'warm'], default: 'warm', example: 'formal' },
    topics: { type: 'list', default: ['cats', 'ships'], example: ['cats'] },
  },
};

/** The values of a call. All other variables have defaults. */
const values = { customer: 'Ada', photo, history: [{ role: 'user' as const, content: 'Please.' }] };
const sent = {
  model: 'some-model',
  temperature: 0.2,
  messages: [
    { role: 'system', content: 'Be warm. Use 2 sentences about cats, ships.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is on it, Ada?' },
        { type: 'image_url', image_url: { url: photo, detail: 'low' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQ=', filename: 'terms of Ada.pdf' } },
      ],
    },
    { role: 'user', content: 'Please.' },
  ],
};

test('a whole prompt is the same in the dashboard, in files, on both engines, in Langfuse’s clients and in OpenAI’s', async ({
  signedIn: page,
  api,
  account,
  service,
  onPostgres,
  createProject,
  mock,
}) => {
  const connection = { name: 'Local', baseUrl: `${mock.url}/v1`, models: ['some-model'] };
  expect((await api.request.post('/api/models', { data: connection })).status()).toBe(201);
  await page.goto('/dashboard/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: 'Chat' }).check();
  await writeMessages(page);
  await writeTools(page);
  await describeVariables(page);
  const rendered = await runInDashboard(page, mock);
  await page.getByRole('button', { name: 'Save and deploy' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();

  const first = await readContent(service, account);
  const { variables: declared, ...written } = content;
  expect(first).toMatchObject(written);
  expect(Object.fromEntries((first.variables as { name: string }[]).map((variable) => [variable.name, variable]))).toMatchObject(declared);
  const expectSame = async (at: Service, by: Account) => expect(await readContent(at, by)).toEqual(first);

  const original = await test.step('a file, which another workspace saves and writes again', async () => {
    const author = await createProject(service, account);
    await author.runWell(['pull']);
    const text = await author.read(file);
    const copy = await createProject(service);
    await copy.write(file, text);
    await copy.runWell(['push', '--label', 'production']);
    await expectSame(service, copy.account);
    const again = await createProject(service, copy.account);
    await again.runWell(['pull']);
    expect(await again.read(file)).toBe(text);
    await again.runWell(['export', '-o', 'all.jsonl']);
    return { text, folder: again };
  });

  const imported = await test.step('an export, imported on PostgreSQL', async () => {
    const project = await createProject(onPostgres);
    await project.write('all.jsonl', await original.folder.read('all.jsonl'));
    await project.runWell(['import', 'json', 'all.jsonl']);
    await expectSame(onPostgres, project.account);
    await project.runWell(['pull']);
    expect(await project.read(file)).toBe(original.text);
    return project;
  });

  await test.step('new versions by both clients of Langfuse', async () => {
    const { userId, token } = imported.account;
    const settings = { baseUrl: onPostgres.url, publicKey: userId, secretKey: token };
    const current = new LangfuseClient(settings);
    const read = await current.prompt.get(name, { type: 'chat', cacheTtlSeconds: 0 });
    await current.prompt.create({ name, type: 'chat', prompt: read.prompt as never, config: read.config, labels: ['production'] });
    expect(await readVersion(onPostgres, imported.account)).toBe(2);
    await expectSame(onPostgres, imported.account);
    const legacy = new Langfuse({ ...settings, flushAt: 1 });
    const again = await legacy.getPrompt(name, undefined, { type: 'chat', cacheTtlSeconds: 0 });
    await legacy.createPrompt({
      name,
      type: 'chat',
      prompt: again.promptResponse.prompt as never,
      config: again.config,
      labels: ['production'],
    });
    expect(await readVersion(onPostgres, imported.account)).toBe(3);
    await expectSame(onPostgres, imported.account);
    expect(await imported.runWell(['pull'])).not.toContain('conflict');
    expect(await imported.read(file)).toBe(original.text);
  });

  await test.step('an export back to SQLite, the client, and the request of OpenAI’s client', async () => {
    await imported.runWell(['export', '-o', 'back.jsonl']);
    const project = await createProject(service);
    await project.write('back.jsonl', await readFile(join(imported.path, 'back.jsonl'), 'utf8'));
    await project.runWell(['import', 'json', 'back.jsonl']);
    await expectSame(service, project.account);
    const ph = new PromptHarbor({ baseUrl: service.url, apiKey: project.account.token });
    const prompts = await ph.prompts.load();
    const { model = '', ...request } = toOpenAI(prompts.get(name).renderSync(values));
    await prompts.close();
    mock.reset();
    mock.on({ predicate: () => true }, { content: '{"mood":"good"}' });
    await new OpenAI({ baseURL: connection.baseUrl, apiKey: 'sk-test' }).chat.completions.create({ model, ...request });
    expect(lastRequest(mock)).toEqual(rendered);
  });
});

async function writeMessages(page: Page): Promise<void> {
  await write(page, 'Message 1', 'Be {{ tone }}. Use {{ count }} sentences about {{ topics | join: ", " }}.');
  await page.getByRole('button', { name: 'Add message', exact: true }).click();
  await write(page, 'Message 2', 'What is on it, {{ customer }}?');
  await page.getByRole('button', { name: 'Add an image, file or audio to message 2' }).click();
  await page.getByRole('menuitem', { name: 'Image' }).click();
  await page.getByLabel('URL or variable for part 2 of message 2').fill('{{ photo }}');
  await page.getByLabel('Detail of part 2 of message 2').selectOption('Low: fewer tokens');
  await page.getByRole('button', { name: 'Add file to message 2' }).click();
  await page
    .getByLabel('Upload part 3 of message 2 from this computer')
    .setInputFiles({ name: 'terms.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
  await page.getByLabel('File name of part 3 of message 2').fill('terms of {{ customer }}.pdf');
  await page.getByRole('button', { name: 'Add placeholder', exact: true }).click();
  await write(page, 'Config', JSON.stringify(content.config));
}

async function writeTools(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^Tools and output/ }).check();
  await page.getByRole('button', { name: 'Add tool' }).click();
  await page.getByLabel('Name of tool 1').fill('find_order');
  await page.getByLabel('Description of tool 1').fill('Finds an order of {{ customer }}.');
  await page.getByRole('button', { name: 'Add parameter to find_order' }).click();
  await page.getByLabel('Name of find_order.parameter').fill('number');
  await page.getByLabel('Description of find_order.number').fill('In a {{ tone }} form');
  await page.getByRole('button', { name: 'Add parameter to find_order' }).click();
  await page.getByLabel('Name of find_order.parameter').fill('kinds');
  await page.getByLabel('Type of find_order.kinds', { exact: true }).selectOption('List');
  await page.getByLabel('find_order.kinds is required').uncheck();
  await page.getByRole('button', { name: 'Add output schema' }).click();
  await page.getByRole('button', { name: 'Add field to output' }).click();
  await page.getByLabel('Name of output.field').fill('mood');
  await page.getByLabel('Type of output.mood').selectOption('One of several values');
  await page.getByLabel('Values of output.mood').fill('good\nbad');
}

async function describeVariables(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const describe = async (variable: string, type: string, fill: () => Promise<void>) => {
    await page.getByRole('button', { name: `Describe ${variable}` }).click();
    await dialog.getByLabel('Type').selectOption(type);
    await fill();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
  };
  await describe('tone', 'One of several values', async () => {
    await dialog.getByLabel('Values').fill('formal\nwarm');
    await dialog.getByLabel('Description').fill('How the reply sounds');
    await dialog.getByLabel('Default').selectOption('warm');
    await dialog.getByLabel('Example').selectOption('formal');
  });
  await describe('count', 'Number', async () => {
    await dialog.getByLabel('Default').fill('2');
    await dialog.getByLabel('Example').fill('3');
  });
  await describe('topics', 'List', async () => {
    await dialog.getByLabel('Default').fill('["cats", "ships"]');
    await dialog.getByLabel('Example').fill('["cats"]');
  });
  await describe('photo', 'Image', async () => {
    await dialog.getByLabel('Description').fill('The photo to describe');
    await dialog.getByLabel('Example').fill(photo);
  });
}

/** Runs the draft and returns what the model received. */
async function runInDashboard(page: Page, mock: LLMock): Promise<Record<string, unknown>> {
  await page.getByLabel('customer', { exact: true }).fill('Ada');
  await page.getByLabel('photo', { exact: true }).fill(photo);
  await page.getByRole('button', { name: 'Add message to history' }).click();
  await page.getByLabel('history[0].content', { exact: true }).fill('Please.');
  await page.getByRole('radio', { name: 'Run' }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: /^Output/ })).toContainText('"mood": "good"');
  const { stream, stream_options, ...request } = lastRequest(mock);
  expect(request).toMatchObject(sent);
  expect(request.response_format).toMatchObject({ json_schema: content.output });
  return request;
}

function lastRequest(mock: LLMock): Record<string, unknown> {
  // The mock declares only the fields that it uses.
  return { ...(mock.getLastRequest()?.body as unknown as Record<string, unknown>) };
}

let accounts = 0;

async function register(service: Service): Promise<Account> {
  accounts += 1;
  const response = await fetch(`${service.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `project${accounts}-${process.pid}@example.com`, password: 'a long enough password' }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Account;
}

async function readProduction(service: Service, { token }: Account): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/api/prompts/${encodeURIComponent(name)}`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

async function readContent(service: Service, account: Account): Promise<Record<string, unknown>> {
  const { syntax, messages, tools, output, variables, config } = await readProduction(service, account);
  return { syntax, messages, tools, output, variables, config };
}

async function readVersion(service: Service, account: Account): Promise<unknown> {
  return (await readProduction(service, account)).version;
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import OpenAI from 'openai';
import { PromptHarbor } from '../../client/src/client.ts';
import { addToConfig, type DeclaredVariable } from '../../src/formats/config-parts.ts';
import { newLangfuse } from '../support/langfuse.ts';
import { connectMcp } from '../support/mcp.ts';
import { asJson, connect, describeWithModels } from '../support/models.ts';
import { assertRefused, type Client, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { exportText, importText } from '../support/transfer.ts';

const photo = 'https://example.com/cat.png';
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Each part in three forms: as authors write it, as models get it, and as MCP clients get it. */
const parts = [
  {
    written: { type: 'text', text: 'Look, {{ name }}' },
    sent: { type: 'text', text: 'Look, Ada' },
    block: { type: 'text', text: 'Look, Ada' },
  },
  {
    written: { type: 'image', url: '{{ photo }}', detail: 'low' },
    sent: { type: 'image_url', image_url: { url: photo, detail: 'low' } },
    block: { type: 'resource_link', uri: photo, name: 'image' },
  },
  {
    written: { type: 'image', data: pixel, mediaType: 'image/png' },
    sent: { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
    block: { type: 'image', data: pixel, mimeType: 'image/png' },
  },
  {
    written: { type: 'audio', data: 'UklGRg==', mediaType: 'audio/wav' },
    sent: { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    block: { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
  },
  {
    written: { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: '{{ name }}.pdf' },
    sent: { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'Ada.pdf' } },
    block: { type: 'resource', resource: { uri: 'file:///Ada.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' } },
  },
];

const declared = [
  { name: 'name', type: 'text', description: 'Whom to greet', example: 'Ada' },
  { name: 'photo', type: 'image' },
  { name: 'tone', type: 'enum', values: ['formal', 'warm'], default: 'warm' },
];
const tools = [
  {
    name: 'find_order',
    description: 'Finds an order of {{ name }}.',
    parameters: {
      type: 'object',
      properties: {
        number: { type: 'string', description: 'In a {{ tone }} form' },
        description: { type: 'string', default: '{{ raw }}' },
      },
      required: ['number'],
    },
    strict: false,
  },
];
const output = { schema: { type: 'object', properties: { mood: { type: 'string', enum: ['good', 'bad'] } } }, name: 'mood', strict: true };
const sentTools = [
  {
    type: 'function',
    function: {
      name: 'find_order',
      description: 'Finds an order of Ada.',
      parameters: {
        type: 'object',
        properties: { number: { type: 'string', description: 'In a warm form' }, description: { type: 'string', default: '{{ raw }}' } },
        required: ['number'],
      },
      strict: false,
    },
  },
];
const sentFormat = { type: 'json_schema', json_schema: { name: 'mood', schema: output.schema, strict: true } };

/** The messages that a caller inserts for a placeholder. They may have any form that a model API accepts. */
const conversation = [
  { role: 'user', content: [{ type: 'image_url', image_url: { url: photo } }] },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find_order', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'c1', content: '{"state":"sent"}' },
];
const content = {
  messages: [
    { role: 'system', content: 'Be {{ tone }}.' },
    { role: 'user', content: parts.map(({ written }) => written) },
    { placeholder: 'history' },
  ],
  variables: declared,
  tools,
  output,
  config: { model: 'some-model' },
};
const variables = { name: 'Ada', photo, history: conversation };
const sentMessages = [{ role: 'system', content: 'Be warm.' }, { role: 'user', content: parts.map(({ sent }) => sent) }, ...conversation];

interface RenderedBody {
  messages: unknown;
  tools: unknown;
  output: unknown;
}

describeWithModels('A prompt with parts, tools, an output schema and declared variables', ({ service, mock }) => {
  async function prepare(): Promise<Client> {
    const client = await newClient(service());
    await client.create({ name: 'whole', ...content });
    return client;
  }

  it('is read as it was saved, and what is read can be saved', async () => {
    const client = await prepare();
    const version = await client.get<VersionBody & Record<string, unknown>>(pathOf('whole'));
    const { messages, tools: savedTools, output: savedOutput } = version;
    assert.deepEqual({ messages, tools: savedTools, output: savedOutput }, { messages: content.messages, tools, output });
    assert.deepEqual(
      (version.variables as { name: string; required: boolean }[]).map(({ name, required }) => [name, required]),
      [
        ['tone', false],
        ['name', true],
        ['photo', true],
        ['history', false],
      ],
      'a default makes a variable optional',
    );
    const { messages: again, variables: list, tools: sameTools, output: sameOutput, config } = version;
    const copy = { messages: again, variables: list, tools: sameTools, output: sameOutput, config };
    const saved = await client.call('POST', '/api/prompts/batch', { items: [{ name: 'whole', ...copy }], skipUnchanged: true });
    assert.deepEqual((saved.body as { data: unknown }).data, [{ name: 'whole', version: 1, status: 'unchanged' }]);
  });

  it('is rendered, previewed and run alike', async () => {
    const client = await prepare();
    const expected = { messages: sentMessages, tools: sentTools.map((tool) => tool.function), output };
    const pick = ({ messages, tools: shown, output: format }: RenderedBody) => ({ messages, tools: shown, output: format });
    assert.deepEqual(pick((await client.render('whole', { variables })).body as RenderedBody), expected);
    const { variables: declarations, ...draft } = content;
    const preview = await client.call('POST', '/api/render', { ...draft, declarations, variables });
    assert.deepEqual(pick(preview.body as RenderedBody), expected);

    mock.reset();
    mock.on({ predicate: () => true }, { content: '{"mood":"good"}' });
    const { id } = await connect(client, `${mock.url}/v1`);
    const ran = [
      await client.call('POST', '/api/prompts/whole/run', { variables, connection: id }, asJson),
      await client.call('POST', '/api/run', { ...draft, declarations, variables, connection: id }, asJson),
    ];
    assert.deepEqual(
      ran.map(({ status, text }) => [status, text.includes('mood')]),
      [
        [200, true],
        [200, true],
      ],
    );
    for (const { body } of mock.getRequests()) {
      const { messages, tools: asked, response_format: format } = body as unknown as Record<string, unknown>;
      assert.deepEqual({ messages, tools: asked, format }, { messages: sentMessages, tools: sentTools, format: sentFormat });
    }
    const without = { variables, connection: id, parameters: { tools: null, response_format: { type: 'text' } } };
    await client.call('POST', '/api/prompts/whole/run', without, asJson);
    const last = mock.getLastRequest()?.body as unknown as Record<string, unknown>;
    assert.deepEqual([last.tools, last.response_format], [undefined, { type: 'text' }], 'the caller’s parameters win');
  });

  it('is rendered in the client’s process as by the service, and is accepted by OpenAI’s client', async () => {
    const client = await prepare();
    const ph = new PromptHarbor({ baseUrl: service().url, apiKey: client.token });
    const prompts = await ph.prompts.load();
    try {
      const rendered = await prompts.get('whole').render(variables);
      assert.deepEqual(rendered, (await client.render('whole', { variables })).body);
      mock.reset();
      mock.on({ predicate: () => true }, { content: '{"mood":"good"}' });
      const openai = new OpenAI({ baseURL: `${mock.url}/v1`, apiKey: 'sk-test' });
      await openai.chat.completions.create({ model: 'some-model', messages: rendered.messages ?? [] });
      assert.deepEqual((mock.getLastRequest()?.body as unknown as RenderedBody | undefined)?.messages, sentMessages);
    } finally {
      prompts.close();
    }
  });

  it('is a prompt of MCP with described arguments, whose texts are converted', async (t) => {
    const client = await prepare();
    const mcp = await connectMcp(t, service(), { key: client.token });
    const [listed] = (await mcp.listPrompts()).prompts;
    assert.deepEqual(listed?.arguments?.slice(0, 3), [
      { name: 'tone', description: 'One of: formal, warm', required: false },
      { name: 'name', description: 'Whom to greet', required: true },
      { name: 'photo', description: 'The URL or data URL of an image', required: true },
    ]);
    const { messages } = await mcp.getPrompt({ name: 'whole', arguments: { name: 'Ada', photo } });
    assert.deepEqual(messages, [
      { role: 'user', content: { type: 'text', text: 'Be warm.' } },
      ...parts.map(({ block }) => ({ role: 'user', content: block })),
    ]);
    const odd = await mcp.getPrompt({ name: 'whole', arguments: { name: '\ud800', photo } });
    const uris = odd.messages.flatMap(({ content: block }) => (block.type === 'resource' ? [block.resource.uri] : []));
    assert.deepEqual(uris, ['file:///%EF%BF%BD.pdf'], 'text that is not valid Unicode is no error');
    const { completion } = await mcp.complete({ ref: { type: 'ref/prompt', name: 'whole' }, argument: { name: 'tone', value: 'f' } });
    assert.deepEqual(completion.values, ['formal']);
  });

  it('goes through Langfuse’s client and back, and is the same', async () => {
    const client = await prepare();
    const config = addToConfig(content.config, { tools, output, variables: declared as DeclaredVariable[] });
    const langfuse = newLangfuse(client);
    const prompt = await langfuse.prompt.get('whole', { type: 'chat', cacheTtlSeconds: 0 });
    assert.deepEqual(prompt.config, config);
    const compiled = prompt.compile({ name: 'Ada', photo, tone: 'warm' }, { history: [{ role: 'user', content: 'Hi' }] }) as {
      content: string;
    }[];
    assert.deepEqual(
      compiled.map(({ content: text }) => (text.startsWith('[') ? JSON.parse(text) : text)),
      ['Be warm.', parts.map(({ sent }) => sent), 'Hi'],
      'parts are the JSON that model APIs accept',
    );
    await langfuse.prompt.create({
      name: 'copy',
      type: 'chat',
      prompt: prompt.prompt as never,
      config: prompt.config,
      labels: ['production'],
    });
    const copy = await client.get<Record<string, unknown>>(pathOf('copy'));
    const whole = await client.get<Record<string, unknown>>(pathOf('whole'));
    for (const field of ['messages', 'tools', 'output', 'variables', 'config']) assert.deepEqual(copy[field], whole[field], field);
  });

  it('is exported and imported', async () => {
    const client = await prepare();
    const text = await exportText(client);
    const there = await newClient(service());
    await importText(there, text);
    assert.equal(await exportText(there), text);
    const [one, other] = await Promise.all([client, there].map((each) => each.get<Record<string, unknown>>(pathOf('whole'))));
    for (const field of ['messages', 'tools', 'output', 'variables', 'config']) assert.deepEqual(one?.[field], other?.[field], field);
  });
});

describeWithModels('What a version may declare', ({ service }) => {
  const refusals: [what: string, body: object, path: string, message: RegExp][] = [
    ['an enum without values', { variables: [{ name: 'tone', type: 'enum' }] }, '/variables/0/values', /List the values/],
    [
      'values of the wrong type',
      { variables: [{ name: 'a', type: 'text', values: ['x'] }] },
      '/variables/0/values',
      /Only a variable of type/,
    ],
    ['a default of another type', { variables: [{ name: 'n', type: 'number', default: '1' }] }, '/variables/0/default', /Must be a number/],
    ['a name twice', { variables: [{ name: 'n', type: 'text' }, { name: 'n' }] }, '/variables/1/name', /listed twice/],
    ['an unknown type', { variables: [{ name: 'n', type: 'date' }] }, '/variables/0/type', /./],
    ['a tool name with spaces', { tools: [{ name: 'a b' }] }, '/tools/0/name', /^Use 1 to 64 letters, digits, _ and -$/],
    ['two tools of one name', { tools: [{ name: 'a' }, { name: 'a' }] }, '/tools/1/name', /Another tool has this name/],
    ['parameters that are no object', { tools: [{ name: 'a', parameters: { type: 'string' } }] }, '/tools/0/parameters/type', /object/],
    [
      'a schema that is none',
      { tools: [{ name: 'a', parameters: { type: 'object', properties: { x: { type: 'text' } } } }] },
      '/tools',
      /Not a valid JSON Schema: at \/a\/properties\/x\/type/,
    ],
    ['an output schema that is none', { output: { schema: { type: 'objekt' } } }, '/output', /Not a valid JSON Schema: at \/schema\/type/],
    [
      'a choice without values',
      { output: { schema: { type: 'object', properties: { mood: { type: 'string', enum: [] } } } } },
      '/output',
      /: at \/schema\/properties\/mood\/enum must have at least one value$/,
    ],
    ['a template error in a description', { tools: [{ name: 'a', description: 'x {{ y' }] }, '/tools/0/description', /./],
    ['64 KiB of tools', { tools: [{ name: 'a', description: 'x'.repeat(65_536) }] }, '/tools', /at most 64 KiB/],
    ['an unknown part', { messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] }, '/messages', /./],
    [
      'a type that the messages of a placeholder never have',
      { messages: [{ placeholder: 'history' }], variables: [{ name: 'history', type: 'text' }] },
      '/variables',
      /"history" is a placeholder, so its type can only be “list”/,
    ],
    [
      'a default that the placeholder would refuse',
      { messages: [{ placeholder: 'history' }], variables: [{ name: 'history', default: [{ role: 'robot', content: 'x' }] }] },
      '/variables/history/0',
      /Must have a role/,
    ],
    ['an empty list of parts', { messages: [{ role: 'user', content: [] }] }, '/messages', /./],
  ];
  for (const [what, body, path, message] of refusals) {
    it(`400: ${what}`, async () => {
      const client = await newClient(service());
      const text = 'messages' in body ? {} : { template: 'x' };
      const response = await client.call('POST', '/api/prompts', { name: 'refused', ...text, ...body });
      const { details } = response.body as { details: { path: string; message: string }[] };
      assert.equal(response.status, 400, response.text);
      assert.ok(
        details.some((each) => each.path.startsWith(path) && message.test(each.message)),
        response.text,
      );
      assert.equal((await client.call('GET', '/api/prompts/refused')).status, 404);
    });
  }

  const types: [type: string, good: unknown[], bad: unknown[]][] = [
    ['text', ['', 'x', 1, true], [null, [], {}]],
    ['number', [0, -1.5], ['1', null, true]],
    ['boolean', [true, false], ['true', 0, null]],
    ['enum', ['formal'], ['Formal', '', 1, null]],
    ['list', [[], [1]], ['[]', {}, null]],
    ['object', [{}, { a: 1 }], ['{}', [], null]],
    ['image', [photo, 'data:image/png;base64,AA=='], ['cat.png', 'javascript:alert(1)', 'data:text/html,x', 1, null]],
  ];
  for (const [type, good, bad] of types) {
    it(`422: a value that is not of type ${type}, with what was expected`, async () => {
      const client = await newClient(service());
      const values = type === 'enum' ? { values: ['formal', 'warm'] } : {};
      await client.create({ name: 'typed', template: '{{ v }}', variables: [{ name: 'v', type, ...values }] });
      for (const v of good) assert.equal((await client.render('typed', { variables: { v } })).status, 200, JSON.stringify(v));
      for (const v of bad) {
        const { error } = assertRefused(await client.render('typed', { variables: { v } }), 422, 'invalid_variables', '/variables/v');
        assert.match(error, /^Variables do not match their declared types: v \(must be /);
      }
      assertRefused(await client.render('typed', { variables: {} }), 422, 'missing_variables', '/variables/v');
    });
  }

  it('an included prompt’s declarations count, unless the prompt has its own', async () => {
    const client = await newClient(service());
    const tone = { name: 'tone', type: 'enum', values: ['warm'], default: 'warm' };
    await client.create({
      name: 'shared',
      template: '{{ tone }} {{ size }}',
      variables: [tone, { name: 'size', type: 'number', default: 1 }],
    });
    const own = { name: 'size', type: 'number', default: 2 };
    await client.create({ name: 'main', template: "{% render 'shared' %}", variables: [own] });
    assert.equal((await client.render('main', {})).text.includes('"warm 2"'), true);
    assertRefused(await client.render('main', { variables: { tone: 'cold' } }), 422, 'invalid_variables', '/variables/tone');
    const { variables: listed } = await client.get<{ variables: { name: string; type?: string; required: boolean }[] }>(pathOf('main'));
    assert.deepEqual(
      listed.map(({ name, type, required }) => [name, type, required]),
      [
        ['size', 'number', false],
        ['tone', 'enum', false],
      ],
    );
  });

  it('422: included prompts whose declarations are too long together, with a message that says so', async () => {
    const client = await newClient(service());
    const values = Array.from({ length: 100 }, (_, index) => String(index).padEnd(200, 'x'));
    for (const name of ['a', 'b', 'c']) {
      const variables = [1, 2, 3].map((number) => ({ name: `${name}${number}`, type: 'enum', values }));
      await client.create({ name, template: variables.map((variable) => `{{ ${variable.name} }}`).join(''), variables });
    }
    await client.create({ name: 'main', template: "{% render 'a' %}{% render 'b' %}{% render 'c' %}" });
    const { error } = assertRefused(await client.render('main', {}), 422, 'unresolved_partial');
    assert.match(error, /more than 500 variables, or describe them with more than 131,072 characters/);
  });

  it('a declared variable that no template uses is listed, with a warning', async () => {
    const client = await newClient(service());
    const response = await client.call('POST', '/api/prompts', { name: 'p', template: 'x', variables: [{ name: 'unused', type: 'text' }] });
    const { warnings, version } = response.body as { warnings: { code: string }[]; version: VersionBody };
    assert.deepEqual([warnings.map(({ code }) => code), version.variables.map(({ name }) => name)], [['unused_variable'], ['unused']]);
  });
});

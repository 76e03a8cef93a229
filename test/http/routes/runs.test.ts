import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FailedRun, Run, RunSummary } from '../../../src/contract/runs.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { asJson, connect, describeWithModels, providerKey, readEvents } from '../../support/models.ts';
import { assertRefused, type Client, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const tools = [{ type: 'function', function: { name: 'lookup', parameters: { type: 'object', properties: { id: { type: 'integer' } } } } }];

describeWithModels('POST /api/prompts/{name}/run', ({ service, mock }) => {
  const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
  const prices = { 'some-model': { input: 2, output: 4 } };
  const lastBody = () => mock.getLastRequest()?.body as unknown as Record<string, unknown>;

  async function prepare(config: object = { temperature: 0.2 }): Promise<{ client: Client; connection: string }> {
    const client = await newClient(service());
    mock.reset();
    mock.onMessage('Greet Ada', { content: 'Hello Ada, nice to meet you!', usage });
    await client.create({ name: 'greet', template: 'Greet {{ name }}', config });
    const { id } = await connect(client, `${mock.url}/v1`, { prices });
    return { client, connection: id };
  }

  const run = (client: Client, body: object, options: object = asJson) => client.call('POST', '/api/prompts/greet/run', body, options);

  it('streams what the model writes, usage with cost, and the end; keeps the run', async () => {
    const { client, connection } = await prepare();
    const variables = { name: 'Ada' };
    const events = readEvents(await run(client, { variables, connection }, {}));
    const text = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
    assert.equal(text, 'Hello Ada, nice to meet you!');
    const cost = (1000 * 2 + 500 * 4) / 1e6;
    const [counted, done] = events.slice(-2);
    assert.deepEqual(counted, { event: 'usage', data: { inputTokens: 1000, outputTokens: 500, estimated: false, cost } });
    assert.equal(done?.event, 'done');
    const summary = done?.data as RunSummary;
    assert.equal(summary.version, 1);
    assert.equal(summary.finishReason, 'stop');
    assert.ok(summary.firstTokenMs !== null && summary.firstTokenMs <= summary.durationMs);

    const { data } = await client.get<ListBody<RunSummary>>(pathOf('greet', '/runs'));
    assert.deepEqual(data, [summary]);
    const kept = await client.get<Run>(pathOf('greet', `/runs/${summary.id}`));
    const { preview, ...rest } = summary;
    assert.equal(preview, text);
    const messages = [{ role: 'user', content: 'Greet Ada' }];
    assert.deepEqual(kept, { ...rest, variables, parameters: { temperature: 0.2 }, messages, output: text, toolCalls: [] });
  });

  it('with Accept: application/json, responds once at the end', async () => {
    const { client, connection } = await prepare();
    const response = await run(client, { variables: { name: 'Ada' }, connection });
    assert.equal(response.status, 200, response.text);
    const { output, by, connection: used } = response.body as Run;
    assert.equal(output, 'Hello Ada, nice to meet you!');
    assert.equal(by.userId, client.userId);
    assert.equal(used.id, connection);
  });

  it('runs the version that a release chooses for the key and the context, and says so', async () => {
    const { client, connection } = await prepare();
    mock.onMessage('Welcome Ada', { content: 'Welcome!', usage });
    await client.save('greet', { template: 'Welcome {{ name }}' });
    const release = { control: 1, arms: [{ version: 2, weight: 10_000 }], rules: [{ if: { plan: ['old'] }, version: 1 }] };
    const { id } = (await client.call('PUT', pathOf('greet', '/labels/production/release'), release)).body as { id: string };
    const runFor = async (caller: object) => (await run(client, { variables: { name: 'Ada' }, connection, ...caller })).body as Run;
    const byKey = await runFor({ key: 'u' });
    assert.deepEqual([byKey.version, byKey.output, byKey.release], [2, 'Welcome!', { id, arm: 'v2', reason: 'SPLIT' }]);
    const byRule = await runFor({ key: 'u', context: { plan: 'old' } });
    assert.deepEqual([byRule.version, byRule.release], [1, { id, arm: 'control', reason: 'RULE' }]);
    assert.deepEqual((await runFor({})).release, { id, arm: 'control', reason: 'NO_KEY' });
    const fixed = await runFor({ version: 2, key: 'u' });
    assert.deepEqual([fixed.version, 'release' in fixed], [2, false]);
    const [newest, , , oldest] = (await client.get<ListBody<RunSummary>>(pathOf('greet', '/runs'))).data;
    assert.deepEqual([newest?.release, oldest?.release], [undefined, byKey.release]);
    assert.deepEqual((await client.get<Run>(pathOf('greet', `/runs/${byKey.id}`))).release, byKey.release);
    assertRefused(await run(client, { variables: { name: 'Ada' }, connection, key: '' }), 400, 'invalid_input', '/key');

    assert.equal((await client.get<{ keys: number }>(pathOf('greet', '/keys'))).keys, 1);
    const reads = await service().ctx.store.statistics.readReleaseReads({ accountId: client.userId, releaseId: id });
    const counted = reads.map(({ version, reason, calls }) => [version, reason, calls]);
    assert.deepEqual(counted, [
      [1, 'NO_KEY', 1],
      [1, 'RULE', 1],
      [2, 'SPLIT', 1],
    ]);
  });

  it('sends the config unchanged, and lets parameters replace it', async () => {
    const config = {
      model: 'some-model',
      temperature: 0,
      tools,
      tool_choice: 'auto',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      custom: [null, { any: 1 }],
      stream: false,
      messages: 'not these',
      variables: { name: { description: 'For people' } },
    };
    const { client, connection } = await prepare(config);
    const input = { variables: { name: 'Ada' }, connection };
    await run(client, input);
    const { model, temperature, tools: _tools, tool_choice, response_format, custom } = config;
    const sent = { model, temperature, tools, tool_choice, response_format, custom };
    const own = { messages: [{ role: 'user', content: 'Greet Ada' }], stream: true, stream_options: { include_usage: true } };
    // The mock adds its own fields to the request that it received.
    const received = () => Object.fromEntries(Object.entries(lastBody()).filter(([name]) => !name.startsWith('_')));
    assert.deepEqual(received(), { ...sent, ...own });

    await run(client, { ...input, parameters: { temperature: 1, custom: null, seed: 7 } });
    const { custom: _custom, ...others } = sent;
    assert.deepEqual(received(), { ...others, temperature: 1, seed: 7, ...own });
  });

  it('has the list price of a well-known model at its vendor, which counts for the budget and which the connection can replace', async (t) => {
    const { client } = await prepare();
    const { ctx } = service();
    const { id: connection } = await connect(client, `${mock.url}/v1`, { models: [], apiKey: undefined });
    const vendor = 'https://api.openai.com';
    await ctx.store.connections.update(client.userId, connection, { baseUrl: `${vendor}/v1`, updatedAt: new Date().toISOString() });
    // Requests to the vendor go to the mock instead.
    const { chat } = ctx.outbound;
    t.after(() => Object.assign(ctx.outbound, { chat }));
    ctx.outbound.chat = (request, options) => chat({ ...request, url: request.url.replace(vendor, mock.url) }, options);
    const costOf = async (model: string) => {
      const response = await run(client, { variables: { name: 'Ada' }, connection, model });
      assert.equal(response.status, 200, response.text);
      return (response.body as Run).cost;
    };
    assert.equal(await costOf('gpt-5-mini-2025-08-07'), (1000 * 0.25 + 500 * 2) / 1e6);
    assert.equal(await costOf('no-such-model'), null);
    await client.call('PATCH', `/api/models/${connection}`, { prices: { 'gpt-5-mini': { input: 10, output: 20 } } });
    assert.equal(await costOf('gpt-5-mini'), (1000 * 10 + 500 * 20) / 1e6);
    await client.call('PATCH', '/api/workspace', { dailyBudget: { cost: 0.001, tokens: null } });
    assertRefused(await run(client, { variables: { name: 'Ada' }, connection, model: 'gpt-5-mini' }), 429, 'budget_exceeded');
  });

  it('returns tool calls as the model made them', async () => {
    const { client, connection } = await prepare({ tools });
    mock.reset();
    mock.onMessage('Greet Ada', {
      toolCalls: [
        { id: 'call_1', name: 'lookup', arguments: '{"id":1}' },
        { id: 'call_2', name: 'lookup', arguments: '{"id":2}' },
      ],
    });
    const expected = [1, 2].map((id) => ({ id: `call_${id}`, type: 'function', function: { name: 'lookup', arguments: `{"id":${id}}` } }));
    const body = { variables: { name: 'Ada' }, connection };
    const one = (await run(client, body)).body as Run;
    assert.deepEqual(one.toolCalls, expected);
    assert.equal(one.finishReason, 'tool_calls');
    const events = readEvents(await run(client, body, {}));
    assert.deepEqual(
      events.filter(({ event }) => event === 'tool_call').map(({ data }) => data),
      expected,
    );
  });

  it('fills placeholders with messages that have images, tool calls and results', async () => {
    const { client, connection } = await prepare();
    await client.create({ name: 'chat', messages: [{ role: 'system', content: 'Be {{ mood }}' }, { placeholder: 'history' }] });
    const history = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'lookup', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'A cat' },
    ];
    mock.on({}, { content: 'It is a cat' });
    const response = await client.call('POST', '/api/prompts/chat/run', { variables: { mood: 'kind', history }, connection }, asJson);
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(lastBody().messages, [{ role: 'system', content: 'Be kind' }, ...history]);
    const wrong = { variables: { mood: 'kind', history: [{ role: 'user', content: [7] }] }, connection };
    assertRefused(await client.call('POST', '/api/prompts/chat/run', wrong, asJson), 400, 'invalid_input', '/variables/history/0');
  });

  it('POST /api/run runs unsaved content, and keeps it only with the name of a prompt', async () => {
    const { client, connection } = await prepare();
    const draft = {
      template: 'Greet {{ name }}',
      declarations: [{ name: 'name', description: 'Who to greet' }],
      tools: [{ name: 'wave' }],
      output: { schema: { type: 'object' } },
      config: { temperature: 1 },
    };
    const input = { ...draft, variables: { name: 'Ada' }, connection };
    const first = await client.call('POST', '/api/run', input, asJson);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual((await client.get<ListBody>(pathOf('greet', '/runs'))).data, []);
    const second = (await client.call('POST', '/api/run', { ...input, name: 'greet' }, asJson)).body as Run;
    assert.equal(second.version, null);
    assert.deepEqual(await client.get(pathOf('greet', `/runs/${second.id}`)), second);
    assert.deepEqual(second.draft, { ...draft, syntax: 'liquid' });
    assertRefused(await client.call('POST', '/api/run', { ...input, name: 'nobody' }, asJson), 404, 'prompt_not_found');
    assertRefused(await client.call('POST', '/api/run', { connection }, asJson), 400, 'invalid_input', '/template');
    assertRefused(await client.call('POST', '/api/run', { connection, template: '{% if' }, asJson), 400, 'invalid_template', '/template');
  });

  it('refuses before anything is sent: 400, 403, 404, 422', async () => {
    const { client, connection } = await prepare();
    const variables = { name: 'Ada' };
    for (const options of [asJson, {}]) {
      assertRefused(await run(client, { connection }, options), 422, 'missing_variables', '/variables/name');
      assertRefused(await run(client, { variables, connection: 'nobody' }, options), 400, 'invalid_input', '/connection');
      assertRefused(await run(client, { variables, connection: 'a\0b' }, options), 400, 'invalid_input', '/connection');
      assertRefused(await run(client, { variables }, options), 400, 'invalid_input', '/connection');
      assertRefused(await run(client, { variables, connection, model: 'other' }, options), 400, 'invalid_input', '/model');
      assertRefused(await run(client, { variables, connection, parameters: { model: 'other' } }, options), 400, 'invalid_input', '/model');
      assertRefused(await run(client, { variables, connection, version: 9 }, options), 404, 'version_not_found');
      assertRefused(await client.call('POST', '/api/prompts/nobody/run', { connection }, options), 404, 'prompt_not_found');
    }
    const foreign = await newClient(service());
    const { id } = await connect(foreign, `${mock.url}/v1`);
    assertRefused(await run(client, { variables, connection: id }), 400, 'invalid_input', '/connection');
    const viewer = await newMember(service(), client, 'viewer');
    assertRefused(await run(viewer, { variables, connection }, inWorkspace(client)), 403, 'forbidden');
    assertRefused(await viewer.call('POST', '/api/run', { template: 'x', connection }, inWorkspace(client)), 403, 'forbidden');
    assert.equal((await viewer.call('GET', pathOf('greet', '/runs'), undefined, inWorkspace(client))).status, 200);
    assertRefused(await foreign.call('GET', pathOf('greet', '/runs')), 404, 'prompt_not_found');
    assert.deepEqual(mock.getRequests(), []);
  });

  it('GET …/runs/{id} finds only the runs of its own prompt and workspace', async () => {
    const { client, connection } = await prepare();
    const { id } = (await run(client, { variables: { name: 'Ada' }, connection })).body as Run;
    await client.create({ name: 'other', template: 'x' });
    assertRefused(await client.call('GET', pathOf('other', `/runs/${id}`)), 404, 'run_not_found');
    assertRefused(await client.call('GET', pathOf('greet', '/runs/r_nobody')), 404, 'run_not_found');
    assertRefused(await client.call('GET', pathOf('greet', '/runs/a%00b')), 404, 'run_not_found');
    const other = await newClient(service());
    await other.create({ name: 'greet', template: 'x' });
    assertRefused(await other.call('GET', pathOf('greet', `/runs/${id}`)), 404, 'run_not_found');
  });

  it('429: stops once the budget of the day is used', async () => {
    const { client, connection } = await prepare();
    const input = { variables: { name: 'Ada' }, connection };
    const budget = (dailyBudget: object) => client.call('PATCH', '/api/workspace', { dailyBudget });
    assert.equal((await budget({ cost: 0.006, tokens: null })).status, 200);
    assert.equal((await run(client, input)).status, 200);
    assert.equal((await run(client, input)).status, 200);
    const refused = await run(client, input, {});
    assert.match(assertRefused(refused, 429, 'budget_exceeded').error, /used up its budget of \$0\.006 for today/);
    assert.ok(Number(refused.headers.get('retry-after')) <= 86_400);
    await budget({ cost: null, tokens: 3000 });
    assert.match(assertRefused(await run(client, input), 429, 'budget_exceeded').error, /3000 tokens/);
    await budget({ cost: null, tokens: 3001 });
    assert.equal((await run(client, input)).status, 200);
    await budget({ cost: null, tokens: null });
    assert.equal((await run(client, input)).status, 200);
    assertRefused(await budget({ cost: -1, tokens: null }), 400, 'invalid_input', '/dailyBudget/cost');
    assertRefused(await budget({ cost: 1 }), 400, 'invalid_input', '/dailyBudget/tokens');
  });

  it('keeps the newest runs of a prompt and of a workspace, for 30 days', async () => {
    const { client } = await prepare();
    const { runs } = service().ctx.store;
    const accountId = client.userId;
    const put = (promptId: string, id: number, detail = '{}', kept = { perPrompt: 2, perWorkspace: 3, bytesPerWorkspace: 100 }) =>
      runs.insert({ accountId, promptId }, { id: `r_${id}`, createdAt: new Date().toISOString(), summary: '{}', detail }, kept);
    const ids = async (promptId: string) => (await runs.list({ accountId, promptId }, { limit: 10 })).map(({ id }) => id);
    for (const id of [1, 2, 3]) await put('p_a', id);
    assert.deepEqual(await ids('p_a'), ['r_3', 'r_2']);
    for (const id of [4, 5]) await put('p_b', id);
    assert.deepEqual([...(await ids('p_a')), ...(await ids('p_b'))], ['r_3', 'r_5', 'r_4']);
    await put('p_b', 6, 'x'.repeat(96));
    assert.deepEqual([...(await ids('p_a')), ...(await ids('p_b'))], ['r_6']);
    await sweep(service().ctx, new Date(Date.now() + 31 * 24 * 60 * 60 * 1000));
    assert.deepEqual(await ids('p_b'), []);
  });

  it('the key is in no response, log, or row', async () => {
    const { client, connection } = await prepare();
    mock.reset();
    mock.onMessage('Greet Ada', { error: { message: `Bad key ${providerKey}`, type: 'auth' }, status: 401 });
    const response = await run(client, { variables: { name: 'Ada' }, connection });
    assert.equal(response.status, 424);
    const { error, code, run: failed } = response.body as FailedRun;
    assert.equal(code, 'run_failed');
    assert.match(error, /rejected the key \(401\): Bad key \[key\]/);
    const kept = await client.call('GET', pathOf('greet', `/runs/${failed.id}`));
    const texts = [response.text, kept.text, (await client.call('GET', '/api/models')).text, service().logs()];
    for (const text of texts) assert.ok(!text.includes(providerKey));
    assert.equal(failed.cost, 0);
  });
});

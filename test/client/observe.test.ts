import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LLMock } from '@copilotkit/aimock';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { createTransport } from '../../client/src/http/transport.ts';
import { ForbiddenError, type LoadedPrompts, NotFoundError, PromptHarbor } from '../../client/src/index.ts';
import { resolveOptions } from '../../client/src/options.ts';
import { createReporter } from '../../client/src/results/reporter.ts';
import type { PromptResults } from '../../src/contract/results.ts';
import { type Client, newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

const name = 'support/triage';
const question = 'planted question';
const answer = 'planted answer, in several words';
const usage = { prompt_tokens: 21, completion_tokens: 8, total_tokens: 29 };
const clientSource = fileURLToPath(new URL('../../client/src/index.ts', import.meta.url));

interface World {
  client: Client;
  ph: PromptHarbor;
  prompts: LoadedPrompts;
  /** The bodies of all reports that were sent. */
  reports: string[];
  results(): Promise<PromptResults>;
}

describe('observe', () => {
  let service: Service;
  const mock = new LLMock({ port: 0 });
  before(async () => {
    service = await startService();
    mock.onMessage(question, { content: answer, usage });
    mock.onMessage('busy', { error: { message: 'planted message', type: 'rate_limit_error' }, status: 429 });
    await mock.start();
  });
  after(async () => {
    await service.close();
    await mock.stop();
  });

  const connectOpenAI = () => new OpenAI({ baseURL: `${mock.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: question }];
  const chat = { model: 'gpt-5-mini', messages };

  async function setUp(t: TestContext, wrap: (inner: typeof fetch) => typeof fetch = (inner) => inner): Promise<World> {
    const client = await newClient(service);
    await client.create({ name, template: 'One' });
    await client.save(name, { template: 'Two {{ customer }}', labels: ['production'] });
    const reports: string[] = [];
    const send: typeof fetch = (input, init) => {
      if (String(input).endsWith('/api/results') && init?.method === 'POST') reports.push(String(init.body));
      return wrap(fetch)(input, init);
    };
    const ph = new PromptHarbor({ baseUrl: service.url, apiKey: client.token, fetch: send });
    const prompts = await ph.prompts.load();
    t.after(() => prompts.close());
    const results = async () => {
      await ph.results.flush();
      return ph.prompts.results(name);
    };
    return { client, ph, prompts, reports, results };
  }

  it('attributes: a loaded and a rendered prompt name their version and label', async (t) => {
    const { prompts } = await setUp(t);
    const expected = { 'gen_ai.prompt.name': name, 'gen_ai.prompt.version': '2', 'promptharbor.prompt.label': 'production' };
    const prompt = prompts.get(name);
    assert.deepEqual(prompt.attributes(), expected);
    const rendered = await prompt.render({ customer: 'Ada' });
    assert.deepEqual(rendered.attributes(), expected);
    assert.deepEqual(prompt.renderSync({ customer: 'Ada' }).attributes(), expected);
    assert.deepEqual(rendered, { name, version: 2, text: 'Two Ada', config: {} }, 'the rendered prompt itself is as before');
    assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(rendered))), ['name', 'version', 'text', 'config']);
  });

  it('counts a call of the OpenAI SDK by version, label and model, with its tokens, and returns its result unchanged', async (t) => {
    const { prompts, ph, results } = await setUp(t);
    const openai = connectOpenAI();
    const completion = await prompts.get(name).observe(() => openai.chat.completions.create(chat));
    assert.equal(completion.choices[0]?.message.content, answer);
    await prompts.get(name).observe(() => openai.responses.create({ model: 'gpt-5', input: question }));
    const { versions, models, totals } = await results();
    assert.deepEqual(
      versions.map(({ version, calls, errors }) => ({ version, calls, errors })),
      [{ version: 2, calls: 2, errors: 0 }],
    );
    assert.deepEqual(
      models.map(({ model, calls, inputTokens, outputTokens }) => ({ model, calls, inputTokens, outputTokens })),
      [
        { model: 'gpt-5', calls: 1, inputTokens: 21, outputTokens: 8 },
        { model: 'gpt-5-mini', calls: 1, inputTokens: 21, outputTokens: 8 },
      ],
    );
    assert.ok((totals.durationMs.p50 ?? 0) > 0);
    assert.equal(totals.firstChunkMs.p50, null);
    assert.deepEqual((await ph.prompts.results(name, { label: 'production' })).totals.calls, 2);
    assert.equal((await ph.prompts.results(name, { label: 'staging' })).totals.calls, 0);
    assert.deepEqual(ph.results.state, { waiting: 0, reported: 2, dropped: 0, error: undefined });
    // The id that the model API gave its response leads from feedback to the version.
    await ph.feedback({ prompt: name, responseId: completion.id, name: 'helpful', value: true });
    const [rated] = (await results()).versions;
    assert.deepEqual(
      rated?.scores.map(({ name: score, count, mean }) => [score, count, mean]),
      [['helpful', 1, 1]],
    );
  });

  it('ph.results and ph.feedback: report, rate with and without a token, and read comments and the results of the workspace', async (t) => {
    const { ph, results } = await setUp(t);
    const call = { prompt: name, version: 1, durationMs: 5, cost: 0.25 };
    assert.deepEqual(await ph.results.report([call, call, { ...call, traceId: 'a' }, { ...call, traceId: 'a' }, { ...call, version: 9 }]), {
      accepted: 4,
      dropped: 1,
    });
    await ph.results.report([
      { ...call, id: 'same' },
      { ...call, id: 'same' },
    ]);
    await ph.results.report([{ ...call, id: 'same' }]);
    const { token } = await ph.feedback.createToken({ prompt: name, version: 1 });
    const page = new PromptHarbor({ baseUrl: service.url });
    await page.feedback.sendWithToken({ token, name: 'helpful', value: false, comment: 'Too long' });
    await assert.rejects(page.feedback.sendWithToken({ token: `${token}x`, name: 'helpful', value: false }), ForbiddenError);
    await ph.feedback({ prompt: name, version: 1, name: 'helpful', value: true });
    await assert.rejects(ph.feedback({ prompt: 'missing', name: 'helpful', value: true }), NotFoundError);
    const [first] = (await results()).versions;
    assert.deepEqual([first?.version, first?.calls, first?.cost, first?.scores[0]?.count, first?.scores[0]?.mean], [1, 5, 1.25, 2, 0.5]);
    assert.deepEqual(
      (await Array.fromAsync(ph.prompts.comments(name))).map(({ comment }) => comment),
      ['Too long'],
    );
    const { prompts: listed, dropped } = await ph.results.get();
    assert.deepEqual(
      [listed.map((prompt) => [prompt.name, prompt.calls]), dropped],
      [[[name, 5]], [{ reason: 'unknown_version', count: 1 }]],
    );
    const csv = await ph.request({ method: 'GET', path: '/api/results', query: { format: 'csv' }, isText: true });
    assert.match(String(csv), /^prompt,promptId,calls,/);
  });

  it('rethrows the same error, and reports its status, code or name, never its message', async (t) => {
    const { prompts, reports, results } = await setUp(t);
    const prompt = prompts.get(name);
    const failing = async (work: () => unknown) =>
      prompt.observe(work).then(
        () => assert.fail(),
        (err: unknown) => err,
      );
    const busy = await failing(() => connectOpenAI().chat.completions.create({ ...chat, messages: [{ role: 'user', content: 'busy' }] }));
    assert.ok(busy instanceof OpenAI.RateLimitError);
    const refused = new OpenAI({ baseURL: await findClosedAddress(), apiKey: 'none', maxRetries: 0 });
    assert.ok((await failing(() => refused.chat.completions.create(chat))) instanceof OpenAI.APIConnectionError);
    const models = createOpenAICompatible({ name: 'models', baseURL: `${mock.url}/v1` });
    await failing(() => generateText({ model: models('a'), prompt: 'busy', maxRetries: 1 }));
    class QuotaError extends Error {}
    const thrown = [
      new QuotaError('planted message'),
      Object.assign(new Error('planted message'), { code: 'insufficient_quota' }),
      new Error('planted message', { cause: Object.assign(new Error('planted message'), { code: 'ECONNRESET' }) }),
      new DOMException('planted message', 'TimeoutError'),
      Object.assign(new Error('planted message'), { code: 'planted message', name: 'planted message' }),
      'planted message',
      undefined,
    ];
    for (const err of thrown) {
      assert.equal(
        await failing(() => {
          throw err;
        }),
        err,
      );
    }
    const { totals } = await results();
    assert.deepEqual(Object.fromEntries(totals.errorTypes.map(({ type, calls }) => [type, calls])), {
      ...{ 429: 2, ECONNREFUSED: 1, QuotaError: 1, insufficient_quota: 1, ECONNRESET: 1, TimeoutError: 1, other: 3 },
    });
    assert.equal(totals.durationMs.p50, null, 'failed calls have no duration');
    assert.ok(reports.length > 0);
    assert.doesNotMatch(reports.join(), /planted/);
  });

  it('passes streams of the OpenAI SDK through, and counts them when they end, with the first chunk and the tokens', async (t) => {
    const { prompts, ph, reports, results } = await setUp(t);
    const openai = connectOpenAI();
    const prompt = prompts.get(name);
    const streamed = { ...chat, stream: true as const, stream_options: { include_usage: true } };
    const start = () => prompt.observe(() => openai.chat.completions.create(streamed));
    const textOf = async (stream: AsyncIterable<OpenAI.ChatCompletionChunk>) => {
      let text = '';
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    };

    const stream = await start();
    assert.equal(ph.results.state.waiting, 0, 'the call has not ended');
    assert.equal(await textOf(stream), answer);
    assert.equal(ph.results.state.waiting, 1);
    const [left, right] = (await start()).tee();
    assert.deepEqual(await Promise.all([textOf(left), textOf(right)]), [answer, answer]);
    const lines = await new Response((await start()).toReadableStream()).text();
    assert.match(lines, /"delta"/);
    for await (const _chunk of await start()) break;
    const response = await prompt.observe(() => openai.responses.create({ model: 'gpt-5', input: question, stream: true }));
    let text = '';
    for await (const event of response) if (event.type === 'response.output_text.delta') text += event.delta;
    assert.equal(text, answer);

    const { totals, models } = await results();
    assert.deepEqual([totals.calls, totals.errors], [5, 0]);
    assert.ok((totals.firstChunkMs.p50 ?? 0) > 0);
    assert.deepEqual(
      models.map(({ model, calls, inputTokens, outputTokens }) => ({ model, calls, inputTokens, outputTokens })),
      [
        { model: 'gpt-5', calls: 1, inputTokens: 21, outputTokens: 8 },
        { model: 'gpt-5-mini', calls: 4, inputTokens: 3 * 21, outputTokens: 3 * 8 },
      ],
      'a program that stops reading does not see the tokens',
    );
    assert.doesNotMatch(reports.join(), /planted/);
    assert.match(reports.join(), /"responseId":"chatcmpl-/);
  });

  it('counts calls of the AI SDK, whole and streamed, without consuming a stream', async (t) => {
    const { prompts, reports, results } = await setUp(t);
    const models = createOpenAICompatible({ name: 'models', baseURL: `${mock.url}/v1`, includeUsage: true });
    const settings = { model: models('own-model'), prompt: question, maxRetries: 0 };
    const prompt = prompts.get(name);
    assert.equal((await prompt.observe(() => generateText(settings))).text, answer);
    const result = await prompt.observe(() => streamText(settings));
    let text = '';
    for await (const part of result.textStream) text += part;
    assert.equal(text, answer);
    assert.equal(await (await prompt.observe(() => streamText(settings))).text, answer);
    assert.match(await (await prompt.observe(() => streamText(settings))).toUIMessageStreamResponse().text(), /everal words/);
    const failed = await prompt.observe(() => streamText({ ...settings, prompt: 'busy', onError: () => {} }));
    await failed.consumeStream();
    const { totals } = await results();
    assert.deepEqual([totals.calls, totals.errorTypes], [5, [{ type: '429', calls: 1 }]]);
    assert.deepEqual([totals.inputTokens, totals.outputTokens], [4 * 21, 4 * 8]);
    assert.doesNotMatch(reports.join(), /planted/);
  });

  it('counts calls of LangChain, whole and streamed', async (t) => {
    const { prompts, reports, results } = await setUp(t);
    const prompt = prompts.get(name);
    const model = new ChatOpenAI({ model: 'gpt-5-mini', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${mock.url}/v1` } });
    assert.equal((await prompt.observe(() => model.invoke(messages))).text, answer);
    let text = '';
    for await (const chunk of await prompt.observe(() => model.stream(messages))) text += chunk.text;
    assert.equal(text, answer);
    await assert.rejects(prompt.observe(() => model.invoke('busy')));
    const { totals, models } = await results();
    assert.deepEqual([totals.calls, totals.errorTypes], [3, [{ type: '429', calls: 1 }]]);
    assert.deepEqual([totals.inputTokens, totals.outputTokens], [2 * 21, 2 * 8]);
    assert.deepEqual(
      models.map(({ model: named, calls }) => [named, calls]),
      [
        ['gpt-5-mini', 2],
        [null, 1],
      ],
    );
    assert.ok((totals.firstChunkMs.p50 ?? 0) > 0);
    assert.doesNotMatch(reports.join(), /planted/);
  });

  it("counts Anthropic's messages with the tokens of the cache, whole and streamed", async (t) => {
    const { prompts, reports, results } = await setUp(t);
    const prompt = prompts.get(name);
    const call = (stream: boolean) =>
      fetch(`${mock.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 100, messages, stream }),
      });
    await prompt.observe(async () => (await call(false)).json(), { provider: 'anthropic' });
    async function* events() {
      for (const [, data = ''] of (await (await call(true)).text()).matchAll(/^data: (.*)$/gm)) yield JSON.parse(data) as unknown;
    }
    for await (const event of await prompt.observe(() => events(), { provider: 'anthropic' })) assert.ok(event);
    const cached = { input_tokens: 1, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 5 };
    await prompt.observe(() => ({ id: 'msg_1', type: 'message', model: 'claude-sonnet-5', usage: cached }));
    const { models } = await results();
    assert.deepEqual(
      models.map(({ model, calls, inputTokens, outputTokens, cost }) => ({ model, calls, inputTokens, outputTokens, cost })),
      [{ model: 'claude-sonnet-5', calls: 3, inputTokens: 2 * 21 + 111, outputTokens: 2 * 8 + 5, cost: (153 * 2 + 21 * 10) / 1e6 }],
    );
    assert.doesNotMatch(reports.join(), /planted/);
  });

  it('returns every other result unchanged, and never throws an error of its own', async (t) => {
    const { prompts, results } = await setUp(t);
    const prompt = prompts.get(name);
    const hostile = new Proxy(
      {},
      {
        get: (_target, key) => {
          if (key === 'then') return undefined;
          throw new Error('planted message');
        },
      },
    );
    async function* yieldParts() {
      yield 'a';
      yield 'b';
    }
    const frozen = Object.freeze({ [Symbol.asyncIterator]: yieldParts });
    for (const value of [undefined, null, 7, 'text', hostile, frozen, Object.freeze({ usage }), { usage: { prompt_tokens: -1 } }, []]) {
      assert.equal(await prompt.observe(() => value), value);
    }
    assert.equal(await prompt.observe(async () => 'later', { model: 'x'.repeat(1000), traceId: '', provider: 'y'.repeat(1000) }), 'later');
    const generator = yieldParts();
    assert.equal(await prompt.observe(() => generator), generator);
    assert.deepEqual(await Array.fromAsync(generator), ['a', 'b']);
    const whole = async (stream: ReadableStream) => Array.fromAsync(stream as unknown as AsyncIterable<unknown>);
    const readable = await prompt.observe(() => ReadableStream.from(['a', 'b']));
    assert.deepEqual(await whole(readable), ['a', 'b']);
    assert.deepEqual(await whole((await prompt.observe(() => ReadableStream.from(['a', 'b']))).pipeThrough(new TransformStream())), [
      'a',
      'b',
    ]);
    const reader = (await prompt.observe(() => ReadableStream.from(['a', 'b']))).getReader();
    assert.deepEqual(await reader.read(), { done: false, value: 'a' });
    await reader.cancel();
    const broken = new Error('planted message');
    const failing = await prompt.observe(async function* () {
      yield 'a';
      throw broken;
    });
    await assert.rejects(Array.fromAsync(failing), broken);
    const { totals } = await results();
    assert.deepEqual([totals.calls, totals.errorTypes], [15, [{ type: 'Error', calls: 1 }]]);
    assert.equal(totals.inputTokens, 21);
  });

  it('does not report calls of a fallback, which is no version of the service', async (t) => {
    const { client } = await setUp(t);
    const ph = new PromptHarbor({ baseUrl: await findClosedAddress(), apiKey: client.token, retries: 0 });
    const prompts = await ph.prompts.load({ startEmpty: true });
    t.after(() => prompts.close());
    const prompt = prompts.get(name, { fallback: 'Two' });
    assert.equal(await prompt.observe(() => 'done'), 'done');
    assert.equal(prompt.attributes()['gen_ai.prompt.version'], '0');
    assert.equal(ph.results.state.waiting, 0);
  });

  it('counts a call once, although the response to its report was lost', async (t) => {
    let isCut = true;
    const { prompts, ph, results, reports } = await setUp(t, (inner) => async (input, init) => {
      const response = await inner(input, init);
      if (!isCut || init?.method !== 'POST') return response;
      await response.body?.cancel();
      throw new TypeError('fetch failed');
    });
    await prompts.get(name).observe(() => 'done', { traceId: 'trace-1' });
    await prompts.get(name).observe(() => 'done');
    await ph.results.flush();
    assert.deepEqual([ph.results.state.waiting, ph.results.state.reported], [2, 0]);
    assert.ok(ph.results.state.error instanceof Error);
    isCut = false;
    assert.equal((await results()).totals.calls, 2);
    assert.equal(reports.length, 2);
    assert.equal(reports[0], reports[1]);
    assert.deepEqual(ph.results.state, { waiting: 0, reported: 2, dropped: 0, error: undefined });
    await ph.feedback({ prompt: name, traceId: 'trace-1', name: 'rating', value: 4, id: 'f1' });
    await ph.feedback({ prompt: name, traceId: 'trace-1', name: 'rating', value: 4, id: 'f1' });
    assert.deepEqual(
      (await results()).totals.scores.map(({ count, mean }) => [count, mean]),
      [[1, 4]],
    );
  });

  it('counts 10,000 calls exactly', async (t) => {
    const { prompts, ph, results } = await setUp(t);
    const prompt = prompts.get(name);
    const response = { id: 'r', model: 'gpt-5-mini', usage };
    await Promise.all(Array.from({ length: 10_000 }, () => prompt.observe(async () => response)));
    const { totals } = await results();
    assert.deepEqual([totals.calls, totals.inputTokens, totals.outputTokens], [10_000, 210_000, 80_000]);
    assert.deepEqual(ph.results.state, { waiting: 0, reported: 10_000, dropped: 0, error: undefined });
  });

  it('drops and counts calls of versions that the service does not have, and calls while too many others wait', async (t) => {
    let isAway = true;
    const { prompts, ph, client } = await setUp(t, (inner) => async (input, init) => {
      if (isAway && init?.method === 'POST') throw new TypeError('fetch failed');
      return inner(input, init);
    });
    const prompt = prompts.get(name);
    await Promise.all(Array.from({ length: 10_050 }, () => prompt.observe(async () => 'done')));
    await ph.results.flush();
    const { waiting, dropped, reported } = ph.results.state;
    assert.deepEqual({ waiting, dropped, reported }, { waiting: 10_000, dropped: 50, reported: 0 });
    isAway = false;
    assert.equal((await client.call('DELETE', `/api/prompts/${encodeURIComponent(name)}`)).status, 204);
    await prompts.close();
    assert.deepEqual(ph.results.state, { waiting: 0, reported: 0, dropped: 10_050, error: undefined });
  });

  it('sends a report again until the service responds, and gives up after several attempts', async (t) => {
    const { client, ph, results } = await setUp(t);
    const start = (failures: number) => {
      const { promise: done, resolve } = Promise.withResolvers<void>();
      let requests = 0;
      const send: typeof fetch = async (input, init) => {
        requests += 1;
        if (requests === attempts.maxAttempts) resolve();
        return requests > failures ? fetch(input, init) : new Response('{}', { status: 503 });
      };
      const transport = createTransport(resolveOptions({ baseUrl: service.url, apiKey: client.token, fetch: send }));
      const reporter = createReporter(transport, attempts);
      reporter.add({ prompt: name, version: 2, durationMs: 1 });
      return { reporter, done };
    };
    const attempts = { intervalMs: 1, retry: { firstMs: 1, maxMs: 1 }, maxAttempts: 4 };
    const recovered = start(3);
    await recovered.done;
    await recovered.reporter.flush();
    assert.deepEqual(recovered.reporter.state, { waiting: 0, reported: 1, dropped: 0, error: undefined });
    const away = start(Number.POSITIVE_INFINITY);
    await away.done;
    await away.reporter.flush();
    assert.deepEqual([away.reporter.state.waiting, away.reporter.state.dropped], [0, 1]);
    assert.equal((await results()).totals.calls, 1);
    assert.equal(ph.results.state.reported, 0);
  });

  describe('at the end of a process', () => {
    const program = `
      import { PromptHarbor } from ${JSON.stringify(clientSource)};
      const ph = new PromptHarbor();
      const prompts = await ph.prompts.load(process.env.STOPPED ? { startEmpty: true, fallbackFile: process.env.STOPPED } : {});
      for (let call = 0; call < 120; call += 1) await prompts.get(${JSON.stringify(name)}).observe(() => ({ usage: { input_tokens: 1, output_tokens: 2 } }));
      if (process.env.DOWN) ph.setApiKey('ph_' + '0'.repeat(64));
      process.on('exit', () => console.log(JSON.stringify(ph.results.state)));
      // The program neither closes the client nor exits.
    `;
    const run = async (env: Record<string, string>) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      const [code] = await once(child, 'close');
      assert.equal(code, 0);
      return JSON.parse(stdout) as { waiting: number; reported: number; dropped: number };
    };

    it('sends the pending reports, without keeping the process alive', async (t) => {
      const { client, results } = await setUp(t);
      const state = await run({ PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: client.token });
      assert.deepEqual(state, { waiting: 0, reported: 120, dropped: 0 });
      const { totals } = await results();
      assert.deepEqual([totals.calls, totals.inputTokens, totals.outputTokens], [120, 120, 240]);
    });

    it('gives up if the service refuses the key, so that the process ends', async (t) => {
      const { client } = await setUp(t);
      const { waiting, reported, dropped } = await run({ PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: client.token, DOWN: '1' });
      assert.equal(waiting, 0);
      assert.equal(reported + dropped, 120);
      assert.ok(dropped > 0);
    });
  });
});

/** Returns an address at which nothing listens. */
async function findClosedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { toAISDK } from '../../client/src/ai-sdk.ts';
import { type LoadedPrompts, PromptHarbor, PromptHarborError, type RenderedPrompt } from '../../client/src/index.ts';
import { toLangChain } from '../../client/src/langchain.ts';
import { toOpenAI } from '../../client/src/openai.ts';
import { engines } from '../support/engines.ts';
import { asJson, connect, startModelService } from '../support/models.ts';
import { type Client, newClient } from '../support/prompts.ts';
import { type RecordingModel, startRecordingModel } from '../support/recording-model.ts';
import type { Service } from '../support/service.ts';

type Body = Record<string, unknown>;

/** A version, and the fields that an SDK sends in a different form than a run of the service, with the same meaning. */
interface Case {
  title: string;
  version: Body;
  variables?: Record<string, unknown>;
  aiSdk?: Body;
  langChain?: Body;
}

const model = 'some-model';
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const parameters = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'], additionalProperties: false };
const findOrder = { name: 'find_order', description: 'Finds an order.', parameters, strict: true };
const cancel = { name: 'cancel' };
const schema = {
  type: 'object',
  properties: { category: { enum: ['billing', 'other'] } },
  required: ['category'],
  additionalProperties: false,
};
const noParameters = { type: 'object', properties: {} };

const call = { id: 'call_1', type: 'function', function: { name: 'find_order', arguments: '{"number":"1042"}' } };
const history = [
  { role: 'user', content: 'Where is 1042?' },
  // This message has the form that OpenAI's API returns.
  { role: 'assistant', content: null, refusal: null, annotations: [], tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Shipped' },
  { role: 'assistant', content: 'It is on its way.' },
];
const conversation = (content: unknown) => [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'Where is 1042?' },
  { role: 'assistant', content, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Shipped' },
  { role: 'assistant', content: 'It is on its way.' },
  { role: 'user', content: 'When?' },
];

const cases: Case[] = [
  {
    title: 'a text prompt becomes one user message, and all parameters are passed on',
    version: {
      template: 'Hello {{ name }}',
      config: {
        model,
        temperature: 0,
        top_p: 0.9,
        max_tokens: 100,
        stop: ['END'],
        seed: 7,
        presence_penalty: 0.1,
        frequency_penalty: -0.1,
        reasoning_effort: 'low',
        user: 'ada',
        logit_bias: { 50256: -100 },
        own: [null, { any: 1 }],
        stream: true,
        stream_options: { any: 1 },
        messages: 'not these',
        variables: { name: { description: 'For people', unknown: 1 } },
      },
    },
    variables: { name: 'Ada' },
  },
  {
    title: 'a chat prompt',
    version: {
      messages: [
        { role: 'system', content: 'You help {{ name }}.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Who are you?' },
            { type: 'text', text: 'And why?' },
          ],
        },
      ],
      config: { model },
    },
    variables: { name: 'Ada' },
  },
  {
    title: 'developer messages',
    version: {
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      config: { model },
    },
    // The APIs treat both roles in the same way.
    aiSdk: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    langChain: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
  },
  {
    title: 'instructions alone',
    version: { messages: [{ role: 'system', content: 'Tell a joke.' }], config: { model } },
  },
  {
    title: 'images by URL and as data',
    version: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Compare' },
            { type: 'image', url: '{{ photo }}', detail: 'low' },
            { type: 'image', url: 'https://images.example/b.png' },
            { type: 'image', data: pixel, mediaType: 'image/png', detail: 'high' },
            { type: 'image', url: `data:image/png;base64,${pixel}` },
          ],
        },
      ],
      config: { model },
    },
    variables: { photo: 'https://images.example/a.png?x=1' },
  },
  {
    title: 'files and audio',
    version: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', data: 'JVBERi0xLjQ=', mediaType: 'application/pdf', filename: 'invoice.pdf' },
            { type: 'audio', data: 'UklGRg==', mediaType: 'audio/wav' },
            { type: 'audio', data: '/+M=', mediaType: 'audio/mpeg' },
          ],
        },
      ],
      config: { model },
    },
  },
  {
    title: 'a conversation with a tool call and its result',
    version: {
      messages: [{ role: 'system', content: 'You help.' }, { placeholder: 'history' }, { role: 'user', content: 'When?' }],
      config: { model },
    },
    variables: { history },
    aiSdk: { messages: conversation(null) },
    langChain: { messages: conversation('') },
  },
  {
    title: 'tools',
    version: { template: 'Hi', tools: [findOrder, cancel], config: { model, tool_choice: 'required' } },
    aiSdk: {
      // The AI SDK requires parameters.
      tools: [findOrder, { ...cancel, parameters: noParameters }].map((each) => ({ type: 'function', function: each })),
    },
  },
  {
    title: 'tools in the config, and the choice of one',
    version: {
      template: 'Hi',
      config: {
        model,
        tools: [{ type: 'function', function: findOrder }],
        tool_choice: { type: 'function', function: { name: 'find_order' } },
        parallel_tool_calls: false,
      },
    },
  },
  {
    title: 'a strict output schema',
    version: { template: 'Hi', output: { schema, name: 'category', strict: true }, config: { model } },
  },
  {
    title: 'an output schema in the config, with a description',
    version: {
      template: 'Hi',
      config: {
        model,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'x', description: 'A category', schema: { ...schema, title: 'X' }, strict: true },
        },
        any: 1,
      },
    },
  },
  {
    title: 'an output schema that is not strict',
    version: { template: 'Hi', output: { schema }, config: { model } },
    // The AI SDK sends `strict: false`, which is the default.
    aiSdk: { response_format: { type: 'json_schema', json_schema: { name: 'output', schema, strict: false } } },
  },
  { title: 'JSON without a schema', version: { template: 'Hi', config: { model, response_format: { type: 'json_object' } } } },
];

for (const engine of engines) {
  describe(`helpers for model SDKs, compared with a run of the service (${engine.name})`, () => {
    let service: Service;
    let server: RecordingModel;
    let client: Client;
    let connection: string;
    let ph: PromptHarbor;

    before(async () => {
      server = await startRecordingModel();
      service = await startModelService({ engine });
      client = await newClient(service);
      ph = new PromptHarbor({ baseUrl: service.url, apiKey: client.token });
      connection = (await connect(client, server.url, { models: [] })).id;
      for (const [index, { version }] of cases.entries()) await client.create({ name: `case-${index}`, ...version });
    });
    after(async () => {
      await service?.close();
      await server?.close();
    });

    async function load(): Promise<LoadedPrompts> {
      const prompts = await ph.prompts.load();
      await prompts.close();
      return prompts;
    }

    /** Returns what the model server received, without how the response is transferred. */
    async function record(send: () => Promise<unknown>): Promise<Body> {
      await send();
      const { stream: _, stream_options: _options, ...body } = server.takeBody();
      return body;
    }

    for (const [index, { title, variables = {}, aiSdk, langChain }] of cases.entries()) {
      it(title, async () => {
        const name = `case-${index}`;
        const rendered = await (await load()).get(name).render(variables);
        const ran = await record(() => client.call('POST', `/api/prompts/${name}/run`, { variables, connection }, asJson));
        assert.equal(ran.model, model);

        const openai = new OpenAI({ baseURL: server.url, apiKey: 'none' });
        const fallback = { model: 'another' };
        assert.deepEqual(await record(() => openai.chat.completions.create({ ...fallback, ...toOpenAI(rendered) })), ran);
        const stream = async () => {
          for await (const _chunk of await openai.chat.completions.create({ ...fallback, ...toOpenAI(rendered), stream: true }));
        };
        assert.deepEqual(await record(stream), ran);
        const onService = await ph.prompts.render(name, { variables });
        assert.deepEqual({ ...toOpenAI(onService) }, ran, 'a prompt that the service has rendered');

        const models = createOpenAICompatible({
          name: 'models',
          baseURL: server.url,
          supportsStructuredOutputs: true,
          supportedUrls: () => ({ 'image/*': [/^https:/] }),
        });
        const { modelId = '', ...settings } = toAISDK(rendered, { provider: 'models' });
        const expected = { ...ran, ...('tools' in ran && { tool_choice: 'auto' }), ...pick(ran, 'tool_choice'), ...aiSdk };
        assert.deepEqual(await record(() => generateText({ model: models(modelId), ...settings })), expected);
        const streamed = async () => void (await streamText({ model: models(modelId), ...settings }).text);
        assert.deepEqual(await record(streamed), expected);

        const prompt = toLangChain(rendered);
        const chat = new ChatOpenAI({ ...prompt.settings, apiKey: 'none', configuration: { baseURL: server.url } });
        const invoke = async () => {
          const { tools, output, messages } = prompt;
          if (tools) await chat.bindTools(tools).invoke(messages);
          else if (output) await chat.withStructuredOutput(output.schema, output).invoke(messages);
          else await chat.invoke(messages);
        };
        assert.deepEqual(await record(invoke), { ...ran, ...langChain });
      });
    }
  });
}

function pick(value: Body, field: string): Body {
  return field in value ? { [field]: value[field] } : {};
}

type Message = Record<string, unknown>;

const rendered = (content: { messages: Message[] } | { config: unknown }) => ({ text: 'Hi', config: {}, ...content }) as RenderedPrompt;
const withPart = (part: unknown) =>
  rendered({
    messages: [
      { role: 'system', content: 'x' },
      { role: 'user', content: [part] },
    ],
  });
const withMessage = (message: Message) => rendered({ messages: [{ role: 'user', content: 'Hi' }, message] });
const withCall = (fields: object) => withMessage({ role: 'assistant', tool_calls: [{ ...call, ...fields }] });

describe('what an SDK cannot express', () => {
  const both: [title: string, prompt: RenderedPrompt, message: RegExp][] = [
    [
      'an unknown part',
      withPart({ type: 'video_url', video_url: {} }),
      /^Message 2, part 1: .* does not accept parts of the type “video_url”\.$/,
    ],
    [
      'a field of a part',
      withPart({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }),
      /^Message 2, part 1: .* does not accept the field “cache_control”\.$/,
    ],
    ['an uploaded file', withPart({ type: 'file', file: { file_id: 'file-1' } }), /^Message 2, part 1: The file was uploaded/],
    [
      'a URL that is none',
      withPart({ type: 'image_url', image_url: { url: 'cid:1' } }),
      /^Message 2, part 1: Use an https:\/\/ URL, or a data URL/,
    ],
    ['a role', withMessage({ role: 'function', content: 'x' }), /^Message 2: .* does not accept the role “function”\.$/],
    ['a field of a message', withMessage({ role: 'assistant', content: 'x', refusal: 'No' }), /^Message 2: .* the field “refusal”\.$/],
    ['a field of a tool call', withCall({ extra_content: { any: 1 } }), /^Message 2: .* the field “extra_content”\.$/],
    [
      'arguments that are not JSON',
      withCall({ function: { name: 'x', arguments: '{' } }),
      /^Message 2: The arguments of the tool call “x” are not/,
    ],
  ];
  const onlyAISDK: typeof both = [
    [
      'the name of an author',
      withMessage({ role: 'user', content: 'x', name: 'ada' }),
      /^Message 2: The AI SDK does not accept the field “name”\.$/,
    ],
    [
      'a file at a URL',
      withPart({ type: 'file', file: { file_data: 'https://a.example/x.pdf' } }),
      /^Message 2, part 1: The AI SDK requires the media type of a file/,
    ],
    [
      'a result without its call',
      withMessage({ role: 'tool', tool_call_id: '1', content: 'x' }),
      /^Message 2: No earlier message has the tool call that this message answers\./,
    ],
    [
      'a parameter without a provider',
      rendered({ config: { user: 'a', n: 2 } }),
      /^The AI SDK has no setting for user, n\. .*toAISDK\(rendered, \{ provider \}\)/,
    ],
    ['a number as text', rendered({ config: { temperature: '0.2' } }), /^The AI SDK requires a number for the parameter “temperature”\.$/],
    [
      'an output schema that must not be strict, without a provider',
      rendered({ config: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict: false } } } }),
      /^The AI SDK has no setting for strictJsonSchema\./,
    ],
    [
      'an unknown response format',
      rendered({ config: { response_format: { type: 'grammar' } } }),
      /^The response_format must have the type/,
    ],
  ];

  const assertThrows = (work: () => unknown, message: RegExp) =>
    assert.throws(work, (err) => {
      assert.ok(err instanceof PromptHarborError);
      assert.match(err.message, message);
      return true;
    });

  for (const [title, prompt, message] of both) {
    it(`${title}: throws, and names it`, () => {
      assertThrows(() => toAISDK(prompt, { provider: 'models' }), message);
      assertThrows(() => toLangChain(prompt), message);
      assert.deepEqual(toOpenAI(prompt).messages, prompt.messages, 'OpenAI decides itself');
    });
  }
  for (const [title, prompt, message] of onlyAISDK) {
    it(`${title}: throws for the AI SDK`, () => {
      assertThrows(() => toAISDK(prompt), message);
    });
  }
});

describe('toOpenAI', () => {
  it('has no model and no parameters if the config has none', () => {
    for (const config of [{}, null, 'text', ['a'], { model: '' }, { model: 1 }]) {
      assert.deepEqual({ ...toOpenAI(rendered({ config })) }, { messages: [{ role: 'user', content: 'Hi' }] });
    }
  });

  it('does not change the rendered prompt', () => {
    const prompt = rendered({ messages: history, config: { stop: ['a'] } } as never);
    const before = structuredClone(prompt);
    for (const convert of [toOpenAI, toAISDK, toLangChain]) convert(prompt);
    assert.deepEqual(prompt, before);
  });
});

describe('toAISDK', () => {
  it('keeps the instructions separate, and allows system messages only if the prompt has one in the conversation', () => {
    const [system, user] = [
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
    ];
    const { instructions, messages, allowSystemInMessages } = toAISDK(rendered({ messages: [system, system, user] }));
    assert.deepEqual(
      { instructions, messages, allowSystemInMessages },
      { instructions: [system, system], messages: [user], allowSystemInMessages: undefined },
    );
    assert.equal(toAISDK(rendered({ messages: [user, system] })).allowSystemInMessages, true);
  });

  it('calls the function that the application adds to a tool, and parses the output', async () => {
    const server = await startRecordingModel();
    const models = createOpenAICompatible({ name: 'models', baseURL: server.url, supportsStructuredOutputs: true });
    const prompt = { text: 'Hi', tools: [findOrder], output: { schema }, config: { model } };
    const { output, tools, ...settings } = toAISDK(prompt, { provider: 'models' });
    const parsed = await generateText({ model: models(model), ...settings, output });
    assert.deepEqual(parsed.output, { category: 'billing' });
    const found: unknown[] = [];
    const execute = async (input: unknown) => void found.push(input);
    const own = tools?.find_order;
    assert.ok(own);
    await generateText({ model: models(model), ...settings, toolChoice: 'required', tools: { find_order: tool({ ...own, execute }) } });
    assert.deepEqual(found, [{ number: '1' }]);
    await server.close();
  });
});

describe('toLangChain', () => {
  it('sends files, audio and images to models that LangChain calls through the Responses API', async () => {
    const server = await startRecordingModel();
    const parts = [
      { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
    ];
    const { messages } = toLangChain(rendered({ messages: [{ role: 'user', content: parts }] }));
    const chat = new ChatOpenAI({ model, apiKey: 'none', useResponsesApi: true, configuration: { baseURL: server.url }, maxRetries: 0 });
    // The server responds in the form of chat completions, which LangChain cannot read here. The test needs only the request.
    await chat.invoke(messages).catch(() => undefined);
    const { input } = server.takeBody();
    assert.deepEqual(input, [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' },
          parts[2],
        ],
      },
    ]);
    await server.close();
  });

  it('leaves parameters of an unexpected type to the API', () => {
    const { settings } = toLangChain(rendered({ config: { model: 'm', temperature: '0.2', max_tokens: 5, top_p: null, tools: 'x' } }));
    assert.deepEqual(settings, { model: 'm', maxTokens: 5, modelKwargs: { temperature: '0.2', tools: 'x' } });
  });

  it('passes on tools with fields of their own unchanged', () => {
    const tools = [{ type: 'function', function: findOrder, cache_control: { type: 'ephemeral' } }];
    assert.deepEqual(toLangChain(rendered({ config: { tools } })).settings, { modelKwargs: { tools } });
  });
});

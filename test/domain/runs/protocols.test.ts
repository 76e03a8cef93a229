import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelKind } from '../../../src/contract/model-kinds.ts';
import type { ModelMessage } from '../../../src/contract/model-messages.ts';
import type { ChatPart } from '../../../src/domain/runs/chat-parts.ts';
import { protocols } from '../../../src/domain/runs/protocols/protocols.ts';
import { AppError } from '../../../src/errors.ts';

type Json = Record<string, unknown>;

const png = 'data:image/png;base64,iVBORw0KGgo=';
const pdf = 'data:application/pdf;base64,JVBERi0=';
const text = 'data:text/csv;base64,YSxiCjEsMg==';
const user: ModelMessage = { role: 'user', content: 'Hi' };
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const tool = { type: 'function', function: { name: 'lookup', description: 'Finds', parameters: schema, strict: true } };
const toolCall = { id: 'call_1', type: 'function', function: { name: 'lookup', arguments: '{"city":"Rome"}' } };

const convert = (kind: ModelKind, messages: ModelMessage[], parameters: Json = {}, model = 'some-model') =>
  protocols[kind].toCall({ model, messages, parameters }).body;
const ask = (kind: ModelKind, parameters: Json) => convert(kind, [user], parameters);
const say = (kind: ModelKind, ...content: Json[]) => convert(kind, [{ role: 'user', content }]);

/** Asserts that a request is refused, and returns the message of the error. */
function refusal(action: () => unknown): string {
  let message = '';
  assert.throws(action, (err: unknown) => {
    assert.ok(err instanceof AppError && err.status === 422);
    assert.equal(err.code, 'unsupported_by_model');
    message = err.message;
    return true;
  });
  return message;
}

function read(kind: ModelKind, ...events: unknown[]): ChatPart[] {
  const reader = protocols[kind].openReader('host');
  return events.flatMap((event) => reader(JSON.stringify(event)) ?? []);
}

/** Joins the parts of the same tool call, as the service does. */
function toolCalls(parts: ChatPart[]): Json[] {
  const calls = new Map<number, { fields: Json; called: Json; arguments: string }>();
  for (const part of parts) {
    if (part.type !== 'tool_call') continue;
    const call = calls.get(part.index) ?? { fields: {}, called: {}, arguments: '' };
    calls.set(part.index, call);
    for (const [name, json] of part.fields) call.fields[name] = JSON.parse(json);
    for (const [name, json] of part.functionFields) call.called[name] = JSON.parse(json);
    call.arguments += part.arguments;
  }
  return [...calls.values()].map(({ fields, called, arguments: json }) => ({ ...fields, function: { ...called, arguments: json } }));
}

const others = (parts: ChatPart[]) => parts.filter(({ type }) => type !== 'tool_call');

describe('requests to Anthropic', () => {
  const messagesOf = (messages: ModelMessage[]) => convert('anthropic', messages).messages;

  it('have the system messages in a separate field, and alternating roles', () => {
    const body = convert('anthropic', [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'One' },
      { role: 'developer', content: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }] },
      { role: 'user', content: [{ type: 'text', text: 'Two' }] },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: 'Three' },
    ]);
    assert.deepEqual(body, {
      model: 'some-model',
      max_tokens: 8192,
      system: [
        { type: 'text', text: 'Be kind' },
        { type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'Two' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Three' }] },
      ],
      stream: true,
    });
  });

  it('have the parameters under the API’s names, and the API’s own parameters unchanged', () => {
    const { messages: _, ...body } = ask('anthropic', {
      temperature: 0.2,
      top_p: 0.9,
      top_k: 5,
      max_completion_tokens: 10,
      max_tokens: 20,
      stop: 'END',
      user: 'u1',
      seed: null,
      thinking: { type: 'adaptive' },
      tools: [tool, { type: 'function', function: { name: 'now' } }, { type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      output_config: { effort: 'low' },
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    });
    assert.deepEqual(body, {
      model: 'some-model',
      temperature: 0.2,
      top_p: 0.9,
      top_k: 5,
      max_tokens: 10,
      stop_sequences: ['END'],
      metadata: { user_id: 'u1' },
      thinking: { type: 'adaptive' },
      tools: [
        { name: 'lookup', description: 'Finds', input_schema: schema, strict: true },
        { name: 'now', input_schema: { type: 'object', properties: {} } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      stream: true,
    });
    const choose = (tool_choice: unknown) => ask('anthropic', { tool_choice }).tool_choice;
    assert.deepEqual(choose('auto'), { type: 'auto' });
    assert.deepEqual(choose('none'), { type: 'none' });
    assert.deepEqual(choose({ type: 'function', function: { name: 'lookup' } }), { type: 'tool', name: 'lookup' });
    assert.deepEqual(choose({ type: 'any' }), { type: 'any' });
    assert.deepEqual(ask('anthropic', { stop: ['a', 'b'] }).stop_sequences, ['a', 'b']);
    assert.equal('output_config' in ask('anthropic', { response_format: { type: 'text' } }), false);
  });

  it('have tool calls and all their results in one message', () => {
    assert.deepEqual(
      messagesOf([
        user,
        {
          role: 'assistant',
          content: 'Looking',
          tool_calls: [toolCall, { ...toolCall, id: 'call_2', function: { name: 'now', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'image_url', image_url: { url: png } }] },
        { role: 'user', content: 'Thanks' },
      ]),
      [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking' },
            { type: 'tool_use', id: 'call_1', name: 'lookup', input: { city: 'Rome' } },
            { type: 'tool_use', id: 'call_2', name: 'now', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Sunny' }] },
            {
              type: 'tool_result',
              tool_use_id: 'call_2',
              content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }],
            },
            { type: 'text', text: 'Thanks' },
          ],
        },
      ],
    );
  });

  it('have images and files, from data and from URLs', () => {
    const { messages } = say(
      'anthropic',
      { type: 'image_url', image_url: { url: png, detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/cat' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
      { type: 'file', file: { filename: 'a.csv', file_data: text } },
      { type: 'file', file: { file_data: 'https://example.com/b.pdf' } },
    );
    assert.deepEqual(messages, [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/cat' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, title: 'a.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b\n1,2' }, title: 'a.csv' },
          { type: 'document', source: { type: 'url', url: 'https://example.com/b.pdf' } },
        ],
      },
    ]);
  });

  it('422: say what the API does not accept', () => {
    const refused = (...content: Json[]) => refusal(() => say('anthropic', { type: 'text', text: 'a' }, ...content));
    assert.equal(
      refused({ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }),
      'Message 1, part 2: Anthropic does not accept audio.',
    );
    assert.match(
      refused({ type: 'image_url', image_url: { url: 'data:image/tiff;base64,AA==' } }),
      /JPEG, PNG, GIF or WebP, not as image\/tiff/,
    );
    assert.match(refused({ type: 'file', file: { file_data: 'data:application/zip;base64,AA==' } }), /PDF, text or images, not as/);
    assert.match(
      refusal(() => ask('anthropic', { response_format: { type: 'json_object' } })),
      /does not support the response_format json_object\. Use json_schema/,
    );
    assert.match(
      refusal(() => convert('anthropic', [{ role: 'system', content: 'Only this' }])),
      /requires a non-empty message with the role user/,
    );
  });
});

describe('requests to Gemini', () => {
  it('have the system messages in a separate field, and alternating roles', () => {
    const { path, body } = protocols.gemini.toCall({
      model: 'models/gemini-2.5-flash',
      messages: [{ role: 'system', content: 'Be kind' }, user, { role: 'user', content: 'Two' }, { role: 'assistant', content: 'Three' }],
      parameters: {},
    });
    assert.equal(path, '/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    assert.deepEqual(body, {
      systemInstruction: { parts: [{ text: 'Be kind' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }, { text: 'Two' }] },
        { role: 'model', parts: [{ text: 'Three' }] },
      ],
    });
  });

  it('cannot reach another path with the name of a model', () => {
    const pathOf = (model: string) =>
      new URL(`http://host/v1beta${protocols.gemini.toCall({ model, messages: [user], parameters: {} }).path}`);
    for (const model of ['../../secret', '..', 'a/b', 'a?key=1', 'a#b', 'a\\b', '%2e%2e/x', '\ud800', 'a\u0000b']) {
      const { pathname, search, hash } = pathOf(model);
      assert.match(pathname, /^\/v1beta\/models\/[^/]+:streamGenerateContent$/, model);
      assert.equal(search + hash, '?alt=sse');
    }
  });

  it('have the parameters under the API’s names, and the API’s own parameters unchanged', () => {
    const { contents: _, ...body } = ask('gemini', {
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 20,
      seed: 7,
      stop: ['END'],
      presence_penalty: 1,
      frequency_penalty: null,
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
      safetySettings: [],
      tools: [tool, { type: 'function', function: { name: 'now' } }, { google_search: {} }],
      tool_choice: { type: 'function', function: { name: 'lookup' } },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    assert.deepEqual(body, {
      generationConfig: {
        temperature: 0.2,
        topP: 0.9,
        maxOutputTokens: 20,
        seed: 7,
        presencePenalty: 1,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
        thinkingConfig: { thinkingBudget: 0 },
      },
      safetySettings: [],
      tools: [
        { functionDeclarations: [{ name: 'lookup', description: 'Finds', parametersJsonSchema: schema }, { name: 'now' }] },
        { google_search: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['lookup'] } },
    });
    const choose = (tool_choice: unknown) => ask('gemini', { tool_choice }).toolConfig;
    assert.deepEqual(choose('auto'), { functionCallingConfig: { mode: 'AUTO' } });
    assert.deepEqual(choose('none'), { functionCallingConfig: { mode: 'NONE' } });
    assert.deepEqual(choose('required'), { functionCallingConfig: { mode: 'ANY' } });
    assert.deepEqual(ask('gemini', { response_format: { type: 'json_object' } }).generationConfig, {
      responseMimeType: 'application/json',
    });
  });

  it('have tool calls with their signatures, and results under the names of their tools', () => {
    const signed = { ...toolCall, extra_content: { google: { thought_signature: 'sig' } } };
    const messages: ModelMessage[] = [
      user,
      { role: 'assistant', content: null, tool_calls: [signed, { ...toolCall, id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"blue"}' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Sunny' },
    ];
    const args = { city: 'Rome' };
    assert.deepEqual(convert('gemini', messages).contents, [
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'call_1', name: 'lookup', args }, thoughtSignature: 'sig' },
          { functionCall: { id: 'call_2', name: 'lookup', args } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'lookup', response: { sky: 'blue' } } },
          { functionResponse: { id: 'call_2', name: 'lookup', response: { result: 'Sunny' } } },
        ],
      },
    ]);
    const unsigned: ModelMessage[] = [user, { role: 'assistant', content: null, tool_calls: [toolCall] }];
    const signatureOf = (model: string) =>
      JSON.stringify(convert('gemini', unsigned, {}, model)).includes('skip_thought_signature_validator');
    assert.deepEqual(['gemini-2.5-pro', 'gemini-3.5-flash'].map(signatureOf), [false, true]);
  });

  it('have images, files and audio, from data and from URLs', () => {
    const { contents } = say(
      'gemini',
      { type: 'image_url', image_url: { url: png } },
      { type: 'image_url', image_url: { url: 'https://example.com/cat.JPG?size=2' } },
      { type: 'image_url', image_url: { url: 'https://example.com/cat' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
    );
    assert.deepEqual(contents, [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
          { fileData: { fileUri: 'https://example.com/cat.JPG?size=2', mimeType: 'image/jpeg' } },
          { fileData: { fileUri: 'https://example.com/cat' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
          { inlineData: { mimeType: 'audio/mp3', data: 'AA==' } },
        ],
      },
    ]);
  });

  it('422: say what the API does not accept', () => {
    assert.match(
      refusal(() => convert('gemini', [user, { role: 'tool', tool_call_id: 'x', content: 'a' }])),
      /^Message 2: No earlier tool call has/,
    );
    const image = [{ type: 'image_url', image_url: { url: png } }];
    assert.match(
      refusal(() =>
        convert('gemini', [user, { role: 'assistant', tool_calls: [toolCall] }, { role: 'tool', tool_call_id: 'call_1', content: image }]),
      ),
      /only text in messages with the role tool/,
    );
    assert.match(
      refusal(() => ask('gemini', { tool_choice: 'sometimes' })),
      /tool_choice must be/,
    );
  });
});

for (const kind of ['anthropic', 'gemini'] as const) {
  it(`422: ${kind} requests name the message and the part that is wrong`, () => {
    const refused = (message: Json) => refusal(() => convert(kind, [user, { role: 'user', ...message }]));
    assert.match(refused({ content: [{ type: 'video_url' }] }), /^Message 2, part 1: \w+ does not accept parts of the type “video_url”\./);
    for (const url of ['ftp://example.com/a.png', 'data:image/png,abc', 'data:image/png;base64', '', 7]) {
      assert.match(refused({ content: [{ type: 'image_url', image_url: { url } }] }), /^Message 2, part 1: /);
    }
    assert.match(refused({ content: [{ type: 'file', file: { file_id: 'file-1' } }] }), /uploaded to another server/);
    assert.match(
      refused({ role: 'system', content: [{ type: 'image_url', image_url: { url: png } }] }),
      /only text in messages with the role system/,
    );
    const called = (json: string) =>
      refused({ role: 'assistant', tool_calls: [{ ...toolCall, function: { name: 'lookup', arguments: json } }] });
    for (const json of ['{', '[]', '7', `${'['.repeat(100_000)}`, `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`]) {
      assert.match(called(json), /arguments of the tool call “lookup” are not a JSON object/);
    }
    assert.match(refused({ role: 'assistant', tool_calls: [{ id: 'a' }] }), /must have an id and the name/);
    assert.match(
      refusal(() => ask(kind, { response_format: { type: 'json_schema' } })),
      /json_schema\.schema/,
    );
    assert.match(
      refusal(() => ask(kind, { response_format: 'json' })),
      /must have the type/,
    );
  });
}

describe('responses of Anthropic', () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } } };
  const block = (index: number, content_block: Json) => ({ type: 'content_block_start', index, content_block });
  const delta = (index: number, fields: Json) => ({ type: 'content_block_delta', index, delta: fields });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const end = (stop_reason: string, usage: Json = { output_tokens: 7 }) => ({ type: 'message_delta', delta: { stop_reason }, usage });

  it('are read as text, reasoning, tool calls and usage', () => {
    const parts = read(
      'anthropic',
      start,
      { type: 'ping' },
      block(0, { type: 'thinking', thinking: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'signature_delta', signature: 'x' }),
      stop(0),
      block(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Look' }),
      delta(1, { type: 'text_delta', text: 'ing' }),
      stop(1),
      block(2, { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '{"city":' }),
      delta(2, { type: 'input_json_delta', partial_json: '"Rome"}' }),
      stop(2),
      block(3, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '{"query":1}' }),
      stop(3),
      block(4, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }),
      delta(4, { type: 'input_json_delta', partial_json: '' }),
      stop(4),
      end('tool_use'),
      { type: 'something_new' },
    );
    assert.deepEqual(others(parts), [
      { type: 'reasoning', text: 'Hm' },
      { type: 'delta', text: 'Look' },
      { type: 'delta', text: 'ing' },
      { type: 'usage', inputTokens: 15, outputTokens: 7 },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    assert.deepEqual(toolCalls(parts), [
      { id: 'toolu_1', type: 'function', function: { name: 'lookup', arguments: '{"city":"Rome"}' } },
      { id: 'toolu_2', type: 'function', function: { name: 'now', arguments: '{}' } },
    ]);
  });

  it('end at message_stop, and may be a single message', () => {
    assert.equal(protocols.anthropic.openReader('host')('{"type":"message_stop"}'), undefined);
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'lookup', input: { city: 'Rome' } },
    ];
    const parts = read('anthropic', { type: 'message', content, stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 2 } });
    assert.deepEqual(others(parts), [
      { type: 'delta', text: 'Hi' },
      { type: 'usage', inputTokens: 1, outputTokens: 2 },
      { type: 'finish', reason: 'stop' },
    ]);
    assert.deepEqual(toolCalls(parts), [{ id: 'a', type: 'function', function: { name: 'lookup', arguments: '{"city":"Rome"}' } }]);
  });

  it('have all arguments of tool calls: at the start of a block, in several open blocks in turn, and in a block that never ends', () => {
    const block = (index: number, input: Json) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `c${index}`, name: 'lookup', input },
    });
    const delta = (index: number, json: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: json },
    });
    const stop = (index: number) => ({ type: 'content_block_stop', index });
    const argumentsOf = (...events: unknown[]) =>
      toolCalls(read('anthropic', start, ...events, end('tool_use', {}))).map((call) => (call.function as Json).arguments);
    assert.deepEqual(argumentsOf(block(0, { city: 'Rome' }), stop(0)), ['{"city":"Rome"}']);
    assert.deepEqual(argumentsOf(block(0, {}), block(1, {}), delta(0, '{"a"'), delta(1, '{"b":2}'), delta(0, ':1}'), stop(0), stop(1)), [
      '{"a":1}',
      '{"b":2}',
    ]);
    assert.deepEqual(argumentsOf(block(0, {}), stop(0), block(1, { city: 'Rome' })), ['{}', '{"city":"Rome"}']);
    assert.deepEqual(argumentsOf(block(0, { city: 'Rome' }), delta(0, '{"city":"Paris"}'), stop(0)), ['{"city":"Paris"}']);
  });

  it('have finish reasons by OpenAI’s names, and readable errors', () => {
    const reason = (text: string) => read('anthropic', end(text, {}))[0];
    const reasons = ['end_turn', 'stop_sequence', 'max_tokens', 'refusal', 'model_context_window_exceeded', 'pause_turn'];
    assert.deepEqual(
      reasons.map((each) => reason(each)),
      ['stop', 'stop', 'length', 'content_filter', 'length', 'pause_turn'].map((each) => ({ type: 'finish', reason: each })),
    );
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    assert.deepEqual(read('anthropic', start, error), [{ type: 'error', message: 'Overloaded' }]);
  });

  it('have no parts if they do not follow the protocol', () => {
    const events = [
      null,
      [],
      'text',
      {},
      delta(0, { type: 'input_json_delta', partial_json: '{}' }),
      block(-1, { type: 'tool_use', id: 'a', name: 'b' }),
      delta(0, { type: 'text_delta', text: 7 }),
      stop(9),
    ];
    for (const event of events) assert.deepEqual(read('anthropic', event), [], JSON.stringify(event));
  });
});

describe('responses of Gemini', () => {
  const chunk = (parts: Json[], fields: Json = {}, usageMetadata: Json = {}) => ({
    candidates: [{ content: { role: 'model', parts }, ...fields }],
    usageMetadata: { promptTokenCount: 10, ...usageMetadata },
  });

  it('are read as text, reasoning, tool calls and usage', () => {
    const parts = read(
      'gemini',
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: 'Look' }]),
      chunk([{ functionCall: { id: 'a', name: 'lookup', args: { city: 'Rome' } }, thoughtSignature: 'sig' }]),
      chunk([{ functionCall: { name: 'now' } }]),
      chunk([{ text: '', thoughtSignature: 'x' }], { finishReason: 'STOP' }, { candidatesTokenCount: 5, thoughtsTokenCount: 2 }),
    );
    assert.deepEqual(others(parts), [
      { type: 'reasoning', text: 'Hm' },
      { type: 'delta', text: 'Look' },
      { type: 'usage', inputTokens: 10, outputTokens: 7 },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    const [first, second] = toolCalls(parts);
    assert.deepEqual(first, {
      id: 'a',
      type: 'function',
      extra_content: { google: { thought_signature: 'sig' } },
      function: { name: 'lookup', arguments: '{"city":"Rome"}' },
    });
    assert.match(String(second?.id), /^call_[0-9a-f-]{36}$/);
    assert.deepEqual(second?.function, { name: 'now', arguments: '{}' });
  });

  it('have finish reasons by OpenAI’s names, and readable errors', () => {
    const finish = (finishReason: string) => others(read('gemini', { candidates: [{ finishReason }] }));
    const reasons = ['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'MALFORMED_FUNCTION_CALL'];
    assert.deepEqual(
      reasons.flatMap((each) => finish(each)),
      ['stop', 'length', 'content_filter', 'content_filter', 'MALFORMED_FUNCTION_CALL'].map((reason) => ({ type: 'finish', reason })),
    );
    assert.deepEqual(read('gemini', { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } }), [
      { type: 'usage', inputTokens: 4, outputTokens: 0 },
      { type: 'error', message: 'the prompt was blocked (SAFETY)' },
    ]);
    assert.deepEqual(read('gemini', { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }), [
      { type: 'error', message: 'Overloaded' },
    ]);
  });

  it('have no parts if they do not follow the protocol', () => {
    for (const event of [null, [], 'text', {}, { candidates: 7 }, { candidates: [null] }, chunk([{ text: 7 }])]) {
      assert.deepEqual(read('gemini', event), [], JSON.stringify(event));
    }
  });
});

describe('responses of servers with OpenAI’s protocol', () => {
  const deltas = (delta: Json) => read('openai', { choices: [{ delta }] });

  it('have the text of content in parts, and of refusals', () => {
    const content = [
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'Let me ' },
          { type: 'text', text: 'think' },
        ],
      },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'image_url', image_url: 'x' },
      null,
    ];
    assert.deepEqual(deltas({ content }), [
      { type: 'reasoning', text: 'Let me think' },
      { type: 'delta', text: 'Hello' },
    ]);
    assert.deepEqual(deltas({ content: null, refusal: 'I cannot help with that.' }), [{ type: 'delta', text: 'I cannot help with that.' }]);
    assert.deepEqual(deltas({ content: 5, refusal: { text: 'x' } }), []);
  });

  it('have the arguments of tool calls that are sent as an object', () => {
    const call = (args: unknown) => ({ tool_calls: [{ index: 0, id: 'a', function: { name: 'lookup', arguments: args } }] });
    const argumentsOf = (args: unknown) => toolCalls(deltas(call(args))).map((each) => (each.function as Json).arguments);
    assert.deepEqual([{ city: 'Rome' }, {}, '{"a":1}', null, 5].flatMap(argumentsOf), ['{"city":"Rome"}', '{}', '{"a":1}', '', '']);
  });
});

describe('lists of models', () => {
  it('have the names that requests use', () => {
    assert.deepEqual(protocols.anthropic.toModelIds({ data: [{ id: 'claude-a' }, { id: 7 }, null], has_more: false }), ['claude-a']);
    const models = [
      { name: 'models/gemini-a', supportedGenerationMethods: ['generateContent', 'countTokens'] },
      { name: 'models/embedding-a', supportedGenerationMethods: ['embedContent'] },
      { name: 'models/gemini-b' },
      {},
    ];
    assert.deepEqual(protocols.gemini.toModelIds({ models }), ['gemini-a', 'gemini-b']);
    for (const { toModelIds } of Object.values(protocols)) assert.equal(toModelIds({}), undefined);
  });
});

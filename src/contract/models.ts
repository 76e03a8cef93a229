import { type Static, Type } from 'typebox';
import { maxConnectionModels, maxModelNameLength } from './limits.ts';
import { listOf } from './lists.ts';
import { modelKinds } from './model-kinds.ts';
import { bodyOf, changeOf, exactObject, objectOf, orNull } from './shapes.ts';

export const exampleConnection = {
  id: 'm_mi4w7x2c_000a1d4b8365f0c9a7e',
  name: 'OpenAI',
  kind: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  models: ['gpt-5-mini'],
  prices: { 'gpt-5-mini': { input: 0.25, output: 2 } },
  keyHint: 'x9Qa',
  createdAt: '2026-11-15T08:00:00.000Z',
  updatedAt: '2026-11-15T08:00:00.000Z',
};

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Unique in the workspace. Runs can refer to the connection by this name.',
});
const kind = Type.Enum([...modelKinds], {
  description:
    'The protocol of the server: `openai` for chat completions, which most servers have, `anthropic` for the Messages API, and `gemini` ' +
    'for the Gemini API. Runs have the same input and events with every protocol.',
});
const baseUrl = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'The base URL of the server’s API, to which the service appends `/models`, `/chat/completions`, `/messages` or ' +
    '`/models/{model}:streamGenerateContent`. It usually ends in `/v1`, or in `/v1beta` for `gemini`. An address that is not public must ' +
    'be allowed by the setting OUTBOUND_ALLOW.',
});
export const ModelName = Type.String({ minLength: 1, maxLength: maxModelNameLength });
const models = Type.Array(ModelName, {
  maxItems: maxConnectionModels,
  uniqueItems: true,
  description: 'The models that can be used. The first is the default. If the list is empty, all models are allowed.',
});
const price = (of: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description: `US dollars per million ${of} tokens.` });
const Price = exactObject({ input: price('input'), output: price('output') });
export type Price = Static<typeof Price>;
const prices = Type.Unsafe<Record<string, Price>>({
  type: 'object',
  maxProperties: maxConnectionModels,
  additionalProperties: Price,
  description:
    'Prices by model. They replace the built-in list prices of well-known models from OpenAI, Anthropic and Google. The cost of a run is ' +
    'unknown if its model has no price at all.',
});
const apiKey = Type.String({
  minLength: 1,
  maxLength: 1000,
  description:
    'Sent in the header of the protocol: `Authorization`, `x-api-key` or `x-goog-api-key`. Stored encrypted, for this base address only, and never ' +
    'shown again.',
});

export const ModelConnection = objectOf('ModelConnection', exampleConnection, {
  id: Type.String({ description: 'Starts with `m_`.' }),
  name,
  kind,
  baseUrl,
  models,
  prices,
  keyHint: orNull(Type.String(), 'The last four characters of the key. Null without a key.'),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type ModelConnection = Static<typeof ModelConnection>;

export const ModelConnectionList = listOf('ModelConnectionList', ModelConnection);

const exampleNewModelConnection = { name: 'OpenAI', baseUrl: exampleConnection.baseUrl, models: exampleConnection.models, apiKey: 'sk-…' };
export const NewModelConnection = bodyOf('NewModelConnection', exampleNewModelConnection, {
  name,
  kind: Type.Optional(Type.Enum([...modelKinds], { default: 'openai', description: 'The protocol of the server. Default: `openai`.' })),
  baseUrl,
  models: Type.Optional(models),
  prices: Type.Optional(prices),
  apiKey: Type.Optional(apiKey),
});
export type NewModelConnection = Static<typeof NewModelConnection>;

const exampleModelConnectionChange = { models: ['gpt-5', 'gpt-5-mini'] };
export const ModelConnectionChange = changeOf('ModelConnectionChange', exampleModelConnectionChange, {
  name,
  kind,
  baseUrl: Type.String({ ...baseUrl, description: 'Changing the address deletes the stored key unless you send a new one.' }),
  models,
  prices,
  apiKey: orNull(apiKey, 'A new key, or null to remove it.'),
});
export type ModelConnectionChange = Static<typeof ModelConnectionChange>;

const exampleModelConnectionTest = { ok: true, models: ['gpt-5', 'gpt-5-mini'], problem: null, durationMs: 212 };
export const ModelConnectionTest = objectOf('ModelConnectionTest', exampleModelConnectionTest, {
  ok: Type.Boolean(),
  models: Type.Array(Type.String(), {
    description: 'The models that the server offers, up to 1,000. Empty if the server does not list its models.',
  }),
  problem: orNull(Type.String(), 'The problem and how to solve it. Null if the connection works.'),
  durationMs: Type.Integer(),
});
export type ModelConnectionTest = Static<typeof ModelConnectionTest>;

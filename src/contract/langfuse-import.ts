import { type Static, Type } from 'typebox';
import { bodyOf, objectOf, orNull } from './shapes.ts';

const exampleLangfuseRead = { url: 'https://cloud.langfuse.com', publicKey: 'pk-lf-…', secretKey: 'sk-lf-…', page: 1 };
export const LangfuseRead = bodyOf('LangfuseRead', exampleLangfuseRead, {
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The address of Langfuse, with the path that it is at, if it has one.' }),
  publicKey: Type.String({ minLength: 1, maxLength: 500 }),
  secretKey: Type.String({ minLength: 1, maxLength: 500, description: 'Used for this request, and neither stored nor logged.' }),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Lists prompts, 50 at a time.' })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'With `version`: reads a version of this prompt.' })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
});
export type LangfuseRead = Static<typeof LangfuseRead>;

const exampleLangfuseResponse = { status: 200, body: '{"data":[]}', retryAfter: null, problem: null };
export const LangfuseResponse = objectOf('LangfuseResponse', exampleLangfuseResponse, {
  status: Type.Integer({ description: 'Of the response of Langfuse; 0 if there was none.' }),
  body: orNull(Type.String(), 'JSON, if the status is 200.'),
  retryAfter: orNull(Type.String(), 'The header of this name, if Langfuse asks to wait.'),
  problem: orNull(Type.String(), 'What is wrong, in words.'),
});
export type LangfuseResponse = Static<typeof LangfuseResponse>;

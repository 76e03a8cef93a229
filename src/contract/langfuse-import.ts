import { type Static, Type } from 'typebox';
import { bodyOf, objectOf, orNull } from './shapes.ts';

const exampleLangfuseRead = { url: 'https://cloud.langfuse.com', publicKey: 'pk-lf-…', secretKey: 'sk-lf-…', page: 1 };
export const LangfuseRead = bodyOf('LangfuseRead', exampleLangfuseRead, {
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The address of Langfuse, including its path if it has one.' }),
  publicKey: Type.String({ minLength: 1, maxLength: 500 }),
  secretKey: Type.String({ minLength: 1, maxLength: 500, description: 'Used only for this request. Neither stored nor logged.' }),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'The page of the prompt list to read. A page has 50 prompts.' }),
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'With `version`: the name of the prompt whose version is read.' }),
  ),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
});
export type LangfuseRead = Static<typeof LangfuseRead>;

const exampleLangfuseResponse = { status: 200, body: '{"data":[]}', retryAfter: null, problem: null };
export const LangfuseResponse = objectOf('LangfuseResponse', exampleLangfuseResponse, {
  status: Type.Integer({ description: 'The status of Langfuse’s response. 0 if there was no response.' }),
  body: orNull(Type.String(), 'The JSON text of the response, if the status is 200.'),
  retryAfter: orNull(Type.String(), 'The `Retry-After` header of the response, if there is one.'),
  problem: orNull(Type.String(), 'A sentence that says what is wrong.'),
});
export type LangfuseResponse = Static<typeof LangfuseResponse>;

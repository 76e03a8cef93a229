import { readFileSync } from 'node:fs';
import { hostileMessages } from '../hostile/mcp.ts';
import type { Random } from '../random.ts';
import { mutateText, mutateValue } from './mutations.ts';
import { oddTexts, type Schema, type ValueOptions, valueFor } from './values.ts';

/** A request that is malformed in some places and otherwise matches openapi.json. */
export interface FuzzRequest {
  method: string;
  path: string;
  /** The headers without credentials. */
  headers: Record<string, string>;
  body?: Buffer;
  actor: 'key' | 'session' | 'nobody';
}

interface Parameter {
  in: string;
  name: string;
  schema: Schema;
}

interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body?: { type: string; schema: Schema };
}

interface Document {
  paths: Record<
    string,
    Record<string, { parameters?: (Parameter | { $ref: string })[]; requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as Document;
const lastOf = (reference: string) => reference.split('/').at(-1) ?? '';
const resolve = (reference: string): Schema => document.components.schemas[lastOf(reference)] ?? {};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
    const [content] = Object.entries(requestBody?.content ?? {});
    return {
      method: method.toUpperCase(),
      path,
      parameters: parameters.flatMap((parameter) => {
        const resolved = '$ref' in parameter ? document.components.parameters[lastOf(parameter.$ref)] : parameter;
        return resolved ? [resolved] : [];
      }),
      ...(content && { body: { type: content[0], schema: content[1].schema } }),
    };
  }),
);

/** Selects slow operations. Hashing a password takes as long as a hundred other requests, and so does signing in again after a sign-out. */
const isSlow = ({ path, body }: Operation) =>
  path === '/api/session/sign-out' || JSON.stringify(body?.schema.$ref ? resolve(body.schema.$ref) : {}).includes('assword"');
const [slowOperations, otherOperations] = [operations.filter(isSlow), operations.filter((operation) => !isSlow(operation))];
const requestsPerSlow = 200;

/** Headers for requests, most of them invalid. */
const oddHeaders: [string, string][] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', '\u00ff'],
  ['content-encoding', 'gzip'],
  ['accept', 'text/event-stream'],
  ['accept', 'application/json'],
  ['accept', '\u00ff;q=2'],
  ['if-none-match', '*'],
  ['if-none-match', '"\u00ff'],
  ['origin', 'http://evil.invalid'],
  ['origin', 'null'],
  ['promptharbor-workspace', 'u_nobody'],
  ['promptharbor-workspace', '\u00ff'],
  ['last-event-id', '-1'],
  ['last-event-id', '99999999999999999999'],
  ['x-forwarded-for', 'not an address'],
  ['x-request-id', 'y'.repeat(300)],
  ['range', 'bytes=-1'],
  ['mcp-protocol-version', '1999-01-01'],
  ['cookie', 'promptharbor.session=%00; ;;=;'],
  ['user-agent', '\u00ff'.repeat(500)],
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

export interface FuzzOptions {
  random: Random;
  known: ValueOptions['known'];
  /** Lines of an export, for requests that import. */
  lines: string[];
}

/** Yields an endless series of requests. */
export function* fuzzRequests({ random, known, lines }: FuzzOptions): Generator<FuzzRequest, never> {
  const options: ValueOptions = { random, known, resolve };
  const messages = hostileMessages(Number.POSITIVE_INFINITY, random.seed);
  const isRare = (share: number) => random.below(share) === 0;

  function makePath({ path, parameters }: Operation): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
      const text = isRare(4) ? random.pick(oddTexts) : (known(name) ?? 'x');
      return isRare(20) ? toPathText(text) : encodeURIComponent(text.toWellFormed());
    });
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && isRare(3))
      .map(({ name, schema }) => {
        const value = isRare(3) ? random.pick(oddTexts) : String(valueFor(schema, name, options));
        return `${name}${isRare(10) ? '[]' : ''}=${isRare(20) ? toPathText(value) : encodeURIComponent(value.toWellFormed())}`;
      });
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  }

  function makeBody({ body }: Operation): Buffer | undefined {
    if (!body) return isRare(8) ? Buffer.from(JSON.stringify({ x: random.pick(oddTexts) })) : undefined;
    let text: string;
    if (body.type === 'application/json') {
      let value = valueFor(body.schema, '', options);
      for (let count = random.below(4); count > 0; count -= 1) value = mutateValue(value, random);
      text = JSON.stringify(value) ?? '';
    } else {
      text = Array.from({ length: random.below(6) }, () => random.pick(lines)).join('\n');
    }
    return isRare(body.type === 'application/json' ? 8 : 2) ? mutateText(text, random) : Buffer.from(text);
  }

  for (;;) {
    const operation = random.pick(isRare(requestsPerSlow) ? slowOperations : otherOperations);
    const isMcp = operation.path === '/mcp' && random.below(4) > 0;
    const message = isMcp ? messages.next().value : undefined;
    const body = message ? Buffer.from(message.body) : makeBody(operation);
    const headers: Record<string, string> = {
      ...(body && { 'content-type': operation.body?.type ?? 'application/json' }),
      ...message?.headers,
    };
    while (isRare(4)) headers[random.pick(oddHeaders)[0]] = random.pick(oddHeaders)[1];
    yield {
      method: isRare(30) ? random.pick(methods) : operation.method,
      path: makePath(operation),
      headers,
      ...(body && { body }),
      actor: random.pick(['key', 'key', 'key', 'session', 'session', 'nobody']),
    };
  }
}

/** Removes only what Node's client refuses to send in a path. */
function toPathText(text: string): string {
  return text.replaceAll(/[^\x21-\xff]/g, '');
}

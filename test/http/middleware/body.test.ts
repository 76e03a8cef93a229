import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register } from '../../support/client.ts';
import { type RawResponse, sendRawOnce } from '../../support/raw.ts';
import { type Service, startService } from '../../support/service.ts';

interface Body {
  error: string;
  code: string;
  details?: { path: string; message: string }[];
}

const good = '{"email":"ada@example.com","password":"a long enough password"}';

describe('Bodies', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  function post(body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }): Promise<RawResponse> {
    const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return sendRawOnce(service, `POST /api/auth/register HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines.join('\r\n')}\r\n\r\n`, body);
  }
  const parse = ({ text }: RawResponse) => JSON.parse(text) as Body;

  const malformed: [string, string | Buffer][] = [
    ['cut off', '{"email":'],
    ['a word', 'undefined'],
    ['single quotes', "{'email':'a@example.com'}"],
    ['a trailing comma', '{"email":"a@example.com",}'],
    ['two values', `${good}${good}`],
    ['only blanks', '   '],
    ['a byte order mark', `\ufeff{"email":`],
    ['NUL bytes', '\0\0\0\0'],
    ['not UTF-8', Buffer.from([...Buffer.from('{"email":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
    ['UTF-8 of a surrogate', Buffer.from([...Buffer.from('{"email":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['form data', 'email=ada@example.com&password=x'],
  ];
  for (const [name, body] of malformed) {
    it(`400 invalid_json: ${name}`, async () => {
      const response = await post(body);
      assert.equal(response.status, 400);
      assert.deepEqual(parse(response), {
        error: `The body is not valid ${name.includes('UTF-8') ? 'UTF-8' : 'JSON'}`,
        code: 'invalid_json',
      });
    });
  }

  const polluting = [
    '{"__proto__":{"isAdmin":true}}',
    '{"email":"a@example.com","password":"a long enough password","__proto__":null}',
    '{"\\u005f_proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"a":[{"__proto__":{"isAdmin":true}}]}',
  ];
  for (const body of polluting) {
    it(`ASVS 15.3.6: 400: ${body}`, async () => {
      const response = await post(body);
      assert.equal(response.status, 400);
      assert.equal(parse(response).code, 'invalid_json', 'refused by the parser, not only as an unknown field');
      assert.equal(Object.hasOwn(Object.prototype, 'isAdmin'), false);
    });
  }

  it('ASVS 15.3.6: 400 even deep inside a value without fixed fields; a field merely named constructor is data', async () => {
    const { token: key } = await register(service);
    const create = (config: string) => {
      const body = `{"name":"cars","template":"x","config":${config}}`;
      const head = `authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
      return sendRawOnce(service, `POST /api/prompts HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n${body}`);
    };
    for (const config of ['{"a":{"__proto__":1}}', '{"a":[{"constructor":{"prototype":1}}]}']) {
      const response = await create(config);
      assert.equal(response.status, 400);
      assert.equal(parse(response).code, 'invalid_json');
    }
    const config = { constructor: { name: 'Ferrari' }, prototype: 1 };
    const created = await create(JSON.stringify(config));
    assert.equal(created.status, 201, created.text);
    const { body } = await call(service, 'GET', '/api/prompts/cars', { key });
    assert.deepEqual((body as { config: unknown }).config, config);
  });

  it('400: unknown fields are named, with any name', async () => {
    for (const [field, path] of [
      ['role', '/role'],
      ['constructor', '/constructor'],
      ['toString', '/toString'],
      ['hasOwnProperty', '/hasOwnProperty'],
      ['a/b~c', '/a~1b~0c'],
      ['', '/'],
      ['\u0000', '/\u0000'],
    ] as const) {
      const response = await post(JSON.stringify({ ...(JSON.parse(good) as object), [field]: 1 }));
      assert.equal(response.status, 400, field);
      assert.deepEqual(
        parse(response).details?.map((problem) => problem.path),
        [path],
        field,
      );
    }
  });

  it('400: a body with a thousand unknown fields gets a bounded response', async () => {
    const response = await post(JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 1]))));
    assert.equal(response.status, 400);
    assert.equal(parse(response).details?.length, 20);
  });

  it('400: more values than are parsed, before they are parsed', async () => {
    const account = await register(service);
    for (const tags of [Array(50_001).fill(1), Array(50_001).fill({})]) {
      const { status, body } = await call(service, 'POST', '/api/prompts', {
        key: account.token,
        body: { name: 'x', template: 'x', tags },
      });
      assert.equal(status, 400);
      assert.deepEqual(body, { error: 'The body has more than 50,000 values. Send fewer at a time.', code: 'invalid_json' });
    }
  });

  it('400: deep nesting', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const depth = 2000;
      const response = await post(`${open.repeat(depth)}1${close.repeat(depth)}`);
      assert.equal(response.status, 400);
      assert.equal(parse(response).code, 'invalid_json');
    }
  });

  it('400: an empty body with a JSON content type, by length and in chunks, names the missing fields', async () => {
    const chunked =
      'POST /api/auth/register HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    for (const response of [await post(''), await sendRawOnce(service, chunked)]) {
      assert.equal(response.status, 400);
      assert.equal(parse(response).code, 'invalid_input');
    }
  });

  it('200: GET with a JSON content type, without a body or with an empty one', async () => {
    const { token } = await register(service);
    const head = `GET /api/auth/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
    for (const rest of ['\r\n', 'content-length: 0\r\n\r\n', 'transfer-encoding: chunked\r\n\r\n0\r\n\r\n']) {
      assert.equal((await sendRawOnce(service, head + rest)).status, 200, rest);
    }
  });

  it('415: any other content type, and none', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'json',
      'a',
      '/',
    ]) {
      const response = await post(good, { 'content-type': type });
      assert.equal(response.status, 415, type);
      assert.deepEqual(parse(response), { error: 'Send the body as application/json', code: 'unsupported_media_type' });
    }
    assert.equal((await post(good, {})).status, 415);
  });

  it('the content type is read in any case and with a charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) {
      assert.equal((await post('{}', { 'content-type': type })).status, 400, type);
    }
  });

  it('ASVS 15.2.2: 413: too large by its Content-Length, before any byte is read', async () => {
    const response = await sendRawOnce(
      service,
      'POST /api/auth/register HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n',
    );
    assert.equal(response.status, 413);
    assert.deepEqual(parse(response), { error: 'The body is larger than this endpoint accepts', code: 'body_too_large' });
  });

  it('ASVS 15.2.2: 413: too large, in chunks', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const response = await sendRawOnce(
      service,
      'POST /api/auth/register HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
      chunk,
      chunk,
    );
    assert.equal(response.status, 413);
    assert.equal(parse(response).code, 'body_too_large');
  });
});

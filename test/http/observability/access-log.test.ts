import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, register } from '../../support/client.ts';
import { startRawServer } from '../../support/models.ts';
import { type Service, startService } from '../../support/service.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

/** Returns headers with and without a key. The fast path responds to requests with a key, and Fastify to all others. */
function withAndWithoutKey(token: string): Record<string, string>[] {
  return [{ authorization: `Bearer ${token}` }, {}];
}

/** Sends a request with headers, and returns its line in the log. */
async function logOf(service: Service, path: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const { headers: sent } = await call(service, 'GET', path, { headers });
  const id = sent.get('x-request-id') ?? '';
  const line = service
    .logs()
    .split('\n')
    .find((text) => text.includes('"msg":"request"') && text.includes(`"id":"${id}"`));
  assert.ok(line, path);
  return JSON.parse(line) as Record<string, unknown>;
}

describe('the line of a request in the log', () => {
  it('has the address of the connection, whatever a header claims, on the fast path and in Fastify', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const { token } = await register(service);
    for (const headers of withAndWithoutKey(token)) {
      const line = await logOf(service, '/api/auth/token', { ...headers, 'x-forwarded-for': '203.0.113.9' });
      assert.equal(line.address, '127.0.0.1');
    }
  });

  it('with TRUST_PROXY: has the address that the proxies forwarded, and never any other text', async (t) => {
    const addresses: [string, string, string | undefined][] = [
      ['1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['2', '198.51.100.1, 203.0.113.9', '198.51.100.1'],
      ['true', '198.51.100.1, 203.0.113.9', '198.51.100.1'],
      ['127.0.0.0/8,203.0.113.9', '2001:db8::7, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
      ['127.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['10.0.0.0/8', '198.51.100.1', '127.0.0.1'],
      ['true', '","status":200,"x":"', undefined],
    ];
    for (const [trusted, forwarded, expected] of addresses) {
      const service = await startService({ env: { TRUST_PROXY: trusted } });
      t.after(() => service.close());
      const { token } = await register(service);
      for (const headers of withAndWithoutKey(token)) {
        const line = await logOf(service, '/api/auth/token', { ...headers, 'x-forwarded-for': forwarded });
        assert.equal(line.address, expected, `${trusted}: ${forwarded}`);
      }
      await service.close();
    }
  });

  it('has the id of the caller’s trace, if it is valid', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const { token } = await register(service);
    for (const headers of withAndWithoutKey(token)) {
      assert.equal((await logOf(service, '/api/auth/token', { ...headers, traceparent })).trace, traceId);
      for (const invalid of [
        '00-xyz',
        `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
        `${traceparent}"`,
        `ff-${traceId}-00f067aa0ba902b7-01`,
      ]) {
        assert.equal((await logOf(service, '/api/auth/token', { ...headers, traceparent: invalid })).trace, undefined, invalid);
      }
    }
  });
});

describe('POST /api/run with traceparent', () => {
  it('the request to the model continues the trace, even while others run; without the header there is none', async (t) => {
    const received = new Map<string, string | undefined>();
    const model = await startRawServer((req, res, body) => {
      const name = /call-\d/.exec(body)?.[0] ?? '';
      received.set(name, req.headers.traceparent?.toString());
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end('data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    t.after(() => model.close());
    const service = await startService({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
    t.after(() => service.close());
    const { token: key } = await register(service);
    const connection = { name: 'm', baseUrl: model.url, models: ['some-model'], apiKey: 'k' };
    const { body } = await call(service, 'POST', '/api/models', { key, body: connection });
    const { id } = body as { id: string };
    const ids = ['1', '2', '3', '4', '5', '6'].map((digit) => digit.repeat(32));
    const run = (name: string, headers: Record<string, string>) =>
      call(service, 'POST', '/api/run', {
        key,
        headers: { accept: 'application/json', ...headers },
        body: { template: name, connection: id, model: 'some-model' },
      });
    const responses = await Promise.all([
      ...ids.map((trace, index) => run(`call-${index}`, { traceparent: `00-${trace}-00f067aa0ba902b7-01` })),
      run('call-9', {}),
    ]);
    for (const { status, text } of responses) assert.equal(status, 200, text);
    for (const [index, trace] of ids.entries()) {
      assert.match(received.get(`call-${index}`) ?? '', new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
      assert.doesNotMatch(received.get(`call-${index}`) ?? '', /00f067aa0ba902b7/);
    }
    assert.equal(received.has('call-9'), true);
    assert.equal(received.get('call-9'), undefined);
  });
});

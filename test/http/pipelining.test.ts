import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { sendRaw } from '../support/raw.ts';
import { type Service, startService } from '../support/service.ts';

for (const engine of engines) {
  describe(`Pipelined requests (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function send(...requests: { line: string; token: string; body?: unknown }[]) {
      const bytes = requests.map(({ line, token, body }, index) => {
        const text = body === undefined ? '' : JSON.stringify(body);
        const headers = [
          `${line} HTTP/1.1`,
          'host: x',
          `authorization: Bearer ${token}`,
          ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${text.length}`]),
          ...(index === requests.length - 1 ? ['connection: close'] : []),
        ];
        return `${headers.join('\r\n')}\r\n\r\n${text}`;
      });
      return (await sendRaw(service, bytes.join(''))).map(({ status, text }) => ({ status, text }));
    }

    it('200, 200, 401: a reset neither overtakes earlier requests nor is overtaken by later ones', async () => {
      const { token } = await register(service);
      const get = (path: string) => ({ line: `GET ${path}`, token });
      const reset = { line: 'DELETE /api/auth/token', token };
      const responses = await send(
        get('/api/auth/token'),
        get('/api/prompts'),
        get('/api/account'),
        reset,
        get('/api/auth/token'),
        get('/api/account'),
      );
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 200, 200, 401, 401],
      );
    });

    it('each request sees the changes of earlier requests, and of no later ones', async () => {
      const { token } = await register(service);
      const read = { line: 'GET /api/prompts/greeting', token };
      const write = (template: string) => ({
        line: 'POST /api/prompts/greeting/versions',
        token,
        body: { template, labels: ['production'] },
      });
      const create = { line: 'POST /api/prompts', token, body: { name: 'greeting', template: 'one' } };
      const responses = await send(read, create, read, read, write('two'), read, write('three'), read, { ...read, line: 'HEAD /healthz' });
      const seen = responses.map(({ status, text }) => [status, /"template":"(\w+)"/.exec(text)?.[1]]);
      assert.deepEqual(
        seen.map(([status]) => status),
        [404, 201, 200, 200, 201, 200, 201, 200, 200],
      );
      assert.deepEqual(
        [2, 3, 5, 7].map((index) => seen[index]?.[1]),
        ['one', 'one', 'two', 'three'],
      );
    });
  });
}

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../src/domain/context.ts';
import { addFastPath } from '../../src/http/fast-path/fast-path.ts';

type FastPathOptions = Parameters<typeof addFastPath>[1];

describe('Requests of one turn', () => {
  it('ASVS 15.2.2: a caller with many requests does not delay those of others', async (test) => {
    let now = 0;
    test.mock.method(performance, 'now', () => now);
    const passedOn: string[] = [];
    const server = createServer((req) => {
      // What Fastify does with a request takes long.
      now += 2;
      passedOn.push(String(req.headers['x-request-id']));
    });
    // Nothing else is used by requests that are passed on.
    addFastPath(server, { ctx: { store: { keys: {} } } as Context, isBypassed: () => false } as FastPathOptions);
    for (const id of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) {
      const headers = { authorization: id.slice(0, 1), 'x-request-id': id };
      server.emit('request', { method: 'POST', url: '/', headers, rawHeaders: [] } as unknown as IncomingMessage, {} as ServerResponse);
    }
    await nextTurn();
    assert.deepEqual(passedOn, ['a1', 'a2', 'b1', 'c1']);
    await nextTurn();
    assert.deepEqual(passedOn.slice(4), ['a3', 'a4', 'b2']);
  });
});

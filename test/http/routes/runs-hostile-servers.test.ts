import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ModelKind, modelKinds } from '../../../src/contract/model-kinds.ts';
import type { ModelConnectionTest } from '../../../src/contract/models.ts';
import { call } from '../../support/client.ts';
import { type HostileServer, hostileBehaviors, startHostileServer } from '../../support/hostile/servers.ts';
import { asJson, connect, startModelService } from '../../support/models.ts';
import { type Client, newClient } from '../../support/prompts.ts';
import { retryUntil } from '../../support/retry.ts';
import type { Service } from '../../support/service.ts';

/**
 * Only these responses reach the code of a protocol. The others are refused earlier, by code that all protocols share, or consist of fields
 * that only OpenAI's protocol has.
 */
const readByProtocols = /^json-(?:many-values|many-fields|deep|long-text)$|^events-(?:tiny|large)$|^silent$/;
const kindsOf = (behavior: string): readonly ModelKind[] => (readByProtocols.test(behavior) ? modelKinds : ['openai']);

// One engine is enough, because what these servers send does not reach the database.
describe('A server that sends what it wants', () => {
  let service: Service;
  let server: HostileServer;
  let client: Client;
  before(async () => {
    service = await startModelService({ env: { QUOTA_MODELS: '200' } });
    Object.assign(service.ctx.modelRuns.limits, { timeoutMs: 20_000, idleTimeoutMs: 300 });
    server = await startHostileServer();
    client = await newClient(service);
    await client.create({ name: 'greet', template: 'Hello' });
  });
  after(async () => {
    await service.close();
    await server.close();
  });

  for (const name of Object.keys(hostileBehaviors)) {
    it(`ASVS 2.4.1, 15.2.2: ${name}: runs and streams end with a readable error, and the connection is closed`, async () => {
      const runs = kindsOf(name).map(async (kind) => {
        const { id: connection } = await connect(client, `${server.url}/${name}`, { kind });
        const whole = client.call('POST', '/api/prompts/greet/run', { connection }, asJson);
        const streamed = client.call('POST', '/api/prompts/greet/run', { connection });
        assert.equal((await call(service, 'GET', '/healthz')).status, 200);
        const { status, text } = await whole;
        assert.equal(status, 424, `${kind}: ${text}`);
        assert.match((await streamed).text, /event: error\ndata: \{"code":"(?!internal)/, kind);
      });
      await Promise.all(runs);
      await retryUntil('The connection is still open', () => server.connections === 0);
    });
  }

  it('ASVS 2.4.1: tests of connections end with a readable error', async () => {
    // Some behaviors end only with the timeout, so each of them would take as long as the timeout.
    const names = Object.keys(hostileBehaviors).filter((name) => !/^silent|^events|^empty|zeros/.test(name));
    for (const name of names) {
      for (const kind of kindsOf(name)) {
        const { id } = await connect(client, `${server.url}/${name}`, { kind, models: [] });
        const response = await client.call('POST', `/api/models/${id}/test`);
        assert.equal(response.status, 200, `${name}: ${response.text}`);
        assert.equal((response.body as ModelConnectionTest).ok, false, name);
        assert.equal((await client.call('DELETE', `/api/models/${id}`)).status, 204);
      }
    }
    await retryUntil('A connection is still open', () => server.connections === 0);
  });
});

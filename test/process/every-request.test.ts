import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { engines } from '../support/engines.ts';
import { createRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { kinds } from '../support/soak/requests.ts';
import { createWorld } from '../support/soak/world.ts';
import { findErrors } from '../support/writers/kill-round.ts';

describe('every kind of request of the soak, twice at once', { concurrency: true }, () => {
  for (const engine of engines) {
    it(`succeeds, and nothing is logged as an error (${engine.name})`, async (t) => {
      const service = await startService({ engine, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
      t.after(() => service.close());
      const world = await createWorld(service.url, 1);
      t.after(() => world.close());
      const [tenant = assert.fail('no tenant')] = world.tenants;
      const random = createRandom();
      for (const [name, { send }] of Object.entries(kinds)) {
        const once = () => untilAvailable(name, () => send(tenant, random, world));
        await Promise.all([once(), once()]);
      }
      assert.deepEqual(findErrors(service.logs()), []);
    });
  }
});

const attempts = 20;

/** Repeats a request that gets 503, because the database of a busy machine may be too slow. */
async function untilAvailable(name: string, send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send();
      return;
    } catch (err) {
      const text = err instanceof Error ? err.message : String(err);
      assert.ok(attempt < attempts && text.startsWith('503 '), `${name}: ${text}`);
      await delay(500);
    }
  }
}

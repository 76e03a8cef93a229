import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { serveProgram } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { kinds } from '../support/soak/requests.ts';
import { createWorld } from '../support/soak/world.ts';

describe('every kind of request of the soak, twice at once', { concurrency: true }, () => {
  for (const engine of engines) {
    it(`succeeds, and nothing is logged as an error (${engine.name})`, async (t) => {
      const database = await engine.createMigrated();
      const service = await serveProgram({ ...database.env, LOG_LEVEL: 'error', OUTBOUND_ALLOW: '127.0.0.1' });
      t.after(async () => {
        await service.kill();
        await database.remove();
      });
      const world = await createWorld(service.url, 1);
      const [tenant = assert.fail('no tenant')] = world.tenants;
      const random = createRandom();
      for (const [name, { send }] of Object.entries(kinds)) {
        await Promise.all([1, 2].map(() => send(tenant, random, world))).catch((err) => assert.fail(`${name}: ${String(err)}`));
      }
      await world.close();
      assert.equal(service.stdout(), '');
    });
  }
});

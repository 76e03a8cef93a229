import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isCampaign } from '../support/campaign.ts';
import { call, register } from '../support/client.ts';
import { type ServedProgram, serveProgram, withDataDir } from '../support/process.ts';

const kills = isCampaign ? 200 : 2;
const lanes = isCampaign ? 2 : 1;

describe('kill -9 around resets of the key', { concurrency: true }, () => {
  for (let lane = 1; lane <= lanes; lane += 1) {
    it(`never two valid keys, never none: lane ${lane} of ${lanes}, ${kills / lanes} kills`, () =>
      withDataDir(async (dataDir) => {
        const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
        let service = await serveProgram(env);
        const { email, password, token } = await register(service);
        const revoked: string[] = [];
        let current = token;

        // On a busy machine, the first kills may come before any reset.
        for (let round = 0; round < kills / lanes || revoked.length === 0; round += 1) {
          const acknowledged = await resetUntilKilled(service, current);
          service = await serveProgram(env);
          for (const key of acknowledged) {
            revoked.push(current);
            current = key;
          }

          // If the interrupted reset took effect, the previous key is dead. Otherwise, that key is still current.
          const login = await call(service, 'POST', '/api/auth/token', { body: { email, password } });
          assert.equal(login.status, 200);
          const { token: stored } = login.body as { token: string };
          if (stored !== current) {
            revoked.push(current);
            current = stored;
          }
          assert.equal(await verify(service, current), 200, `round ${round}: there is a valid key`);
          for (const key of revoked.slice(-5)) assert.equal(await verify(service, key), 401, `round ${round}: there is only one`);
        }
        for (const key of revoked) assert.equal(await verify(service, key), 401);
        await service.stop();
      }));
  }
});

/** Resets the key repeatedly until the service is killed at a random moment. Returns the keys that were acknowledged. */
async function resetUntilKilled(service: ServedProgram, first: string): Promise<string[]> {
  const acknowledged: string[] = [];
  const killed = delay(Math.random() * 30).then(() => service.kill());
  for (;;) {
    try {
      const response = await call(service, 'DELETE', '/api/auth/token', { key: acknowledged.at(-1) ?? first });
      assert.equal(response.status, 200);
      acknowledged.push((response.body as { token: string }).token);
    } catch (err) {
      if (err instanceof assert.AssertionError) throw err;
      await killed;
      return acknowledged;
    }
  }
}

async function verify(service: ServedProgram, key: string): Promise<number> {
  return (await call(service, 'GET', '/api/auth/token', { key })).status;
}

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { type Attempt, assertNotThrottled, recordFailure, recordSuccess } from '../../src/domain/accounts/throttles.ts';
import type { Context } from '../../src/domain/context.ts';
import { AppError } from '../../src/errors.ts';
import { closeContext, openContext } from '../../src/service.ts';
import { freezeClock } from '../support/clock.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

async function waitOf(ctx: Context, attempt: Attempt): Promise<number> {
  try {
    await assertNotThrottled(ctx, attempt);
    return 0;
  } catch (err) {
    assert.ok(err instanceof AppError && err.code === 'too_many_attempts' && err.retryAfterSeconds !== undefined);
    return err.retryAfterSeconds;
  }
}

const from = (address: string) => ({ address, userAgent: undefined });
const attempt = { email: 'ada@example.com', client: from('203.0.113.1') };

for (const engine of engines) {
  describe(`Throttles (${engine.name})`, () => {
    let database: TestDatabase;
    let ctx: Context;
    before(async () => {
      database = await engine.create();
      ctx = await openContext(loadConfig(database.env), pino({ level: 'silent' }));
    });
    const clear = () => ctx.store.throttles.deleteUnusedSince(new Date('9999-12-31'));
    beforeEach(clear);
    after(async () => {
      await closeContext(ctx);
      await database.remove();
    });

    it('ASVS 6.3.1: four failures are free, then the wait doubles from one second up to 15 minutes', async (t) => {
      const clock = freezeClock(t);
      const waits: number[] = [];
      for (let failure = 1; failure <= 20; failure += 1) {
        await recordFailure(ctx, { ...attempt, client: from(`203.0.113.${failure}`) });
        const wait = await waitOf(ctx, attempt);
        waits.push(wait);
        clock.advance(wait * 1000);
      }
      assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900, 900]);
    });

    it('ASVS 6.3.1: for any mix of failures, a wait never shrinks, never exceeds 15 minutes and ends on time', async (t) => {
      const clock = freezeClock(t);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 }), async (addresses) => {
          await clear();
          let longest = 0;
          for (const last of addresses) {
            const current = { email: attempt.email, client: from(`203.0.113.${last}`) };
            await recordFailure(ctx, current);
            const wait = await waitOf(ctx, current);
            assert.ok(wait >= longest && wait <= 900, `${wait} after ${longest}`);
            longest = wait;
            clock.advance(Math.max(0, wait * 1000 - 1));
            if (wait > 0) assert.equal(await waitOf(ctx, current), 1);
            clock.advance(1);
            assert.equal(await waitOf(ctx, current), 0);
          }
        }),
        { numRuns: 10 },
      );
    });

    it('a hundred failures do not overflow', async (t) => {
      freezeClock(t);
      for (let failure = 0; failure < 120; failure += 1) await recordFailure(ctx, attempt);
      assert.equal(await waitOf(ctx, attempt), 900);
    });

    it('failures are forgotten an hour after the last', async (t) => {
      const clock = freezeClock(t);
      for (let failure = 0; failure < 4; failure += 1) await recordFailure(ctx, attempt);
      clock.advance(60 * 60 * 1000 + 1);
      await recordFailure(ctx, attempt);
      assert.equal(await waitOf(ctx, attempt), 0);
    });

    it('a success clears the account, not the address', async (t) => {
      freezeClock(t);
      for (let failure = 0; failure < 50; failure += 1) await recordFailure(ctx, attempt);
      await recordSuccess(ctx, attempt);
      assert.equal(await waitOf(ctx, { ...attempt, client: from('203.0.113.2') }), 0);
      assert.equal(await waitOf(ctx, { ...attempt, email: 'grace@example.com' }), 1);
    });

    it('of two waits the longer one counts', async (t) => {
      freezeClock(t);
      for (let failure = 0; failure < 50; failure += 1) await recordFailure(ctx, { ...attempt, email: `${failure}@example.com` });
      for (let failure = 0; failure < 8; failure += 1) await recordFailure(ctx, { ...attempt, client: from('203.0.113.7') });
      assert.equal(await waitOf(ctx, attempt), 8);
    });

    it('the email is compared without case and surrounding blanks', async (t) => {
      freezeClock(t);
      for (const email of ['ada@example.com', 'ADA@example.com', ' ada@example.com', 'ada@example.com\n', 'Ada@Example.Com']) {
        await recordFailure(ctx, { email, client: from('203.0.113.1') });
      }
      assert.equal(await waitOf(ctx, { ...attempt, client: from('203.0.113.9') }), 1);
    });

    const sameNetwork: [string, string, boolean][] = [
      ['203.0.113.1', '203.0.113.1', true],
      ['203.0.113.1', '203.0.113.2', false],
      ['203.0.113.1', '::ffff:203.0.113.1', true],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1', true],
      ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
      ['2001:db8::1', '2001:db8:0:0:ffff::', true],
      ['2001:db8::1', '2001:db8:0:1::1', false],
      ['::1', '::2', true],
      ['2001:DB8:1:2::1', '2001:db8:1:2::1', true],
      ['2001:0db8:1:2::1', '2001:db8:1:2::1', true],
      ['fe80::1%eth0', 'fe80::2%eth0', true],
    ];
    for (const [one, other, same] of sameNetwork) {
      it(`${one} and ${other} are ${same ? 'one network' : 'two networks'}`, async (t) => {
        freezeClock(t);
        for (let failure = 0; failure < 50; failure += 1) await recordFailure(ctx, { email: `${failure}@example.com`, client: from(one) });
        assert.equal(await waitOf(ctx, { email: 'new@example.com', client: from(other) }), same ? 1 : 0);
      });
    }
  });
}

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { loadConfig } from '../../../src/config.ts';
import {
  type Attempt,
  clearedByReset,
  codeLimits,
  passwordLimits,
  type Relation,
  registrationLimits,
  resetLinkLimits,
  takenEmailLimits,
} from '../../../src/domain/accounts/attempt-limits.ts';
import { assertNotThrottled, countAttempt, type Limit } from '../../../src/domain/accounts/throttles.ts';
import type { Context } from '../../../src/domain/context.ts';
import { AppError } from '../../../src/errors.ts';
import { closeContext, openContext } from '../../../src/service.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';

async function waitOf(ctx: Context, limits: Limit[]): Promise<number> {
  try {
    await assertNotThrottled(ctx, limits);
    return 0;
  } catch (err) {
    assert.ok(err instanceof AppError && err.code === 'too_many_attempts' && err.retryAfterSeconds !== undefined);
    return err.retryAfterSeconds;
  }
}

const from = (address: string) => ({ address, userAgent: undefined });
const attempt = { email: 'ada@example.com', client: from('203.0.113.1') };
const stranger: Relation = { kind: 'new address' };
const byStranger = (change: Partial<Attempt> = {}) => passwordLimits({ ...attempt, ...change }, stranger);
const fromAddress = (number: number) => byStranger({ client: from(`198.51.100.${number}`) });

for (const engine of engines) {
  describe(`Throttles (${engine.name})`, () => {
    let database: TestDatabase;
    let ctx: Context;
    before(async () => {
      database = await engine.create();
      ctx = await openContext(loadConfig(database.env), pino({ level: 'silent' }));
    });
    const clear = () => ctx.store.deleteBefore('throttles', new Date('9999-12-31'));
    beforeEach(clear);
    after(async () => {
      await closeContext(ctx);
      await database.remove();
    });

    it('ASVS 6.3.1: four failures are free, then the wait doubles from one second up to 15 minutes', async (t) => {
      const clock = freezeClock(t);
      const waits: number[] = [];
      for (let failure = 1; failure <= 17; failure += 1) {
        const { fail } = await countAttempt(ctx, byStranger());
        const wait = await waitOf(ctx, byStranger());
        assert.equal(await fail(), wait > 0);
        waits.push(wait);
        clock.advance(wait * 1000);
      }
      assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    });

    it('ASVS 6.1.1: guesses from one address do not make the owner wait at another', async (t) => {
      const clock = freezeClock(t);
      for (let failure = 0; failure < 15; failure += 1) {
        await countAttempt(ctx, byStranger());
        clock.advance((await waitOf(ctx, byStranger())) * 1000);
      }
      await countAttempt(ctx, byStranger());
      assert.equal(await waitOf(ctx, byStranger()), 900);
      assert.equal(await waitOf(ctx, fromAddress(1)), 0);
    });

    it('ASVS 6.1.1, 6.3.1: guesses from many addresses are bounded per account, and do not concern a known device or address', async (t) => {
      const clock = freezeClock(t);
      const known = passwordLimits(attempt, { kind: 'known address' });
      const device = passwordLimits(attempt, { kind: 'device', deviceId: 'd_1' });
      const waits: number[] = [];
      for (let number = 1; number <= 24; number += 1) {
        await countAttempt(ctx, fromAddress(number));
        const wait = await waitOf(ctx, byStranger());
        waits.push(wait);
        assert.equal(await waitOf(ctx, known), 0);
        assert.equal(await waitOf(ctx, device), 0);
        clock.advance(wait * 1000);
      }
      assert.deepEqual(waits, [...Array(19).fill(0), 1, 2, 4, 8, 16]);

      for (const limits of [known, device]) {
        for (let failure = 0; failure < 5; failure += 1) await countAttempt(ctx, limits);
        assert.equal(await waitOf(ctx, limits), 1, 'it has a count of its own');
      }
      assert.equal(await waitOf(ctx, passwordLimits(attempt, { kind: 'device', deviceId: 'd_2' })), 0);
    });

    it('ASVS 6.1.1: a reset of the password clears the count of the account and of the addresses of its owner', async (t) => {
      freezeClock(t);
      for (let failure = 0; failure < 5; failure += 1) for (const number of [1, 2, 3, 4]) await countAttempt(ctx, fromAddress(number));
      assert.equal(await waitOf(ctx, fromAddress(9)), 1);
      await ctx.store.throttles.settle({ cleared: clearedByReset('Ada@example.com', ['198.51.100.1']), takenBack: [] });
      assert.equal(await waitOf(ctx, fromAddress(9)), 0);
      assert.equal(await waitOf(ctx, fromAddress(1)), 0);
      assert.equal(await waitOf(ctx, fromAddress(2)), 1, 'a stranger still waits');
    });

    it('ASVS 6.3.1: for any pauses between failures, a wait never shrinks, never exceeds 15 minutes and ends on time', async (t) => {
      const clock = freezeClock(t);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 30 * 60 }), { minLength: 1, maxLength: 20 }), async (pauses) => {
          await clear();
          let longest = 0;
          for (const pauseSeconds of pauses) {
            await countAttempt(ctx, byStranger());
            const wait = await waitOf(ctx, byStranger());
            assert.ok(wait >= longest && wait <= 900, `${wait} after ${longest}`);
            longest = wait;
            clock.advance(Math.max(0, wait * 1000 - 1));
            if (wait > 0) assert.equal(await waitOf(ctx, byStranger()), 1);
            clock.advance(1);
            assert.equal(await waitOf(ctx, byStranger()), 0);
            clock.advance(pauseSeconds * 1000);
          }
        }),
        { numRuns: 10 },
      );
    });

    const concurrent: [string, Limit[], number][] = [
      ['guesses of a password', byStranger(), 5],
      ['guesses of a code', codeLimits('u_1'), 5],
      ['reset links', resetLinkLimits(attempt, stranger), 3],
      ['registrations of a taken email', takenEmailLimits(attempt.client), 20],
    ];
    for (const [name, limits, allowed] of concurrent) {
      it(`ASVS 6.3.1: of 60 concurrent ${name} exactly ${allowed} are allowed`, async (t) => {
        freezeClock(t);
        const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => countAttempt(ctx, limits)));
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, allowed);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') assert.equal((outcome.reason as AppError).code, 'too_many_attempts');
        }
      });
    }

    it('an attempt during a wait is refused, and increases none of its counts', async (t) => {
      const clock = freezeClock(t);
      for (let failure = 0; failure < 5; failure += 1) await countAttempt(ctx, byStranger());
      for (let refused = 0; refused < 60; refused += 1)
        await assert.rejects(countAttempt(ctx, byStranger()), { code: 'too_many_attempts' });
      assert.equal(await waitOf(ctx, fromAddress(1)), 0, 'the account');
      assert.equal(await waitOf(ctx, byStranger({ email: 'grace@example.com' })), 0, 'the address');
      clock.advance(1000);
      await countAttempt(ctx, byStranger());
      assert.equal(await waitOf(ctx, byStranger()), 2);
    });

    it('failures are forgotten an hour after the last', async (t) => {
      const clock = freezeClock(t);
      for (let failure = 0; failure < 4; failure += 1) await countAttempt(ctx, byStranger());
      clock.advance(60 * 60 * 1000 + 1);
      await countAttempt(ctx, byStranger());
      assert.equal(await waitOf(ctx, byStranger()), 0);
    });

    it('a success clears the account, and takes back only its own attempt from the address', async (t) => {
      freezeClock(t);
      for (let failure = 0; failure < 49; failure += 1) await countAttempt(ctx, byStranger({ email: `${failure}@example.com` }));
      for (let success = 0; success < 3; success += 1) {
        const { succeed } = await countAttempt(ctx, byStranger());
        assert.equal(await waitOf(ctx, byStranger({ email: 'grace@example.com' })), 1, 'the fiftieth of the address');
        await succeed();
      }
      await countAttempt(ctx, byStranger({ email: 'grace@example.com' }));
      assert.equal(await waitOf(ctx, byStranger()), 1, 'of the address');
      assert.equal(await waitOf(ctx, fromAddress(1)), 0);
    });

    it('ASVS 6.3.1: a right password does not clear the count of wrong codes', async (t) => {
      freezeClock(t);
      for (let failure = 0; failure < 5; failure += 1) {
        await countAttempt(ctx, codeLimits('u_1'));
        await (await countAttempt(ctx, byStranger())).succeed();
      }
      assert.equal(await waitOf(ctx, codeLimits('u_1')), 1);
      assert.equal(await waitOf(ctx, codeLimits('u_2')), 0);
    });

    it('a wait starts when the attempt has failed, however long that took', async (t) => {
      const clock = freezeClock(t);
      for (let failure = 0; failure < 4; failure += 1) await countAttempt(ctx, byStranger());
      const { fail } = await countAttempt(ctx, byStranger());
      clock.advance(5000);
      assert.equal(await fail(), true);
      assert.equal(await waitOf(ctx, byStranger()), 1);
    });

    it('the longer of two waits counts', async (t) => {
      const clock = freezeClock(t);
      for (let failure = 0; failure < 8; failure += 1) {
        clock.advance((await waitOf(ctx, byStranger())) * 1000);
        await countAttempt(ctx, byStranger());
      }
      for (let failure = 0; failure < 42; failure += 1) await countAttempt(ctx, byStranger({ email: `${failure}@example.com` }));
      assert.equal(await waitOf(ctx, byStranger({ email: 'grace@example.com' })), 1);
      assert.equal(await waitOf(ctx, byStranger()), 8);
    });

    it('the first wait for another reset link is a minute, because each link is an email to someone', async (t) => {
      freezeClock(t);
      const limits = resetLinkLimits(attempt, stranger);
      for (let mail = 0; mail < 3; mail += 1) await countAttempt(ctx, limits);
      assert.equal(await waitOf(ctx, limits), 60);
      assert.equal(await waitOf(ctx, resetLinkLimits(attempt, { kind: 'known address' })), 0, 'the owner has a count of their own');
      assert.equal(await waitOf(ctx, resetLinkLimits(attempt, { kind: 'device', deviceId: 'd_1' })), 0);
    });

    it('registrations from one address have a generous limit', async (t) => {
      freezeClock(t);
      const limits = registrationLimits(attempt.client);
      const [limit] = limits;
      assert.ok(limit && limit.rule.freeAttempts >= 500);
      const few = [{ ...limit, rule: { ...limit.rule, freeAttempts: 3 } }];
      for (let count = 0; count < 3; count += 1) await countAttempt(ctx, few);
      assert.equal(await waitOf(ctx, limits), 1);
    });

    it('the email is compared without case and surrounding blanks', async (t) => {
      freezeClock(t);
      for (const email of ['ada@example.com', 'ADA@example.com', ' ada@example.com', 'ada@example.com\n', 'Ada@Example.Com']) {
        await countAttempt(ctx, byStranger({ email }));
      }
      assert.equal(await waitOf(ctx, byStranger()), 1);
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
        for (let failure = 0; failure < 5; failure += 1) await countAttempt(ctx, byStranger({ client: from(one) }));
        assert.equal(await waitOf(ctx, byStranger({ client: from(other) })), same ? 1 : 0);
      });
    }
  });
}

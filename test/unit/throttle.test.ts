import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Context } from '../../src/domain/context.ts';
import { type Attempt, assertNotThrottled, recordFailure, recordSuccess } from '../../src/domain/throttle.ts';
import { AppError } from '../../src/errors.ts';
import { freezeClock } from '../support/clock.ts';

/** The throttles' table in memory: the growth of the delays is pure arithmetic and wants thousands of runs. */
function createContext(): Context {
  const rows = new Map<string, { failures: number; blockedUntil: number; updatedAt: number }>();
  const throttles: Context['store']['throttles'] = {
    async findBlockedUntil(names) {
      const until = Math.max(...names.map((name) => rows.get(name)?.blockedUntil ?? 0));
      return until > Date.now() ? new Date(until) : undefined;
    },
    async countFailure(name, forgetBefore) {
      const row = rows.get(name);
      const failures = row && row.updatedAt >= forgetBefore.getTime() ? row.failures + 1 : 1;
      rows.set(name, { failures, blockedUntil: row?.blockedUntil ?? 0, updatedAt: Date.now() });
      return failures;
    },
    async blockUntil(name, until) {
      const row = rows.get(name);
      if (row) row.blockedUntil = until.getTime();
    },
    async clear(name) {
      rows.delete(name);
    },
    async deleteUnusedSince() {},
  };
  // Nothing else of the context is touched by a throttle.
  return { store: { throttles } } as Context;
}

async function waitOf(ctx: Context, attempt: Attempt): Promise<number> {
  try {
    await assertNotThrottled(ctx, attempt);
    return 0;
  } catch (err) {
    assert.ok(err instanceof AppError && err.code === 'too_many_attempts' && err.retryAfterSeconds !== undefined);
    return err.retryAfterSeconds;
  }
}

const attempt = { email: 'ada@example.com', address: '203.0.113.1' };

describe('Throttle', () => {
  it('ASVS 6.3.1: four failures are free, then the wait doubles from one second up to 15 minutes', async (t) => {
    const clock = freezeClock(t);
    const ctx = createContext();
    const waits: number[] = [];
    for (let failure = 1; failure <= 20; failure += 1) {
      await recordFailure(ctx, { ...attempt, address: `203.0.113.${failure}` });
      const wait = await waitOf(ctx, attempt);
      waits.push(wait);
      clock.advance(wait * 1000);
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900, 900]);
  });

  it('ASVS 6.3.1: whatever the mix of failures, a wait never shrinks, never passes 15 minutes and ends when it says', async (t) => {
    const clock = freezeClock(t);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 120 }), async (addresses) => {
        const ctx = createContext();
        let longest = 0;
        for (const last of addresses) {
          const current = { email: attempt.email, address: `203.0.113.${last}` };
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
      { numRuns: 100 },
    );
  });

  it('a thousand failures do not overflow', async (t) => {
    freezeClock(t);
    const ctx = createContext();
    for (let failure = 0; failure < 1200; failure += 1) await recordFailure(ctx, attempt);
    assert.equal(await waitOf(ctx, attempt), 900);
  });

  it('failures are forgotten an hour after the last', async (t) => {
    const clock = freezeClock(t);
    const ctx = createContext();
    for (let failure = 0; failure < 4; failure += 1) await recordFailure(ctx, attempt);
    clock.advance(60 * 60 * 1000 + 1);
    await recordFailure(ctx, attempt);
    assert.equal(await waitOf(ctx, attempt), 0);
  });

  it('a success clears the account, not the address', async (t) => {
    freezeClock(t);
    const ctx = createContext();
    for (let failure = 0; failure < 50; failure += 1) await recordFailure(ctx, attempt);
    await recordSuccess(ctx, attempt);
    assert.equal(await waitOf(ctx, { ...attempt, address: '203.0.113.2' }), 0);
    assert.equal(await waitOf(ctx, { ...attempt, email: 'grace@example.com' }), 1);
  });

  it('the e-mail is the same however it is typed', async (t) => {
    freezeClock(t);
    const ctx = createContext();
    for (const email of ['ada@example.com', 'ADA@example.com', ' ada@example.com', 'ada@example.com\n', 'Ada@Example.Com']) {
      await recordFailure(ctx, { email, address: '203.0.113.1' });
    }
    assert.equal(await waitOf(ctx, { ...attempt, address: '203.0.113.9' }), 1);
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
    it(`${one} and ${other} are ${same ? 'one' : 'two'} to it`, async (t) => {
      freezeClock(t);
      const ctx = createContext();
      for (let failure = 0; failure < 50; failure += 1) await recordFailure(ctx, { email: `${failure}@example.com`, address: one });
      assert.equal(await waitOf(ctx, { email: 'new@example.com', address: other }), same ? 1 : 0);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHashing, type HashTenant } from '../../../src/domain/accounts/hashing.ts';
import { hashingLimits } from '../../../src/platform/scheduling/limits.ts';

const registration = (number: number): HashTenant => ({ kind: 'registration', address: `203.0.113.${number}` });
const stranger = (number: number): HashTenant => ({ kind: 'new address', address: `203.0.113.${number}` });
const account = (accountId: string, person = accountId): HashTenant => ({ kind: 'account', accountId, person });

describe('Hashing', () => {
  it('ASVS 15.2.2: registrations from any number of addresses delay a sign-in by one hash at most', async () => {
    const { order, release, add } = blockedHashing();
    const flood = Array.from({ length: 100 }, (_, index) => add('registration', registration(index)));
    flood.push(add('sign-in', stranger(1)), add('known', account('u_1')));
    release();
    await Promise.all(flood);
    assert.deepEqual(order.slice(0, 3).toSorted(), ['known', 'registration', 'sign-in']);
  });

  it('ASVS 15.2.2: a flood of sign-ins by strangers does not delay an account at a known place by more than one hash', async () => {
    const { order, release, add } = blockedHashing();
    const flood = Array.from({ length: 200 }, (_, index) => add('stranger', stranger(index)));
    flood.push(add('known', account('u_1')));
    release();
    await Promise.all(flood);
    assert.ok(order.indexOf('known') <= 1, String(order.indexOf('known')));
  });

  it('ASVS 15.2.2: an account with many devices is served as often as any other account', async () => {
    const { order, release, add } = blockedHashing();
    const flood = Array.from({ length: 50 }, (_, index) => add('many', account('u_1', `device ${index}`)));
    flood.push(add('other', account('u_2')));
    release();
    await Promise.all(flood);
    assert.ok(order.indexOf('other') <= 1, String(order.indexOf('other')));
  });

  it('ASVS 15.2.2: an address that floods is refused with 429, and other addresses are not', async () => {
    const { release, add } = blockedHashing();
    const tasks = Array.from({ length: 80 }, () => add('flood', registration(1)));
    const other = add('other', registration(2));
    release();
    const outcomes = await Promise.allSettled(tasks);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.ok(refused.length > 0 && refused.length < 20, String(refused.length));
    for (const { reason } of refused) assert.equal((reason as { status: number }).status, 429);
    await other;
  });

  for (const tenant of [stranger(1), account('u_1')]) {
    it(`attempts of one ${tenant.kind} are checked and made one at a time`, async () => {
      const hashing = createHashing(hashingLimits(8));
      const log: string[] = [];
      const attempt = (name: string) =>
        hashing.run(
          tenant,
          async () => {
            await nextTurn();
            log.push(`${name} made`);
          },
          async () => void log.push(`${name} checked`),
        );
      await Promise.all([attempt('a'), attempt('b'), attempt('c')]);
      assert.deepEqual(log, ['a checked', 'a made', 'b checked', 'b made', 'c checked', 'c made']);
    });
  }

  it('a check that rejects does not occupy a core', async () => {
    const { hashing, release, add } = blockedHashing();
    const refused = hashing.run(account('u_1'), assert.fail, async () => {
      throw new Error('throttled');
    });
    await assert.rejects(refused, /throttled/);
    release();
    await add('next', account('u_1'));
  });
});

/** Creates a hashing queue for one core, which stays busy until `release` is called. */
function blockedHashing() {
  const hashing = createHashing(hashingLimits(1));
  const order: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  void hashing.run({ kind: 'operator' }, () => released);
  const add = (name: string, tenant: HashTenant) => hashing.run(tenant, async () => void order.push(name));
  return { hashing, order, release, add };
}

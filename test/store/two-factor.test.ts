import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

for (const engine of engines) {
  describe(`the two-factor store (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const by = (accountId: string) => ({ accountId, via: 'system' }) as const;
    const store = () => service.ctx.store.twoFactor;

    async function confirmed(codeDigests: string[]): Promise<{ accountId: string; confirmedAt: string }> {
      const { userId: accountId } = await register(service);
      assert.equal(await store().offer(by(accountId), 'cipher'), true);
      assert.deepEqual(await store().confirm(by(accountId), { secretCipher: 'cipher', step: 100, codeDigests }), { hasEnded: false });
      const confirmedAt = (await store().find(accountId))?.confirmedAt;
      assert.ok(confirmedAt);
      return { accountId, confirmedAt };
    }

    it('accepts one of many concurrent uses of a time step', async () => {
      const { accountId, confirmedAt } = await confirmed(['a']);
      const uses = await Promise.all(Array.from({ length: 20 }, () => store().useStep(accountId, { confirmedAt, step: 101 })));
      assert.equal(uses.filter(Boolean).length, 1);
      assert.equal(await store().useStep(accountId, { confirmedAt, step: 100 }), false);
      assert.equal(await store().useStep(accountId, { confirmedAt, step: 102 }), true);
    });

    it('accepts one of many concurrent uses of a recovery code', async () => {
      const { accountId } = await confirmed(['a', 'b']);
      const uses = await Promise.all(Array.from({ length: 20 }, () => store().useRecoveryCode(accountId, 'a')));
      assert.equal(uses.filter(Boolean).length, 1);
      assert.equal(await store().useRecoveryCode(accountId, 'b'), true);
    });

    it('accepts one of many concurrent confirmations, so that one set of recovery codes is shown and stored', async () => {
      const { userId: accountId } = await register(service);
      await store().offer(by(accountId), 'cipher');
      const sets = Array.from({ length: 10 }, (_, index) => [`${index}-a`, `${index}-b`]);
      const wins = await Promise.all(
        sets.map((codeDigests) => store().confirm(by(accountId), { secretCipher: 'cipher', step: 1, codeDigests })),
      );
      assert.equal(wins.filter(Boolean).length, 1);
      const good = await Promise.all(sets.flat().map((digest) => store().useRecoveryCode(accountId, digest)));
      assert.deepEqual(
        sets.flat().filter((_, index) => good[index]),
        sets[wins.findIndex(Boolean)],
      );
    });

    it('keeps exactly one set after many concurrent replacements of the recovery codes', async () => {
      const { accountId } = await confirmed(['old']);
      const sets = Array.from({ length: 10 }, (_, index) => [`${index}-a`, `${index}-b`]);
      await Promise.all(sets.map((codeDigests) => store().replaceRecoveryCodes(by(accountId), codeDigests)));
      const good = await Promise.all(['old', ...sets.flat()].map((digest) => store().useRecoveryCode(accountId, digest)));
      assert.equal(good.filter(Boolean).length, 2);
      assert.equal(good[0], false);
    });

    it('deletes the recovery codes when it is disabled', async () => {
      const { accountId } = await confirmed(['a']);
      assert.ok(await store().remove(by(accountId)));
      assert.equal(await store().remove(by(accountId)), undefined);
      assert.equal(await store().useRecoveryCode(accountId, 'a'), false);
    });

    it('keeps a confirmed secret when another is offered, and refuses a step of an earlier set-up', async () => {
      const { accountId, confirmedAt } = await confirmed(['a']);
      assert.equal(await store().offer(by(accountId), 'other'), false);
      assert.equal((await store().find(accountId))?.secretCipher, 'cipher');
      assert.equal(await store().useStep(accountId, { confirmedAt: `${confirmedAt}-other`, step: 200 }), false);
    });
  });
}

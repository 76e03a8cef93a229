import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

for (const engine of engines) {
  describe(`the store of mailed links (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const store = () => service.ctx.store.mailedLinks;
    const kind = 'reset-password';
    const isUsed = async (link: { digest: string; accountId: string }) => {
      const nextKey = { keyDigest: `key of ${link.digest}`, keyCipher: '' };
      return (await store().resetPassword({ ...link, passwordHash: 'hash', nextKey })) !== undefined;
    };
    let links = 0;
    async function insertLink(accountId: string, minutes: number): Promise<string> {
      links += 1;
      const digest = `digest ${links}`;
      await store().insert({ kind, digest, accountId, expiresAt: new Date(Date.now() + minutes * 60_000) });
      return digest;
    }

    it('finds and uses a link until it expires', async () => {
      const { userId: accountId } = await register(service);
      const [valid, expired] = [await insertLink(accountId, 1), await insertLink(accountId, -1)];
      assert.equal(await store().findAccountId(kind, valid), accountId);
      assert.equal(await store().findAccountId(kind, expired), undefined);
      assert.equal(await isUsed({ digest: expired, accountId }), false);
      assert.equal(await isUsed({ digest: valid, accountId }), true);
      assert.equal(await store().findAccountId(kind, valid), undefined);
    });

    it('uses a link for its own account only', async () => {
      const [owner, other] = [await register(service), await register(service)];
      const digest = await insertLink(owner.userId, 1);
      assert.equal(await isUsed({ digest, accountId: other.userId }), false);
      assert.equal(await store().findAccountId(kind, digest), owner.userId);
    });

    it('deletes the links of a deleted account', async () => {
      const [owner, other] = [await register(service), await register(service)];
      const [own, others] = [await insertLink(owner.userId, 1), await insertLink(other.userId, 1)];
      assert.deepEqual(await service.ctx.store.accounts.delete(owner.userId), [owner.userId]);
      assert.equal(await store().findAccountId(kind, own), undefined);
      assert.equal(await store().findAccountId(kind, others), other.userId);
    });
  });
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const event = { type: 'key.reset', at: '2026-03-01T14:00:00.000Z', by: null, prompt: null, detail: '{}' };

for (const engine of engines) {
  describe(`the key store (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function newAccount() {
      const { userId } = await register(service);
      return (await service.ctx.store.accounts.findById(userId)) ?? assert.fail('the account was just created');
    }

    it('replaces a key only while the presented one is current', async () => {
      const { keys } = service.ctx.store;
      const { id, keyDigest } = await newAccount();
      const next = { keyDigest: `next of ${id}`, keyCipher: 'next' };
      assert.equal(await keys.replace({ accountId: id, via: 'system' }, keyDigest, next, event), true);
      assert.equal(
        await keys.replace({ accountId: id, via: 'system' }, keyDigest, { keyDigest: `other of ${id}`, keyCipher: 'other' }, event),
        false,
      );
      const account = await service.ctx.store.accounts.findById(id);
      assert.deepEqual([account?.keyDigest, account?.keyCipher, account?.keySerial], [next.keyDigest, 'next', 2]);
    });

    it('replaces a cipher only while its key is current, so that resealing cannot bring a former key back', async () => {
      const { keys, accounts, ciphers } = service.ctx.store;
      const { id, keyDigest } = await newAccount();
      const cipher = (await accounts.findById(id))?.keyCipher ?? '';
      assert.equal(await ciphers.replace('key', { key: [id], cipher }, 'resealed'), true);
      assert.equal((await accounts.findById(id))?.keyCipher, 'resealed');
      assert.equal(
        await keys.replace({ accountId: id, via: 'system' }, keyDigest, { keyDigest: `next of ${id}`, keyCipher: 'next' }, event),
        true,
      );
      assert.equal(await ciphers.replace('key', { key: [id], cipher: 'resealed' }, 'resealed again'), false);
      assert.equal((await accounts.findById(id))?.keyCipher, 'next');
    });
  });
}

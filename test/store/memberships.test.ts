import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { newKey } from '../../src/domain/accounts/keys.ts';
import { newId } from '../../src/domain/ids.ts';
import type { AccountRecord } from '../../src/store/accounts/accounts.ts';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import type { KeyLookup } from '../../src/store/accounts/keys.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { runTransaction } from '../../src/store/transaction.ts';
import { createMembershipStore } from '../../src/store/workspaces/memberships.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

interface TestKey {
  id: string;
  key: string;
}

for (const engine of engines) {
  describe(`Key lookups with a workspace (${engine.name})`, () => {
    let database: TestDatabase;
    let opened: OpenedDatabase;
    let find: KeyLookup;
    before(async () => {
      database = await engine.create();
      opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
      await opened.runLong(migrate);
      find = opened.createKeyLookup();
    });
    after(async () => {
      await opened.close();
      await database.remove();
    });

    const memberships = () => createMembershipStore(opened.db);

    async function insertAccount(homeWorkspaceId: string | null = null): Promise<TestKey> {
      const [id, key] = [newId('u'), newKey()];
      const row = { id, email: `${id}@example.com`, name: id, password_hash: '', key_digest: digestKey(key), key_cipher: '' };
      await opened.db
        .insertInto('accounts')
        .values({ ...row, home_workspace_id: homeWorkspaceId, key_created_at: '', created_at: '', updated_at: '' })
        .execute();
      return { id, key };
    }

    async function insertServiceAccount(home: TestKey): Promise<TestKey> {
      const account = await insertAccount(home.id);
      await memberships().put(home.id, account.id, 'viewer');
      return account;
    }

    /** Returns the workspace in which a key acts and its role there, or `nobody` for an invalid key. */
    async function actsIn({ key }: TestKey, workspaceId?: string): Promise<string> {
      return describePlace(await find(key, workspaceId));
    }

    function describePlace(account: AccountRecord | undefined): string {
      if (!account) return 'nobody';
      const { workspaceId, role } = account.membership ?? { workspaceId: account.id, role: 'owner' };
      return `${role} of ${workspaceId}`;
    }

    it('a member acts in the workspace with its role, and everyone else in their own workspace', async () => {
      const [owner, member, stranger] = [await insertAccount(), await insertAccount(), await insertAccount()];
      await memberships().put(owner.id, member.id, 'editor');
      for (let time = 0; time < 2; time += 1) {
        assert.equal(await actsIn(member, owner.id), `editor of ${owner.id}`);
        assert.equal(await actsIn(member), `owner of ${member.id}`);
        assert.equal(await actsIn(member, member.id), `owner of ${member.id}`);
        assert.equal(await actsIn(owner, owner.id), `owner of ${owner.id}`);
        assert.equal(await actsIn(owner, member.id), `owner of ${owner.id}`, 'membership does not go both ways');
        assert.equal(await actsIn(stranger, owner.id), `owner of ${stranger.id}`);
      }
      for (const id of ['u_nobody', '', 'u_', `${owner.id}, ${owner.id}`, ` ${owner.id}`, owner.id.toUpperCase(), 'u_\u00ff', '%', '*']) {
        assert.equal(await actsIn(member, id), `owner of ${member.id}`, JSON.stringify(id));
      }
      assert.equal(await actsIn({ id: '', key: newKey() }, owner.id), 'nobody');
    });

    it('returns the current revision of the workspace', async () => {
      const [owner, member] = [await insertAccount(), await insertAccount()];
      await memberships().put(owner.id, member.id, 'viewer');
      for (const revision of [7, 8]) {
        await opened.db.updateTable('accounts').set({ revision }).where('id', '=', owner.id).execute();
        const { revision: expected } = (await find(owner.key)) ?? assert.fail();
        assert.ok(expected > 0);
        assert.equal((await find(member.key, owner.id))?.membership?.revision, expected);
      }
    });

    it('a changed role, a removal and a new membership apply to the next lookup', async () => {
      const [owner, member] = [await insertAccount(), await insertAccount()];
      for (let round = 0; round < 3; round += 1) {
        assert.equal(await actsIn(member, owner.id), `owner of ${member.id}`);
        for (const role of ['admin', 'viewer'] as const) {
          await memberships().put(owner.id, member.id, role);
          for (let time = 0; time < 3; time += 1) assert.equal(await actsIn(member, owner.id), `${role} of ${owner.id}`);
        }
        await memberships().remove(owner.id, member.id);
      }
      assert.equal(await memberships().findRole(owner.id, member.id), undefined);
    });

    it('a lookup during the transaction of a removal returns the committed state', async () => {
      const [owner, member] = [await insertAccount(), await insertAccount()];
      await memberships().put(owner.id, member.id, 'admin');
      assert.equal(await actsIn(member, owner.id), `admin of ${owner.id}`);
      let during: Promise<string> | undefined;
      const failing = runTransaction(opened.db, async (transaction) => {
        await createMembershipStore(transaction).remove(owner.id, member.id);
        during = actsIn(member, owner.id);
        throw new Error('called off');
      });
      await assert.rejects(failing, /called off/);
      assert.equal(await during, `admin of ${owner.id}`);
      assert.equal(await actsIn(member, owner.id), `admin of ${owner.id}`);
    });

    it('a deleted workspace has no members, before and after its rows are removed', async () => {
      const [owner, member] = [await insertAccount(), await insertAccount()];
      await memberships().put(owner.id, member.id, 'admin');
      const service = await insertServiceAccount(owner);
      assert.equal(await actsIn(member, owner.id), `admin of ${owner.id}`);
      assert.equal(await actsIn(service), `viewer of ${owner.id}`);
      await opened.db.updateTable('accounts').set({ deleted_at: 'now', key_digest: 'gone' }).where('id', '=', owner.id).execute();
      assert.equal(await actsIn(member, owner.id), `owner of ${member.id}`);
      for (const workspaceId of [undefined, owner.id, member.id]) assert.equal(await actsIn(service, workspaceId), 'nobody');
      await opened.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
      assert.equal(await actsIn(member, owner.id), `owner of ${member.id}`);
      assert.equal(await actsIn(service), 'nobody');
    });

    it('removing the row of a workspace removes its members from memory too', async () => {
      const [owner, member] = [await insertAccount(), await insertAccount()];
      await memberships().put(owner.id, member.id, 'admin');
      assert.equal(await actsIn(member, owner.id), `admin of ${owner.id}`);
      await opened.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
      assert.equal(await actsIn(member, owner.id), `owner of ${member.id}`);
      assert.equal(await memberships().findRole(owner.id, member.id), undefined);
    });

    it('a service account acts in its home and nowhere else', async () => {
      const [home, other] = [await insertAccount(), await insertAccount()];
      const service = await insertServiceAccount(home);
      for (let time = 0; time < 3; time += 1) {
        for (const workspaceId of [undefined, home.id, other.id, service.id, 'u_nobody']) {
          assert.equal(await actsIn(service, workspaceId), `viewer of ${home.id}`);
        }
      }
      await memberships().put(home.id, service.id, 'editor');
      assert.equal(await actsIn(service), `editor of ${home.id}`);
      await memberships().remove(home.id, service.id);
      for (const workspaceId of [undefined, home.id, service.id]) assert.equal(await actsIn(service, workspaceId), 'nobody');
    });

    it('concurrent lookups of many kinds do not affect each other', async () => {
      const owners = await Promise.all(Array.from({ length: 5 }, () => insertAccount()));
      const accounts = await Promise.all(Array.from({ length: 10 }, () => insertAccount()));
      const service = await insertServiceAccount(owners[0] ?? assert.fail());
      const roleAt = (account: number, owner: number) => (['viewer', 'editor', undefined] as const)[(account + owner) % 3];
      for (const [a, account] of accounts.entries()) {
        for (const [o, owner] of owners.entries()) {
          const role = roleAt(a, o);
          if (role) await memberships().put(owner.id, account.id, role);
        }
      }
      const unknown = { id: '', key: newKey() };
      const expected: [Promise<string>, string][] = accounts.flatMap((account, a) => [
        [actsIn(account), `owner of ${account.id}`],
        [actsIn(service), `viewer of ${owners[0]?.id}`],
        [actsIn(unknown, owners[0]?.id), 'nobody'],
        ...owners.map((owner, o): [Promise<string>, string] => {
          const role = roleAt(a, o);
          return [actsIn(account, owner.id), role ? `${role} of ${owner.id}` : `owner of ${account.id}`];
        }),
      ]);
      assert.deepEqual(
        await Promise.all(expected.map(([found]) => found)),
        expected.map(([, place]) => place),
      );
    });

    if (engine.shared) {
      it('makes one query for a key with a workspace, and for the key of a service account from its second lookup on', async (t) => {
        const [owner, member] = [await insertAccount(), await insertAccount()];
        await memberships().put(owner.id, member.id, 'viewer');
        const service = await insertServiceAccount(owner);
        await actsIn(service);
        const { mock: sent } = t.mock.method(pg.Client.prototype, 'query');
        await actsIn(member, owner.id);
        await actsIn(service);
        await actsIn(service, owner.id);
        assert.equal(sent.callCount(), 3);
      });
    }
  });
}

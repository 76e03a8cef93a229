import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import type { MemberRole } from '../../../src/contract/roles.ts';
import { newKey } from '../../../src/domain/accounts/keys.ts';
import { AppError } from '../../../src/errors.ts';
import type { AccountRecord } from '../../../src/store/accounts/accounts.ts';
import { digestKey } from '../../../src/store/accounts/key-digest.ts';
import type { KeyLookup } from '../../../src/store/accounts/keys.ts';
import { openDatabase } from '../../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../../src/store/engine/opened-database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { runTransaction } from '../../../src/store/transaction.ts';
import { sqlite, type TestDatabase } from '../../support/engines.ts';

describe('The key lookup of the embedded engine', () => {
  let database: TestDatabase;
  let opened: OpenedDatabase;
  let find: KeyLookup;
  let reads: number;
  beforeEach(async () => {
    database = await sqlite.create();
    opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: undefined });
    await migrate(opened.db);
    find = opened.createKeyLookup();
    const { get } = StatementSync.prototype;
    mock.method(StatementSync.prototype, 'get', function (this: StatementSync, ...parameters: Parameters<typeof get>) {
      reads += 1;
      return get.apply(this, parameters);
    });
  });
  afterEach(async () => {
    mock.restoreAll();
    await opened.close();
    await database.remove();
  });

  async function insertAccount(id: string, key = newKey()): Promise<string> {
    const values = { id, email: `${id}@example.com`, name: id, password_hash: '', key_digest: digestKey(key), key_cipher: '' };
    await opened.db
      .insertInto('accounts')
      .values({ ...values, key_created_at: '', created_at: '', updated_at: '' })
      .execute();
    return key;
  }

  async function putMembership(workspaceId: string, accountId: string, role: MemberRole): Promise<void> {
    await opened.db
      .insertInto('memberships')
      .values({ workspace_id: workspaceId, account_id: accountId, role, created_at: '', updated_at: '' })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doUpdateSet({ role }))
      .execute();
  }

  const setName = (id: string, name: string) => opened.db.updateTable('accounts').set({ name }).where('id', '=', id).execute();

  /** Looks up a key and counts the rows that were read. */
  function lookUp(key: string, workspaceId?: string): { account: AccountRecord | undefined; reads: number } {
    reads = 0;
    const account = find(key, workspaceId);
    assert.ok(!(account instanceof Promise), 'the result comes without a promise');
    return { account, reads };
  }

  it('reads an account once, and then finds it in memory', async () => {
    const key = await insertAccount('u_a');
    const names = { id: 'u_a', email: 'u_a@example.com', name: 'u_a' };
    const account = { ...names, emailVerifiedAt: null, homeWorkspaceId: null, revision: 0, keySerial: 1 };
    assert.deepEqual({ ...lookUp(key).account }, account);
    assert.deepEqual({ ...lookUp(key), account: lookUp(key).account?.id }, { account: 'u_a', reads: 0 });
  });

  it('reads nothing for a string that is not a key, and caches no key that was not found', async () => {
    const key = newKey();
    for (const text of ['', 'ph_', key.toUpperCase(), `${key}0`, 'x'.repeat(key.length)]) {
      assert.deepEqual(lookUp(text), { account: undefined, reads: 0 }, text);
    }
    for (let time = 0; time < 2; time += 1) assert.deepEqual(lookUp(key), { account: undefined, reads: 1 });
    await insertAccount('u_a', key);
    assert.equal(lookUp(key).account?.id, 'u_a');
  });

  it('returns the committed state while a transaction changes it, and the new state after the commit', async () => {
    const key = await insertAccount('u_a');
    lookUp(key);
    await runTransaction(opened.db, async (transaction) => {
      await transaction.updateTable('accounts').set({ name: 'changed' }).where('id', '=', 'u_a').execute();
      // Looks up twice, because the result of the first lookup must not be cached.
      for (let time = 0; time < 2; time += 1) assert.equal(lookUp(key).account?.name, 'u_a');
    });
    assert.equal(lookUp(key).account?.name, 'changed');
  });

  it('returns an account as it was when the change is rolled back', async () => {
    const key = await insertAccount('u_a');
    lookUp(key);
    const failing = runTransaction(opened.db, async (transaction) => {
      await transaction.updateTable('accounts').set({ name: 'changed' }).where('id', '=', 'u_a').execute();
      throw new Error('called off');
    });
    await assert.rejects(failing, /called off/);
    assert.equal(lookUp(key).account?.name, 'u_a');
  });

  it('finds a membership, and forgets its role and the revision of its workspace when their rows change', async () => {
    const key = await insertAccount('u_a');
    await insertAccount('u_w');
    await putMembership('u_w', 'u_a', 'viewer');
    assert.deepEqual({ ...lookUp(key, 'u_w').account?.membership }, { workspaceId: 'u_w', revision: 0, role: 'viewer' });
    assert.equal(lookUp(key, 'u_w').reads, 0);
    await putMembership('u_w', 'u_a', 'editor');
    assert.equal(lookUp(key, 'u_w').account?.membership?.role, 'editor');
    await opened.db.updateTable('accounts').set({ revision: 5, revision_salt: 1 }).where('id', '=', 'u_w').execute();
    assert.notEqual(lookUp(key, 'u_w').account?.membership?.revision, 0);
    await opened.db.deleteFrom('memberships').execute();
    assert.equal(lookUp(key, 'u_w').account?.membership, undefined);
  });

  it('reads nothing for a string that is not the id of a workspace', async () => {
    const key = await insertAccount('u_a');
    lookUp(key);
    for (const text of ['', 'u_', 'x_1', 'u_a, u_b', 'u_a ', `u_${'a'.repeat(61)}`, 'u_ä']) {
      assert.deepEqual({ ...lookUp(key, text), account: undefined }, { account: undefined, reads: 0 });
    }
  });

  it('never returns anything stale, in any order of lookups and changes', async () => {
    const ids = ['u_a', 'u_b', 'u_c'];
    const keys = new Map<string, string>();
    const formerKeys: string[] = [];
    for (const id of ids) keys.set(id, await insertAccount(id));
    let changes = 0;
    const kind = fc.constantFrom('look up', 'look up', 'look up', 'rename', 'reset', 'delete', 'role', 'leave');
    const step = fc.record({ id: fc.constantFrom(...ids), workspaceId: fc.constantFrom(...ids), kind });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        for (const { id, workspaceId, kind } of steps) {
          changes += 1;
          if (kind === 'rename') await setName(id, `name ${changes}`);
          else if (kind === 'reset') {
            formerKeys.push(keys.get(id) ?? '');
            keys.set(id, newKey());
            const key_digest = digestKey(keys.get(id) ?? '');
            await opened.db.updateTable('accounts').set({ key_digest }).where('id', '=', id).execute();
          } else if (kind === 'delete') {
            formerKeys.push(keys.get(id) ?? '');
            for (const column of ['workspace_id', 'account_id'] as const) {
              await opened.db.deleteFrom('memberships').where(column, '=', id).execute();
            }
            await opened.db.deleteFrom('accounts').where('id', '=', id).execute();
            keys.set(id, await insertAccount(id));
          } else if (kind === 'role' && workspaceId !== id) await putMembership(workspaceId, id, changes % 2 ? 'viewer' : 'editor');
          else if (kind === 'leave') await opened.db.deleteFrom('memberships').where('account_id', '=', id).execute();
          const { account } = lookUp(keys.get(id) ?? '', workspaceId);
          const row = await opened.db.selectFrom('accounts').select(['id', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
          const membership = await opened.db
            .selectFrom('memberships')
            .select('role')
            .where('account_id', '=', id)
            .where('workspace_id', '=', workspaceId)
            .executeTakeFirst();
          assert.deepEqual([account?.id, account?.name, account?.membership?.role], [row.id, row.name, membership?.role]);
        }
        for (const key of formerKeys.splice(0)) assert.equal(lookUp(key).account, undefined);
      }),
      { numRuns: 100 },
    );
  });

  it('503: serves nothing from memory once the database is closed', async () => {
    const key = await insertAccount('u_a');
    lookUp(key);
    await opened.close();
    assert.throws(
      () => find(key),
      (err) => err instanceof AppError && err.code === 'database_unavailable',
    );
  });
});

import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { newKey } from '../../src/domain/accounts/keys.ts';
import { AppError } from '../../src/errors.ts';
import type { Account } from '../../src/store/accounts/accounts.ts';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import type { KeyLookup } from '../../src/store/accounts/keys.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { runTransaction } from '../../src/store/transaction.ts';
import { sqlite, type TestDatabase } from '../support/engines.ts';

/** Room for three of the accounts below, and one key that is also kept by itself. */
const maxKeys = 3;
const limits = { maxBytes: 256, maxRecentKeys: 1 };

describe('The key index of the embedded engine', () => {
  let database: TestDatabase;
  let opened: OpenedDatabase;
  let find: KeyLookup;
  /** The digests that were read from the database. */
  let reads: unknown[];
  let readsFail: boolean;
  beforeEach(async () => {
    database = await sqlite.create();
    opened = await openDatabase({ dataDir: database.dataDir, databaseUrl: undefined });
    await migrate(opened.db);
    find = opened.createKeyLookup(limits);
    reads = [];
    readsFail = false;
    const { get } = StatementSync.prototype;
    mock.method(StatementSync.prototype, 'get', function (this: StatementSync, ...parameters: Parameters<typeof get>) {
      reads.push(...parameters);
      if (readsFail) throw new Error('The key is not in memory');
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

  /** Looks a key up outside of a transaction, where the result is there at once, and says whether the database was read. */
  function lookUp(key: string): { account: Account | undefined; read: boolean } {
    reads = [];
    const account = find(key);
    assert.ok(!(account instanceof Promise), 'the result comes without a promise');
    assert.ok(reads.length === 0 || (reads.length === 1 && reads[0] === digestKey(key)), `one read at most: ${reads}`);
    return { account, read: reads.length === 1 };
  }

  it('reads a key once, and then finds it in memory', async () => {
    const key = await insertAccount('u_a');
    const account = { id: 'u_a', email: 'u_a@example.com', homeWorkspaceId: null, name: 'u_a', revision: 0, keySerial: 1 };
    assert.deepEqual({ ...lookUp(key).account }, account);
    assert.equal(lookUp(key).read, false);
    assert.equal(lookUp(key).account?.id, 'u_a');
  });

  it('tells keys apart that begin alike, and reads nothing for a text that is as long as a key', async () => {
    const [first, second, unknown] = ['0', '1', '2'].map((digit) => `ph_${'abcdef'.repeat(10)}abc${digit}`) as [string, string, string];
    await insertAccount('u_a', first);
    await insertAccount('u_b', second);
    // Several times each, because a key that calls often is also kept by itself, and there is room for one.
    for (let round = 0; round < 4; round += 1) {
      for (const key of [first, first, first, second, second, second]) {
        assert.equal(lookUp(key).account?.id, key === first ? 'u_a' : 'u_b');
        assert.equal(lookUp(unknown).account, undefined);
      }
    }
    await opened.db.deleteFrom('accounts').where('id', '=', 'u_b').execute();
    for (let round = 0; round < 3; round += 1) {
      assert.equal(lookUp(first).account?.id, 'u_a');
      assert.equal(lookUp(second).account, undefined);
    }
    assert.deepEqual(lookUp(first.toUpperCase()), { account: undefined, read: false });
    assert.deepEqual(lookUp('x'.repeat(first.length)), { account: undefined, read: false });
  });

  it(`holds ${maxKeys} keys, evicts those that have not been called for longest, and finds them by reading them again`, async () => {
    const ids = ['u_a', 'u_b', 'u_c', 'u_d', 'u_e'];
    const keys: string[] = [];
    for (const id of ids) keys.push(await insertAccount(id));
    for (const key of keys) assert.equal(lookUp(key).read, true);
    assert.deepEqual(keys.map(isHeld), [false, false, true, true, true]);
    for (const [index, key] of keys.entries()) assert.equal(lookUp(key).account?.id, ids[index]);
    for (let time = 0; time < 10; time += 1) {
      const [regular = '', ...others] = keys;
      lookUp(regular);
      for (const key of others.slice(0, 2)) assert.ok(lookUp(key).account);
      assert.equal(lookUp(regular).read, false, 'it calls again and again');
    }
  });

  it('never holds more than it may and never returns anything stale, in any order of lookups and changes', async () => {
    const ids = ['u_a', 'u_b', 'u_c', 'u_d', 'u_e', 'u_f'];
    const keys = new Map<string, string>();
    const formerKeys: string[] = [];
    for (const id of ids) keys.set(id, await insertAccount(id));
    let changes = 0;
    const kind = fc.constantFrom('look up', 'look up', 'look up', 'look up', 'change', 'reset', 'delete', 'preload');
    const step = fc.record({ id: fc.constantFrom(...ids), kind });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        for (const { id, kind } of steps) {
          if (kind === 'change') {
            changes += 1;
            await opened.db
              .updateTable('accounts')
              .set({ name: `name ${changes}` })
              .where('id', '=', id)
              .execute();
          } else if (kind === 'reset') {
            formerKeys.push(keys.get(id) ?? '');
            keys.set(id, newKey());
            const key_digest = digestKey(keys.get(id) ?? '');
            await opened.db.updateTable('accounts').set({ key_digest }).where('id', '=', id).execute();
          } else if (kind === 'delete') {
            formerKeys.push(keys.get(id) ?? '');
            await opened.db.deleteFrom('accounts').where('id', '=', id).execute();
            keys.set(id, await insertAccount(id));
          } else if (kind === 'preload') {
            await opened.preloadKeys();
          } else {
            const { account } = lookUp(keys.get(id) ?? '');
            const row = await opened.db.selectFrom('accounts').select(['id', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
            assert.deepEqual([account?.id, account?.name], [row.id, row.name]);
          }
        }
        const held = [...keys.values()].filter(isHeld);
        assert.ok(held.length <= maxKeys + limits.maxRecentKeys, `${held.length} keys are held`);
        for (const key of formerKeys.splice(0)) assert.equal(lookUp(key).account, undefined);
      }),
      { numRuns: 100 },
    );
  });

  /** Whether a key is found while every read fails. */
  function isHeld(key: string): boolean {
    readsFail = true;
    try {
      return find(key) !== undefined;
    } catch {
      return false;
    } finally {
      readsFail = false;
    }
  }

  it('keeps an active key by itself too, and drops it there with a change, a reset and a deletion', async () => {
    const changes: [string, (id: string) => Promise<unknown>][] = [
      ['renamed', (id) => opened.db.updateTable('accounts').set({ name: 'renamed' }).where('id', '=', id).execute()],
      ['', (id) => opened.db.updateTable('accounts').set({ key_digest: 'another' }).where('id', '=', id).execute()],
      ['', (id) => opened.db.deleteFrom('accounts').where('id', '=', id).execute()],
    ];
    for (const [index, [nameAfter, change]] of changes.entries()) {
      const id = `u_${index}`;
      const key = await insertAccount(id);
      for (let time = 0; time < 5; time += 1) assert.equal(lookUp(key).account?.name, id);
      for (const other of ['x', 'y', 'z']) lookUp(await insertAccount(`u_${index}${other}`));
      assert.equal(lookUp(key).read, false, 'three others were called since');
      await change(id);
      assert.equal(lookUp(key).account?.name ?? '', nameAfter);
    }
  });

  it('preloads the newest accounts, as many as fit', async () => {
    const keys: string[] = [];
    for (const id of ['u_a', 'u_b', 'u_c', 'u_d', 'u_e']) keys.push(await insertAccount(id));
    await opened.preloadKeys();
    assert.deepEqual(keys.map(isHeld), [false, false, true, true, true]);
    assert.deepEqual(
      keys.map((key) => lookUp(key).account?.id),
      ['u_a', 'u_b', 'u_c', 'u_d', 'u_e'],
    );
  });

  it('preloads nothing that is not committed', async () => {
    const key = await insertAccount('u_a');
    let preloading = Promise.resolve();
    const failing = runTransaction(opened.db, async (transaction) => {
      await transaction.updateTable('accounts').set({ name: 'changed' }).where('id', '=', 'u_a').execute();
      preloading = opened.preloadKeys();
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('called off');
    });
    await assert.rejects(failing, /called off/);
    await preloading;
    assert.deepEqual({ ...lookUp(key), account: lookUp(key).account?.name }, { account: 'u_a', read: false });
  });

  it('stops preloading when the database is closed', async () => {
    await insertAccount('u_a');
    const preloading = opened.preloadKeys();
    await opened.close();
    await preloading;
  });

  it('drops a changed account before the change is committed', async () => {
    const key = await insertAccount('u_a');
    lookUp(key);
    const during = await runTransaction(opened.db, async (transaction) => {
      assert.equal(lookUp(key).read, false, 'unchanged so far');
      await transaction.updateTable('accounts').set({ name: 'changed' }).where('id', '=', 'u_a').execute();
      const found = find(key);
      assert.ok(found instanceof Promise, 'not from memory, and not before the commit');
      return { found };
    });
    assert.equal((await during.found)?.name, 'changed');
    assert.equal(lookUp(key).account?.name, 'changed');
  });

  it('returns the account as it was when the change is rolled back', async () => {
    const key = await insertAccount('u_a');
    lookUp(key);
    let found: ReturnType<KeyLookup>;
    const failing = runTransaction(opened.db, async (transaction) => {
      await transaction.updateTable('accounts').set({ name: 'changed' }).where('id', '=', 'u_a').execute();
      found = find(key);
      throw new Error('called off');
    });
    await assert.rejects(failing, /called off/);
    assert.equal((await found)?.name, 'u_a');
    assert.equal(lookUp(key).account?.name, 'u_a');
  });

  it('keeps no result that arrives after an open transaction', async () => {
    const key = await insertAccount('u_a');
    const { found } = await runTransaction(opened.db, async () => ({ found: find(key) }));
    assert.ok(found instanceof Promise);
    assert.equal((await found)?.id, 'u_a');
    assert.equal(lookUp(key).read, true, 'read again');
    assert.equal(lookUp(key).read, false);
  });

  it('keeps no key that was not found', async () => {
    const key = newKey();
    for (let time = 0; time < 2; time += 1) assert.deepEqual(lookUp(key), { account: undefined, read: true });
    await insertAccount('u_a', key);
    assert.equal(lookUp(key).account?.id, 'u_a');
  });

  it('reads nothing for a text that is not a key', () => {
    for (const text of ['', 'ph_', newKey().toUpperCase(), `${newKey()}0`]) {
      assert.deepEqual(lookUp(text), { account: undefined, read: false }, text);
    }
  });

  it('forgets the key of a deleted account, and the former key of a changed one', async () => {
    const [deleted, former, next] = [await insertAccount('u_a'), await insertAccount('u_b'), newKey()];
    for (const key of [deleted, former]) assert.ok(lookUp(key).account);
    await opened.db.deleteFrom('accounts').where('id', '=', 'u_a').execute();
    await opened.db
      .updateTable('accounts')
      .set({ key_digest: digestKey(next) })
      .where('id', '=', 'u_b')
      .execute();
    for (const key of [deleted, former]) assert.deepEqual(lookUp(key), { account: undefined, read: true });
    assert.equal(lookUp(next).account?.id, 'u_b');
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

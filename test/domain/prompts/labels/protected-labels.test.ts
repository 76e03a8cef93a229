import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { MemberRole, Role } from '../../../../src/contract/roles.ts';
import type { Actor } from '../../../../src/domain/actor.ts';
import { moveLabel, removeLabel } from '../../../../src/domain/prompts/labels/labels.ts';
import { listPrompts } from '../../../../src/domain/prompts/list-prompts.ts';
import { changePrompt, createPrompt, deletePrompt, restorePrompt } from '../../../../src/domain/prompts/prompts.ts';
import { createVersion } from '../../../../src/domain/prompts/versions/versions.ts';
import { AppError } from '../../../../src/errors.ts';
import { engines, type TestDatabase } from '../../../support/engines.ts';
import { newClient } from '../../../support/prompts.ts';
import { retryUntil } from '../../../support/retry.ts';
import { type Service, startService } from '../../../support/service.ts';
import { actorWith, newMember, withDatabase } from '../../../support/workspaces.ts';

const protectedLabels = ['production', 'eu'];
const memberRoles: MemberRole[] = ['viewer', 'editor', 'deployer', 'admin'];
const small: Role[] = ['viewer', 'editor'];
const large: Role[] = ['deployer', 'admin', 'owner'];

for (const engine of engines) {
  describe(`Protected labels (${engine.name})`, () => {
    let database: TestDatabase;
    let service: Service;
    let [workspaceId, otherWorkspaceId] = ['', ''];
    const accountIds = new Map<Role, string>();
    before(async () => {
      database = await engine.create();
      const first = await startService({ database });
      const owner = await newClient(first);
      [workspaceId, otherWorkspaceId] = [owner.userId, (await newClient(first)).userId];
      accountIds.set('owner', workspaceId);
      for (const role of memberRoles) accountIds.set(role, (await newMember(first, owner, role)).userId);
      await first.ctx.store.memberships.put(otherWorkspaceId, accountIds.get('editor') ?? '', 'editor');
      await first.close();
      await withDatabase(database, (db) =>
        db
          .updateTable('accounts')
          .set({ protected_labels: JSON.stringify(protectedLabels) })
          .where('id', '=', workspaceId)
          .execute(),
      );
      service = await startService({ database });
    });
    after(async () => {
      await service.close();
      await database.remove();
    });

    const by = (role: Role, workspace = workspaceId): Actor => ({ ...actorWith(workspace, role), accountId: accountIds.get(role) ?? '' });

    /** Creates a prompt with `production` at its first version and `staging` at its second. */
    async function newPrompt(name: string): Promise<void> {
      await createPrompt(service.ctx, by('deployer'), { name, template: 'one' });
      await createVersion(service.ctx, by('editor'), name, { template: 'two', labels: ['staging'] });
    }

    async function labelsOf(name: string, deleted = false): Promise<Record<string, number> | undefined> {
      const query = deleted ? { deleted: 'true' as const } : { name };
      const { data } = await listPrompts(service.ctx, by('viewer'), { ...query, limit: 100 });
      return data.find((prompt) => prompt.name === name)?.labels;
    }

    /** Lists every protected label with its prompt and version. */
    async function listProtected(): Promise<unknown[]> {
      const found: unknown[] = [];
      for (const query of [{}, { deleted: 'true' as const }]) {
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await listPrompts(service.ctx, by('viewer'), { ...query, ...(cursor && { cursor }), limit: 100 });
          for (const { id, name, labels, deletedAt } of page.data) {
            for (const label of protectedLabels) if (label in labels) found.push([id, name, deletedAt, label, labels[label]]);
          }
          cursor = page.nextCursor;
        }
      }
      return found;
    }

    const acts: [string, string, (actor: Actor, name: string) => Promise<unknown>][] = [
      ['moves', 'move it', (actor, name) => moveLabel(service.ctx, actor, { name, label: 'production', version: 2 })],
      ['sets', 'move it', (actor, name) => moveLabel(service.ctx, actor, { name, label: 'eu', version: 2 })],
      ['removes', 'remove it', (actor, name) => removeLabel(service.ctx, actor, { name, label: 'production' })],
      ['saves a version with', 'move it', (actor, name) => createVersion(service.ctx, actor, name, { template: 'x', labels: ['a', 'eu'] })],
      [
        'renames a prompt with',
        'rename a prompt that has it',
        (actor, name) => changePrompt(service.ctx, actor, name, { name: `${name}!` }),
      ],
      ['deletes a prompt with', 'delete a prompt that has it', (actor, name) => deletePrompt(service.ctx, actor, name)],
    ];
    for (const [index, [does, to, act]] of acts.entries()) {
      it(`403: nobody below a deployer ${does} a protected label, and nothing changes`, async () => {
        const name = `act ${index}`;
        await newPrompt(name);
        await assert.rejects(act(by('viewer'), name), /^AppError: You need the role "editor" in this workspace\. Your role is "viewer"\.$/);
        await assert.rejects(act(by('editor'), name), (err) => {
          assert.ok(err instanceof AppError);
          assert.deepEqual([err.status, err.code], [403, 'forbidden']);
          assert.match(err.message, new RegExp(`^The label "(production|eu)" is protected\\. You need the role "deployer" to ${to}\\. `));
          return err.message.endsWith('Your role is "editor".');
        });
        assert.deepEqual(await labelsOf(name), { production: 1, staging: 2 });
      });

      it(`403 and 404: a member who was demoted or removed after the request was authenticated no longer ${does} a protected label`, async () => {
        const name = `act ${index} late`;
        await newPrompt(name);
        const { memberships } = service.ctx.store;
        const late = { ...by('deployer'), accountId: (await newClient(service)).userId };
        await memberships.put(workspaceId, late.accountId, 'editor');
        await assert.rejects(act(late, name), { code: 'forbidden' });
        await memberships.remove(workspaceId, late.accountId);
        await assert.rejects(act(late, name), { code: 'workspace_not_found' });
        assert.deepEqual(await labelsOf(name), { production: 1, staging: 2 });
      });

      it(`200: a deployer and up ${does} a protected label`, async () => {
        for (const role of large) {
          const name = `act ${index} ${role}`;
          await newPrompt(name);
          await act(by(role), name);
          assert.notDeepEqual(await labelsOf(name), { production: 1, staging: 2 });
        }
      });
    }

    it('403: an editor creates no prompt with a protected label, and is told to send "labels": []', async () => {
      for (const input of [{}, { labels: ['staging', 'eu'] }]) {
        await assert.rejects(createPrompt(service.ctx, by('editor'), { name: 'new', template: 'x', ...input }), (err) => {
          assert.ok(err instanceof AppError && err.code === 'forbidden');
          return err.message.endsWith('Your role is "editor". Send "labels": [] to create the prompt without labels.');
        });
      }
      assert.equal(await labelsOf('new'), undefined);
      await createPrompt(service.ctx, by('editor'), { name: 'new', template: 'x', labels: [] });
      assert.deepEqual(await labelsOf('new'), {});
    });

    it('403: an editor does not bring back a protected label with a prompt from the bin; a deployer does', async () => {
      await newPrompt('binned');
      await deletePrompt(service.ctx, by('deployer'), 'binned');
      await assert.rejects(
        restorePrompt(service.ctx, by('editor'), 'binned'),
        /to restore a prompt that has it\. Your role is "editor"\.$/,
      );
      assert.equal(await labelsOf('binned'), undefined);
      await restorePrompt(service.ctx, by('deployer'), 'binned');
      assert.deepEqual(await labelsOf('binned'), { production: 1, staging: 2 });
    });

    it('200: an editor does everything else', async () => {
      await newPrompt('free');
      const editor = by('editor');
      await moveLabel(service.ctx, editor, { name: 'free', label: 'staging', version: 1 });
      await removeLabel(service.ctx, editor, { name: 'free', label: 'staging' });
      await createVersion(service.ctx, editor, 'free', { template: 'three', labels: ['canary'] });
      await changePrompt(service.ctx, editor, 'free', { name: 'free', description: 'Described', tags: ['a'] });
      assert.deepEqual(await labelsOf('free'), { production: 1, canary: 3 });
      await createPrompt(service.ctx, editor, { name: 'draft', template: 'x', labels: ['staging'] });
      await changePrompt(service.ctx, editor, 'draft', { name: 'draft 2' });
      await deletePrompt(service.ctx, editor, 'draft 2');
      await restorePrompt(service.ctx, editor, 'draft 2');
      assert.deepEqual(await labelsOf('draft 2'), { staging: 1 });
    });

    it('200: a workspace protects no label by default, whatever other workspaces protect', async () => {
      const editor = by('editor', otherWorkspaceId);
      await createPrompt(service.ctx, editor, { name: 'a', template: 'one' });
      await createVersion(service.ctx, editor, 'a', { template: 'two', labels: ['production'] });
      await removeLabel(service.ctx, editor, { name: 'a', label: 'production' });
    });

    it('403: a move that waited while its label was being protected is refused', { skip: !engine.shared }, async () => {
      const editor = by('editor', otherWorkspaceId);
      await createPrompt(service.ctx, editor, { name: 'b', template: 'x' });
      const move = await withDatabase(database, (db) =>
        db.transaction().execute(async (transaction) => {
          await transaction.updateTable('accounts').set({ protected_labels: '["staging"]' }).where('id', '=', otherWorkspaceId).execute();
          const result = moveLabel(service.ctx, editor, { name: 'b', label: 'staging', version: 1 }).catch((err: unknown) => err);
          const waiting = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
          await retryUntil('the move does not wait', async () => (await waiting.execute(transaction)).rows.length > 0);
          return { result };
        }),
      );
      const err = await move.result;
      assert.ok(err instanceof AppError && err.code === 'forbidden');
    });

    it('whatever those below a deployer do, in any order, protected labels neither move nor disappear', async () => {
      const names = ['p1', 'p2', 'p3'];
      for (const name of names) await newPrompt(name);
      await createPrompt(service.ctx, by('deployer'), { name: 'p4', template: 'x', labels: ['eu'] });
      await deletePrompt(service.ctx, by('deployer'), 'p4');
      // The list also has the prompts of the other tests.
      const before = await listProtected();

      const name = fc.constantFrom(...names, 'p4', 'p5', 'p6');
      const label = fc.constantFrom(...protectedLabels, 'staging', 'canary');
      const labels = fc.uniqueArray(label, { maxLength: 3 });
      const version = fc.integer({ min: 1, max: 3 });
      type Act = (actor: Actor) => Promise<unknown>;
      const operation: fc.Arbitrary<Act> = fc.oneof(
        fc.record({ name, label, version }).map(
          (move): Act =>
            (actor) =>
              moveLabel(service.ctx, actor, move),
        ),
        fc.record({ name, label }).map(
          (removal): Act =>
            (actor) =>
              removeLabel(service.ctx, actor, removal),
        ),
        fc.tuple(name, labels).map(
          ([of, to]): Act =>
            (actor) =>
              createVersion(service.ctx, actor, of, { template: 'x', labels: to }),
        ),
        fc.tuple(name, fc.option(labels, { nil: undefined })).map(
          ([of, to]): Act =>
            (actor) =>
              createPrompt(service.ctx, actor, { name: of, template: 'x', ...(to && { labels: to }) }),
        ),
        fc.tuple(name, name).map(
          ([of, to]): Act =>
            (actor) =>
              changePrompt(service.ctx, actor, of, { name: to }),
        ),
        name.map(
          (of): Act =>
            (actor) =>
              deletePrompt(service.ctx, actor, of),
        ),
        name.map(
          (of): Act =>
            (actor) =>
              restorePrompt(service.ctx, actor, of),
        ),
      );
      const counts = { done: 0, forbidden: 0 };
      const sequences = fc.array(fc.tuple(operation, fc.constantFrom(...small)), { minLength: 5, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(sequences, async (sequence) => {
          for (const [act, role] of sequence) {
            await act(by(role)).then(
              () => {
                counts.done += 1;
              },
              (err) => {
                if (!(err instanceof AppError) || err.status >= 500) throw err;
                if (err.code === 'forbidden') counts.forbidden += 1;
              },
            );
          }
          assert.deepEqual(await listProtected(), before);
        }),
        { numRuns: 20 },
      );
      assert.ok(counts.done > 0 && counts.forbidden > 0, `both happen: ${JSON.stringify(counts)}`);
    });
  });
}

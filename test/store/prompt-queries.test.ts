import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { diffVersions, listHistory } from '../../src/domain/history.ts';
import { sweep } from '../../src/domain/housekeeping.ts';
import { moveLabel, removeLabel } from '../../src/domain/labels.ts';
import { changePrompt, createPrompt, deletePrompt, listPrompts, restorePrompt } from '../../src/domain/prompts.ts';
import { createVersion, getVersion, listVersions } from '../../src/domain/versions.ts';
import { explain, type Plan } from '../support/plans.ts';
import { type Client, describeOnEveryEngine, newClient } from '../support/prompts.ts';

const filters = { search: 'a', tag: 'a', folder: 'a', label: 'a', name: ['a', 'b'] };

/** Every selection of filters, the empty one first. */
function selections(): Partial<typeof filters>[] {
  const entries = Object.entries(filters);
  return Array.from({ length: 2 ** entries.length }, (_, bits) =>
    Object.fromEntries(entries.filter((_entry, index) => bits & (1 << index))),
  );
}

describeOnEveryEngine('Queries for prompts', (service) => {
  let client: Client;
  before(async () => {
    client = await newClient(service());
  });

  async function listPages(query: Parameters<typeof listPrompts>[2]): Promise<void> {
    const first = await listPrompts(service().ctx, client.userId, { ...query, limit: 1 });
    if (first.nextCursor) await listPrompts(service().ctx, client.userId, { ...query, limit: 1, cursor: first.nextCursor });
  }

  /** A statement is seen when it is prepared, once: each test looks at those that no test before it needed. */
  function assertIndexed(plans: Plan[], atLeast: number): void {
    assert.ok(plans.length >= atLeast, `only ${plans.length} kinds of query seen`);
    for (const { sql, steps, scans } of plans) assert.deepEqual(scans, [], `${sql}\n${steps.join('\n')}`);
  }

  it('making, changing, comparing, binning and emptying read no whole table', async () => {
    const { ctx } = service();
    const { userId: accountId } = client;
    const editor = { accountId, by: 'api' } as const;
    const page = { limit: 1 };
    const plans = await explain(service(), async () => {
      await createPrompt(ctx, editor, { name: 'b', template: 'x', tags: ['a'] });
      await createPrompt(ctx, editor, { name: 'd', template: "{% render 'b' %}{% render 'b', label: 'latest' %}" });
      await createVersion(ctx, editor, 'd', { template: 'x' });
      await moveLabel(ctx, editor, 'd', 'staging', 2);
      await removeLabel(ctx, editor, 'd', 'staging');
      await changePrompt(ctx, editor, 'd', { name: 'e', description: 'x', tags: ['y'] });
      await getVersion(ctx, accountId, 'e', {});
      for (const list of [listVersions, listHistory]) {
        const { nextCursor } = await list(ctx, accountId, 'e', page);
        await list(ctx, accountId, 'e', { ...page, cursor: nextCursor ?? '' });
      }
      await diffVersions(ctx, accountId, 'e', { from: 1, to: 2 });
      await deletePrompt(ctx, editor, 'e');
      await restorePrompt(ctx, editor, 'e');
      await deletePrompt(ctx, editor, 'e');
      const deletedAt = new Date(0).toISOString();
      const binned = await ctx.store.prompts.findDeleted(accountId, 'e');
      await ctx.store.changePrompts(accountId, ({ prompts }) =>
        prompts.update(accountId, binned?.id ?? '', { deletedAt, updatedAt: deletedAt }),
      );
      await sweep(ctx);
      assert.equal(await ctx.store.prompts.findDeleted(accountId, 'e'), undefined);
    });
    assertIndexed(plans, 18);
  });

  it('a list without filters, or of one folder, comes in order by itself: a page costs the same however many prompts there are', async () => {
    for (const name of ['a', 'c/1', 'c/2', 'x', 'y']) await client.create({ name, template: "{% render 'a' %}" });
    for (const name of ['x', 'y']) await client.call('DELETE', `/api/prompts/${name}`);
    const plans = await explain(service(), async () => {
      for (const query of [{}, { sort: '-updatedAt' }, { deleted: 'true' }, { folder: 'c' }] as const) await listPages(query);
    });
    const pages = plans.filter(({ sql }) => /from "prompts" .*limit/.test(sql));
    assert.equal(pages.length, 8, 'first and next page of each');
    for (const { sql, sorts, steps } of pages) assert.deepEqual(sorts, [], `${sql}\n${steps.join('\n')}`);
    assertIndexed(plans, 8);
  });

  it('a list reads no whole table, whatever the filters, order and page', async () => {
    const orders = [{}, { sort: '-updatedAt' }, { deleted: 'true' }, { include: 'content' }] as const;
    const plans = await explain(service(), async () => {
      for (const selection of selections()) for (const order of orders) await listPages({ ...selection, ...order });
    });
    assertIndexed(plans, 31 * 3 - 1);
  });
});

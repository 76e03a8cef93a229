import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type Actor, toKeyActor } from '../../src/domain/actor.ts';
import { addComment, changeComment, deleteComment, listDiscussion } from '../../src/domain/comments/comments.ts';
import { sweep } from '../../src/domain/housekeeping.ts';
import { addFavorite, listFavorites, removeFavorite } from '../../src/domain/prompts/favorites.ts';
import { listHistory } from '../../src/domain/prompts/history.ts';
import { listDependents } from '../../src/domain/prompts/includes/dependents.ts';
import { moveLabel, removeLabel } from '../../src/domain/prompts/labels/labels.ts';
import { listPrompts } from '../../src/domain/prompts/list-prompts.ts';
import { listNumberedPage } from '../../src/domain/prompts/numbered-pages.ts';
import { getOverview, listFolders } from '../../src/domain/prompts/overview.ts';
import { changePrompt, createPrompt, deletePrompt, restorePrompt } from '../../src/domain/prompts/prompts.ts';
import { savePrompt } from '../../src/domain/prompts/save-prompt.ts';
import { deletePromptOrVersion, deleteVersion } from '../../src/domain/prompts/versions/delete-version.ts';
import { diffVersions } from '../../src/domain/prompts/versions/diff.ts';
import { getPortableVersion } from '../../src/domain/prompts/versions/portable-version.ts';
import { createVersion, getVersion, listVersions } from '../../src/domain/prompts/versions/versions.ts';
import { changeView, createView, deleteView, listViews } from '../../src/domain/prompts/views.ts';
import { listProposals } from '../../src/domain/proposals/list-proposals.ts';
import { openProposal } from '../../src/domain/proposals/proposals.ts';
import { listWorkspaceActivity } from '../../src/domain/workspaces/workspace-activity.ts';
import { explain, type Plan } from '../support/plans.ts';
import { type Client, describeOnEveryEngine, newClient } from '../support/prompts.ts';

const filters = { search: 'a', tag: 'a', folder: 'a', label: 'a', name: ['a', 'b'] };
const laterFilters = [
  { author: 'u_a' },
  { deployed: 'false' },
  { deployed: 'true' },
  { changedSince: '2020-01-01' },
  { subfolders: 'false' },
  { folder: 'a', subfolders: 'false', author: 'u_a', deployed: 'false', changedSince: '2020-01-01', tag: 'a', label: 'a' },
] as const;

/** Returns every combination of filters, starting with none. */
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

  async function actorOf({ token }: Client): Promise<Actor> {
    const account = await service().ctx.store.keys.findAccount(token);
    return toKeyActor(account ?? assert.fail('the key is unknown'), token);
  }

  async function listPages(query: Parameters<typeof listPrompts>[2]): Promise<void> {
    const first = await listPrompts(service().ctx, await actorOf(client), { ...query, limit: 1 });
    if (first.nextCursor) await listPrompts(service().ctx, await actorOf(client), { ...query, limit: 1, cursor: first.nextCursor });
  }

  /** A statement is recorded only when it is first prepared, so each test sees only the statements that no earlier test needed. */
  function assertIndexed(plans: Plan[], atLeast: number): void {
    assert.ok(plans.length >= atLeast, `only ${plans.length} kinds of query seen`);
    for (const { sql, steps, scans } of plans) assert.deepEqual(scans, [], `${sql}\n${steps.join('\n')}`);
  }

  it('creating, changing, comparing, deleting and housekeeping read no whole table', async () => {
    const { ctx } = service();
    const { userId: accountId } = client;
    const actor = await actorOf(client);
    const page = { limit: 1 };
    const plans = await explain(service(), async () => {
      await createPrompt(ctx, actor, { name: 'b', template: 'x', tags: ['a'] });
      await createPrompt(ctx, actor, { name: 'd', template: "{% render 'b' %}{% render 'b', label: 'latest' %}" });
      await createVersion(ctx, actor, 'd', { template: 'x' });
      await moveLabel(ctx, actor, { name: 'd', label: 'staging', version: 2 });
      await removeLabel(ctx, actor, { name: 'd', label: 'staging' });
      await changePrompt(ctx, actor, 'd', { name: 'e', description: 'x', tags: ['y'] });
      await getVersion(ctx, actor, 'e', {});
      await listDependents(ctx, actor, 'b', page);
      await getOverview(ctx, actor, {});
      await getOverview(ctx, actor, { folder: 'a' });
      for (const list of [listVersions, listHistory]) {
        const { nextCursor } = await list(ctx, actor, 'e', page);
        await list(ctx, actor, 'e', { ...page, cursor: nextCursor ?? '' });
      }
      await diffVersions(ctx, actor, 'e', { from: 1, to: 2 });
      await savePrompt(ctx, actor, {
        name: 'f',
        type: 'text',
        syntax: 'mustache',
        template: '@@@langfusePrompt:name=b|version=1@@@',
        tags: ['a'],
      });
      await getPortableVersion(ctx, actor, 'f', { label: 'latest', resolve: true });
      for (const filter of [{}, { label: 'a' }, { tag: 'a', name: 'f' }, { fromUpdatedAt: '2020-01-01', toUpdatedAt: '2100-01-01' }]) {
        await listNumberedPage(ctx, actor, { page: 1, limit: 1, ...filter });
        await listNumberedPage(ctx, actor, { page: 2, limit: 1, ...filter });
      }
      const { id, thread } = await addComment(ctx, actor, { prompt: 'e', version: 2, anchor: { part: 'text', line: 1 }, text: 'Why?' });
      await addComment(ctx, actor, { replyTo: id, text: 'Why not?' });
      const { nextCursor } = await listDiscussion(ctx, actor, { prompt: 'e', version: 2, ...page });
      await listDiscussion(ctx, actor, { prompt: 'e', version: 2, ...page, cursor: nextCursor ?? '' });
      await changeComment(ctx, actor, { id: thread, resolved: true });
      await deleteComment(ctx, actor, id);
      const { id: proposal } = await openProposal(ctx, actor, { changes: [{ prompt: 'e', label: 'a', version: 2 }] });
      await addComment(ctx, actor, { proposal, text: 'Why?' });
      await listDiscussion(ctx, actor, { proposal, ...page });
      await deleteVersion(ctx, actor, 'e', 2);
      await deletePromptOrVersion(ctx, actor, 'f', {});
      await deletePrompt(ctx, actor, 'e');
      await restorePrompt(ctx, actor, 'e');
      await deletePrompt(ctx, actor, 'e');
      const deletedAt = new Date(0).toISOString();
      const binned = await ctx.store.prompts.findDeleted(accountId, 'e', new Date(-1));
      await ctx.store.changePrompts(accountId, ({ prompts }) =>
        prompts.update(accountId, binned?.id ?? '', { deletedAt, updatedAt: deletedAt }),
      );
      await sweep(ctx);
      assert.equal(await ctx.store.prompts.findDeleted(accountId, 'e', new Date(-1)), undefined);
    });
    assertIndexed(plans, 24);
  });

  it('a list without filters, or of one folder, needs no sort: a page costs the same for any number of prompts', async () => {
    for (const name of ['a', 'c/1', 'c/2', 'x', 'y']) await client.create({ name, template: "{% render 'a' %}" });
    for (const name of ['x', 'y']) await client.call('DELETE', `/api/prompts/${name}`);
    const plans = await explain(service(), async () => {
      const orders = [{}, { sort: '-name' }, { sort: 'updatedAt' }, { sort: '-updatedAt' }, { deleted: 'true' }, { folder: 'c' }] as const;
      for (const query of orders) await listPages(query);
    });
    const pages = plans.filter(({ sql }) => /from "prompts" where .*limit/.test(sql));
    assert.equal(pages.length, 12, 'first and next page of each');
    for (const { sql, sorts, steps } of pages) assert.deepEqual(sorts, [], `${sql}\n${steps.join('\n')}`);
    assertIndexed(plans, 8);
  });

  it('the tags and labels of a page are read only for its prompts', async () => {
    const plans = await explain(service(), async () => {
      await listPrompts(service().ctx, await actorOf(client), { limit: 3 });
    });
    const details = plans.filter(({ sql }) => /from "prompt_(tags|labels|versions)"/.test(sql));
    assert.equal(details.length, 3, 'tags, labels and deleted versions');
    for (const { sql, steps } of details) assert.match(steps.join('\n'), /\bprompt_id ?=/, sql);
  });

  it('each version of a page is found by its complete key', async (t) => {
    // PostgreSQL chooses a plan by the size of the tables, which are tiny here.
    if (service().database.env.DATABASE_URL !== undefined) return t.skip();
    const plans = await explain(service(), async () => {
      await listPrompts(service().ctx, await actorOf(client), { limit: 3, include: 'content' });
      await listNumberedPage(service().ctx, await actorOf(client), { page: 1, limit: 3 });
    });
    const contents = plans.filter(({ sql }) => /"content"|"config"|octet_length/.test(sql));
    assert.equal(contents.length, 3, 'sizes, contents and configs');
    for (const { sql, steps } of contents) assert.match(steps.join('\n'), /\(account_id=\? AND prompt_id=\? AND version=\?\)/, sql);
  });

  it('a list reads no whole table, with any filters, order and page', async () => {
    const orders = [{}, { sort: '-updatedAt' }, { deleted: 'true' }, { include: 'content' }, { include: 'usage' }] as const;
    const plans = await explain(service(), async () => {
      for (const selection of selections()) for (const order of orders) await listPages({ ...selection, ...order });
    });
    assertIndexed(plans, 31 * 3 - 1);
  });

  it('the lists of a tag, a label and a search are compared in the order of their indexes', async (t) => {
    // PostgreSQL chooses a plan by the size of the tables, which are tiny here.
    if (service().database.env.DATABASE_URL !== undefined) return t.skip();
    const { ctx } = service();
    const actor = await actorOf(client);
    const stores = ctx.store.read(client.userId);
    const plans = await explain(service(), async () => {
      await listPrompts(ctx, actor, { search: 'lists', tag: 'b', label: 'b', sort: '-updatedAt', limit: 2 });
      await stores.prompts.count(client.userId, { search: 'counted', tag: 'b', label: 'b' });
    });
    const compared = plans.filter(({ steps }) => steps.some((step) => step === 'MERGE (INTERSECT)'));
    assert.deepEqual(compared.map(({ sql }) => /^select (count)?/.exec(sql)?.[1]).sort(), ['count', undefined]);
    for (const { sql, sorts, steps } of compared) {
      // Only the query for the page sorts rows, not the query for the count.
      assert.deepEqual(sorts.length, sql.includes('limit') ? 1 : 0, `${sql}\n${steps.join('\n')}`);
    }
  });

  it('the activity reads its rows in the order of their ids, with any filters', async () => {
    const { ctx } = service();
    const actor = await actorOf(client);
    await ctx.recorder.flush();
    const plans = await explain(service(), async () => {
      for (const filter of [{}, { by: actor.accountId }, { type: 'gates' }, { prompt: 'a' }, { from: '2020-01-01', to: '2100-01-01' }]) {
        const { nextCursor } = await listWorkspaceActivity(ctx, actor, { ...filter, limit: 1 });
        if (nextCursor) await listWorkspaceActivity(ctx, actor, { ...filter, limit: 1, cursor: nextCursor });
      }
    });
    assertIndexed(plans, 14);
    const pages = plans.filter(({ sql }) => /from "(prompt_events|account_events)"/.test(sql));
    for (const { sql, sorts, steps } of pages) assert.deepEqual(sorts, [], `${sql}\n${steps.join('\n')}`);
  });

  it('proposals and the earlier moves of a label are found by indexes', async (t) => {
    const { ctx } = service();
    const actor = await actorOf(client);
    await client.create({ name: 'proposed', template: 'x', labels: [] });
    const promptId = (await ctx.store.prompts.find(client.userId, 'proposed'))?.id ?? assert.fail('the prompt is missing');
    await openProposal(ctx, actor, { changes: [{ prompt: 'proposed', label: 'production', version: 1 }] });
    const plans = await explain(service(), async () => {
      await listProposals(ctx, actor, { waiting: 'true' });
      await ctx.store.changePrompts(client.userId, ({ history }) =>
        history.listMoves({ accountId: client.userId, promptId }, { label: 'production', version: 1 }),
      );
    });
    assertIndexed(plans, 6);
    // PostgreSQL chooses a plan by the size of the tables, which are tiny here.
    if (service().database.env.DATABASE_URL !== undefined) return t.skip();
    const steps = plans.flatMap((plan) => plan.steps).join('\n');
    for (const index of ['prompt_events_label_moved', 'prompt_events_renamed']) assert.match(steps, new RegExp(index));
  });

  it('old entries of the history are deleted without reading others', async (t) => {
    const { ctx } = service();
    const plans = await explain(service(), async () => {
      await ctx.store.deleteBefore('prompt_events', new Date(0));
    });
    const [plan] = plans;
    assertIndexed(plans, 1);
    // PostgreSQL chooses a plan by the size of the tables, which are tiny here.
    if (service().database.env.DATABASE_URL !== undefined) return t.skip();
    assert.match(plan?.steps.join('\n') ?? '', /prompt_events_by_age/);
  });

  it('the filters by author, deployment, change and folder read no whole table', async () => {
    const { ctx } = service();
    const plans = await explain(service(), async () => {
      const actor = await actorOf(client);
      for (const filter of [...laterFilters, { author: client.userId }]) {
        for (const sort of ['name', '-name', 'updatedAt', '-updatedAt'] as const) await listPages({ ...filter, sort });
        await getOverview(ctx, actor, filter);
      }
      await listPages({ include: 'author' });
      await listFolders(ctx, actor);
    });
    assertIndexed(plans, 40);
  });

  it('favorites and views are read by person, and deleted without reading a whole table', async () => {
    const { ctx } = service();
    const actor = await actorOf(client);
    await client.create({ name: 'favorite', template: 'x' });
    const plans = await explain(service(), async () => {
      await addFavorite(ctx, actor, 'favorite');
      await listFavorites(ctx, actor);
      await removeFavorite(ctx, actor, 'favorite');
      const { id } = await createView(ctx, actor, { name: 'a', filters: {} });
      await changeView(ctx, actor, id, { name: 'b' });
      await listViews(ctx, actor);
      await deleteView(ctx, actor, id);
      await ctx.store.changeWorkspace(client.userId, ({ memberships }) => memberships.remove(client.userId, 'u_nobody'));
    });
    const own = plans.filter(({ sql }) => /favorites|saved_views/.test(sql));
    assertIndexed(own, 7);
    for (const { sql } of own) if (!sql.startsWith('insert')) assert.match(sql, /"user_id" = /);
  });
});

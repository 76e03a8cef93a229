import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WorkspaceEvent } from '../../../src/contract/events.ts';
import type { Context } from '../../../src/domain/context.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { checkResults, startComparingResults } from '../../../src/domain/results/alerts.ts';
import { recordReport } from '../../../src/domain/results/record.ts';
import { emptyReport, type ReportedCall } from '../../../src/domain/results/report.ts';
import { AppError } from '../../../src/errors.ts';
import { engines } from '../../support/engines.ts';
import { openStream } from '../../support/event-stream.ts';
import { newMember } from '../../support/members.ts';
import { explain } from '../../support/plans.ts';
import { type Client, newClient, pathOf } from '../../support/prompts.ts';
import { createRandom } from '../../support/random.ts';
import { type Service, startService } from '../../support/service.ts';
import { withReceiver } from '../../support/webhook-receiver.ts';
import { createHook, fast, settled } from '../../support/webhooks.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const dayMs = 24 * 60 * 60 * 1000;
const name = 'support/triage';

interface Calls {
  version: number;
  calls: number;
  errors?: number;
  durationMs?: number | (() => number);
  label?: string;
}

for (const engine of engines) {
  describe(`checkResults (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine, env: { OUTBOUND_ALLOW: '127.0.0.1' }, webhooks: fast });
    });
    after(() => service.close());

    /** Creates an account whose prompt has been deployed twice: version 2 came after version 1. */
    async function createDeployed(): Promise<{ client: Client; promptId: string }> {
      const client = await newClient(service);
      const { id: promptId } = await client.create({ name, template: 'one' });
      await client.save(name, { template: 'two' });
      await client.label(name, 'production', 2);
      return { client, promptId };
    }

    async function report({ userId }: Client, { version, calls, errors = 0, durationMs = 100, label = 'production' }: Calls) {
      const reported = Array.from({ length: calls }, (_, index): ReportedCall => {
        const duration = typeof durationMs === 'number' ? durationMs : durationMs();
        return { prompt: name, version, label, identity: {}, durationMs: duration, error: index < errors ? 'timeout' : undefined };
      });
      const { accepted } = await recordReport(service.ctx, { workspaceId: userId }, { ...emptyReport(), calls: reported });
      assert.equal(accepted, calls);
    }

    const check = ({ client: { userId }, promptId }: { client: Client; promptId: string }, now = new Date()) =>
      checkResults(service.ctx, { workspaceId: userId, promptIds: [promptId] }, now);

    /** Lists the details of a workspace's alerts. */
    async function alertsOf({ userId }: Client): Promise<Partial<WorkspaceEvent>[]> {
      const events = await service.ctx.store.events.list(userId, { after: 0, limit: 100 });
      return events.filter(({ type }) => type === 'results.worsened').map(({ detail }) => JSON.parse(detail) as Partial<WorkspaceEvent>);
    }

    const alert = { label: 'production', version: 2, from: 1, metric: 'errors', current: 0.1, previous: 0.01, calls: 500 };

    it('adds an event when 10% of calls fail instead of 1%', async () => {
      const deployed = await createDeployed();
      const { client, promptId } = deployed;
      await report(client, { version: 1, calls: 500, errors: 5 });
      await report(client, { version: 2, calls: 500, errors: 50 });
      assert.deepEqual(await alertsOf(client), [], 'nothing was compared yet');
      await check(deployed);
      assert.deepEqual(await alertsOf(client), [alert]);
      const events = await service.ctx.store.events.list(client.userId, { after: 0, limit: 100 });
      const event = events.at(-1);
      assert.deepEqual([event?.by, event?.prompt], [null, { id: promptId, name }]);
    });

    it('adds an event when the 95th percentile is 200 ms instead of 100 ms, and one for each metric', async () => {
      const deployed = await createDeployed();
      const { client } = deployed;
      await report(client, { version: 1, calls: 500, durationMs: 100 });
      await report(client, { version: 2, calls: 500, durationMs: 200 });
      await check(deployed);
      const [slower, ...others] = await alertsOf(client);
      assert.deepEqual([slower?.metric, slower?.calls, others], ['p95', 500, []]);
      assert.ok(Math.abs((slower?.current ?? 0) - 200) <= 20 && Math.abs((slower?.previous ?? 0) - 100) <= 10, JSON.stringify(slower));
      await report(client, { version: 2, calls: 100, errors: 100 });
      await check(deployed);
      assert.deepEqual(
        (await alertsOf(client)).map(({ metric }) => metric),
        ['p95', 'errors'],
      );
    });

    it('adds nothing by chance in 20 looks at two versions that are the same', async () => {
      const deployed = await createDeployed();
      const random = createRandom(7);
      const durationMs = () => 50 + random.below(500) + (random.below(20) === 0 ? 2000 : 0);
      for (let look = 0; look < 20; look += 1) {
        for (const version of [1, 2]) {
          const errors = Array.from({ length: 50 }, () => random.below(20)).filter((drawn) => drawn === 0).length;
          await report(deployed.client, { version, calls: 50, errors, durationMs });
        }
        await check(deployed);
      }
      assert.deepEqual(await alertsOf(deployed.client), []);
    });

    it('adds an event once: not in later looks, and not when several look at once', async () => {
      const deployed = await createDeployed();
      const { client } = deployed;
      await report(client, { version: 1, calls: 500, errors: 5 });
      await report(client, { version: 2, calls: 500, errors: 50 });
      await Promise.all([check(deployed), check(deployed), check(deployed)]);
      assert.deepEqual(await alertsOf(client), [alert]);
      const revision = await revisionOf(client);
      await report(client, { version: 2, calls: 100, errors: 100 });
      await check(deployed);
      assert.deepEqual(await alertsOf(client), [alert]);
      assert.equal(await revisionOf(client), revision, 'a later look does not change the workspace');
    });

    const revisionOf = async ({ token }: Client) => (await service.ctx.store.keys.findAccount(token))?.revision;

    it('stores the alert and its event together: if the transaction fails, the next look adds both', async () => {
      const deployed = await createDeployed();
      const { client, promptId } = deployed;
      await report(client, { version: 1, calls: 500, errors: 5 });
      await report(client, { version: 2, calls: 500, errors: 50 });
      const { store } = service.ctx;
      const changeWorkspace: typeof store.changeWorkspace = (workspaceId, change) =>
        store.changeWorkspace(workspaceId, async (stores) => {
          await change(stores);
          throw new Error('interrupted');
        });
      const ctx = { ...service.ctx, store: { ...store, changeWorkspace } };
      await assert.rejects(checkResults(ctx, { workspaceId: client.userId, promptIds: [promptId] }, new Date()), /interrupted/);
      assert.deepEqual(await alertsOf(client), []);
      await check(deployed);
      assert.deepEqual(await alertsOf(client), [alert]);
    });

    it('adds nothing after a rollback, and nothing again when the version returns within 7 days', async () => {
      const deployed = await createDeployed();
      const { client } = deployed;
      await report(client, { version: 1, calls: 500, errors: 5 });
      await report(client, { version: 2, calls: 500, errors: 50 });
      await client.label(name, 'production', 1);
      await check(deployed);
      assert.deepEqual(await alertsOf(client), [], 'version 1 is not worse than version 2');
      await client.label(name, 'production', 2);
      await check(deployed);
      await client.label(name, 'production', 1);
      await client.label(name, 'production', 2);
      await check(deployed);
      assert.deepEqual(await alertsOf(client), [alert]);
      await sweep(service.ctx, new Date(Date.now() + 6 * dayMs));
      await check(deployed);
      assert.deepEqual(await alertsOf(client), [alert]);
      await sweep(service.ctx, new Date(Date.now() + 8 * dayMs));
      await check(deployed);
      assert.equal((await alertsOf(client)).length, 2, 'after 7 days');
    });

    it('compares only versions that got the label in the last 7 days, over the calls of these days', async () => {
      const deployed = await createDeployed();
      const { client } = deployed;
      await report(client, { version: 1, calls: 500, errors: 5 });
      await report(client, { version: 2, calls: 500, errors: 50 });
      await check(deployed, new Date(Date.now() + 7 * dayMs + 60_000));
      assert.deepEqual(await alertsOf(client), []);
      await check(deployed, new Date(Date.now() + 6 * dayMs));
      assert.deepEqual(await alertsOf(client), [alert]);
    });

    it('compares only calls with the label', async () => {
      const deployed = await createDeployed();
      const { client } = deployed;
      for (const label of ['', 'staging']) await report(client, { version: 2, calls: 500, errors: 500, label });
      await report(client, { version: 1, calls: 500 });
      await report(client, { version: 2, calls: 500 });
      await check(deployed);
      assert.deepEqual(await alertsOf(client), []);
      await client.label(name, 'staging', 1);
      await client.label(name, 'staging', 2);
      await report(client, { version: 1, calls: 500, label: 'staging' });
      await check(deployed);
      assert.deepEqual(
        (await alertsOf(client)).map(({ label, metric }) => [label, metric]),
        [['staging', 'errors']],
      );
    });

    it('adds nothing for a label without an earlier version, a removed label, or a prompt in the bin', async () => {
      const client = await newClient(service);
      const { id: promptId } = await client.create({ name, template: 'one' });
      await client.save(name, { template: 'two' });
      const deployed = { client, promptId };
      await client.label(name, 'staging', 2);
      await report(client, { version: 1, calls: 500, label: 'staging' });
      await report(client, { version: 2, calls: 500, errors: 500, label: 'staging' });
      await check(deployed);
      await client.label(name, 'production', 2);
      await report(client, { version: 1, calls: 500 });
      await report(client, { version: 2, calls: 500, errors: 500 });
      await client.call('DELETE', pathOf(name, '/labels/production'));
      await check(deployed);
      await client.label(name, 'production', 1);
      await client.label(name, 'production', 2);
      await client.call('DELETE', pathOf(name));
      await check(deployed);
      assert.deepEqual(await alertsOf(client), []);
      await client.call('POST', pathOf(name, '/restore'));
      await check(deployed);
      assert.equal((await alertsOf(client)).length, 1);
    });

    it('adds nothing for prompts of other workspaces', async () => {
      const deployed = await createDeployed();
      const other = await newClient(service);
      await report(deployed.client, { version: 1, calls: 500 });
      await report(deployed.client, { version: 2, calls: 500, errors: 500 });
      await check({ ...deployed, client: other });
      assert.deepEqual([await alertsOf(deployed.client), await alertsOf(other)], [[], []]);
    });

    it('reads no whole table', async () => {
      const deployed = await createDeployed();
      await report(deployed.client, { version: 1, calls: 500, errors: 5 });
      await report(deployed.client, { version: 2, calls: 500, errors: 50 });
      const plans = await explain(service, async () => {
        await check(deployed);
        await sweep(service.ctx);
      });
      for (const { sql, steps, scans } of plans) assert.deepEqual(scans, [], `${sql}\n${steps.join('\n')}`);
    });

    it('sends the event to webhooks as JSON and as a message for Slack', async () => {
      const deployed = await createDeployed();
      const { client } = deployed;
      await withReceiver(undefined, async ({ url, received }) => {
        const json = await createHook(client, url, { events: ['results.worsened'] });
        const slack = await createHook(client, `${url}/slack`, { events: 'all', format: 'slack' });
        await report(client, { version: 1, calls: 500, errors: 5 });
        await report(client, { version: 2, calls: 500, errors: 50 });
        await check(deployed);
        const states = [await settled(client, json), await settled(client, slack)].flat().map(({ state, type }) => [state, type]);
        assert.deepEqual(states, [
          ['delivered', 'results.worsened'],
          ['delivered', 'results.worsened'],
        ]);
        const bodies = received.map(({ path, text }) => ({ path, body: JSON.parse(text) }));
        const event = bodies.find(({ path }) => path === '/hooks')?.body;
        const { workspaceId: _workspace, revision: _revision, prompt, ...detail } = event.data;
        assert.deepEqual([event.type, prompt.name, detail], ['results.worsened', name, alert]);
        const text = 'production of support/triage: version 2 fails more often than version 1 (10% of calls instead of 1%)';
        assert.equal(bodies.find(({ path }) => path === '/hooks/slack')?.body.text, text);
      });
    });
  });

  describe(`startComparingResults (${engine.name})`, () => {
    it('finds the prompts that programs report, and a viewer reads the event', async (t) => {
      const service = await startService({ engine });
      t.after(() => service.close());
      const client = await deployTwice(service);
      const viewer = await newMember(client, 'viewer');
      const stream = await openStream(service, { key: viewer.token, ...inWorkspace(client), query: '?label=production' });
      await post(client, { version: 1, errors: 0 });
      await post(client, { version: 2, errors: 200 });
      const errors: unknown[] = [];
      const { data } = await withComparing(
        service.ctx,
        (err) => errors.push(err),
        () => stream.next(),
      );
      assert.deepEqual(errors, []);
      assert.deepEqual([data.type, data.prompt?.name, data.metric, data.by], ['results.worsened', name, 'errors', undefined]);
      stream.close();
    });

    it('repeats a failed comparison, even if no more calls are reported, and compares the other workspaces in the meantime', async (t) => {
      const service = await startService({ engine });
      t.after(() => service.close());
      const [broken, other] = [await deployTwice(service), await deployTwice(service)];
      const { statistics } = service.ctx.store;
      let failures = 0;
      const { promise: repaired, resolve: repair } = Promise.withResolvers<void>();
      const readComparedVersions: typeof statistics.readComparedVersions = async (owner, compared) => {
        if (owner.accountId === broken.userId && failures < 2) throw new AppError('database_unavailable');
        return statistics.readComparedVersions(owner, compared);
      };
      const ctx = { ...service.ctx, store: { ...service.ctx.store, statistics: { ...statistics, readComparedVersions } } };
      const streams = await Promise.all([broken, other].map(({ token }) => openStream(service, { key: token })));
      for (const client of [broken, other]) {
        await post(client, { version: 1, errors: 0 });
        await post(client, { version: 2, errors: 200 });
      }
      const onError = (err: unknown) => {
        assert.ok(err instanceof AggregateError && err.errors.length === 1);
        failures += 1;
        if (failures === 2) repair();
      };
      await withComparing(ctx, onError, async () => {
        const [ofBroken, ofOther] = streams;
        assert.equal((await ofOther?.next())?.data.type, 'results.worsened');
        await repaired;
        assert.equal((await ofBroken?.next())?.data.type, 'results.worsened');
      });
      assert.equal(failures, 2);
      for (const stream of streams) stream.close();
    });

    it('reads nothing while no calls with a label are reported', async (t) => {
      const service = await startService({ engine });
      t.after(() => service.close());
      const client = await deployTwice(service);
      assert.equal(service.ctx.results.calledPrompts.takeAll().size, 0);
      await client.call('POST', '/api/results', { calls: [{ prompt: name, version: 1, durationMs: 5 }] });
      assert.equal(service.ctx.results.calledPrompts.takeAll().size, 0);
      const calls = [{ prompt: name, version: 1, label: 'production', durationMs: 5, id: 'a' }];
      await client.call('POST', '/api/results', { calls });
      const called = service.ctx.results.calledPrompts.takeAll();
      assert.deepEqual([[...called.keys()], [...called.values()].map(({ size }) => size)], [[client.userId], [1]]);
      await client.call('POST', '/api/results', { calls });
      assert.equal(service.ctx.results.calledPrompts.takeAll().size, 0, 'the call is not new');
    });
  });
}

describe('checkResults on two instances', () => {
  it('adds one event if both look at the same time', async (t) => {
    const shared = engines.find((engine) => engine.shared);
    const first = await startService({ engine: shared });
    t.after(() => first.close());
    const second = await startService({ database: first.database });
    t.after(() => second.close());
    const client = await deployTwice(first);
    await post(client, { version: 1, errors: 0 });
    await post(client, { version: 2, errors: 200 });
    const { promptIds } = await calledIn(first, client);
    const now = new Date();
    await Promise.all([first, second, first, second].map(({ ctx }) => checkResults(ctx, { workspaceId: client.userId, promptIds }, now)));
    const events = await first.ctx.store.events.list(client.userId, { after: 0, limit: 100 });
    assert.equal(events.filter(({ type }) => type === 'results.worsened').length, 1);
  });
});

/** Compares results every 10 ms while `use` runs. */
async function withComparing<T>(ctx: Context, onError: (err: unknown) => void, use: () => Promise<T>): Promise<T> {
  const comparing = startComparingResults(ctx, { intervalMs: 10, onError });
  try {
    return await use();
  } finally {
    await comparing.stop();
  }
}

async function deployTwice(service: Service): Promise<Client> {
  const client = await newClient(service);
  await client.create({ name, template: 'one' });
  await client.save(name, { template: 'two' });
  await client.label(name, 'production', 2);
  return client;
}

/** Reports 200 calls over HTTP. */
async function post(client: Client, { version, errors }: { version: number; errors: number }): Promise<void> {
  const calls = Array.from({ length: 200 }, (_, index) => ({
    prompt: name,
    version,
    label: 'production',
    durationMs: 100,
    ...(index < errors && { error: 'timeout' }),
  }));
  for (let start = 0; start < calls.length; start += 100) {
    const response = await client.call('POST', '/api/results', { calls: calls.slice(start, start + 100) });
    assert.equal(response.status, 202, response.text);
  }
}

async function calledIn(service: Service, { userId }: Client): Promise<{ promptIds: string[] }> {
  return { promptIds: [...(service.ctx.results.calledPrompts.takeAll().get(userId) ?? [])] };
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { recordReport } from '../../../src/domain/results/record.ts';
import { emptyReport, type Report, type ReportedCall, type ReportedScore } from '../../../src/domain/results/report.ts';
import { createResultRecorder } from '../../../src/domain/results/result-recorder.ts';
import { getPromptResults } from '../../../src/domain/results/results.ts';
import { sweepResults } from '../../../src/domain/results/retention.ts';
import { itemLimits } from '../../../src/platform/scheduling/limits.ts';
import { register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

interface Workspace {
  workspaceId: string;
}

const newCall = (call: Partial<ReportedCall> = {}): ReportedCall => ({
  prompt: 'greeting',
  version: 1,
  durationMs: 10,
  identity: {},
  ...call,
});
const newCalls = (count: number, call: Partial<ReportedCall> = {}) => Array.from({ length: count }, () => newCall(call));
const newScore = (score: Partial<ReportedScore> = {}): ReportedScore => ({ name: 'good', value: 1, ...score });

async function createPrompt(service: Service): Promise<Workspace> {
  const account = await register(service);
  const client = await newClient(service, account);
  await client.create({ name: 'greeting', template: 'Hello' });
  return { workspaceId: account.userId };
}

const record = (service: Service, workspace: Workspace, report: Partial<Report>, from?: { isBrowser: boolean }) =>
  recordReport(service.ctx, workspace, { ...emptyReport(), ...report }, from);
const resultsOf = (service: Service, { workspaceId }: Workspace) =>
  // `getPromptResults` uses only the workspace of the actor.
  getPromptResults(service.ctx, { workspaceId } as never, 'greeting', {});
const hasCode = (code: string) => (err: unknown) => (err as { code?: string }).code === code;

for (const engine of engines) {
  describe(`reports of a hostile workspace (${engine.name})`, () => {
    let service: Service;
    /** The workspaces in each transaction. */
    let transactions: string[][] = [];
    /** If this promise is set, all transactions wait for it. */
    let gate: Promise<void> | undefined;
    let fault: ((accounts: string[]) => void) | undefined;
    before(async () => {
      service = await startService({
        engine,
        prepare({ store: { statistics } }) {
          const { recordResults } = statistics;
          statistics.recordResults = async (batch, toRows) => {
            const accounts = [...batch.calls.map(({ call }) => call), ...batch.ends, ...batch.scores].map(({ accountId }) => accountId);
            transactions.push([...new Set(accounts)]);
            await gate;
            fault?.(accounts);
            await recordResults(batch, toRows);
          };
        },
      });
    });
    after(() => service.close());

    /** Calls `work` while no transaction can end. An unrelated report starts the first transaction. */
    async function withGate(work: (first: Promise<unknown>) => Promise<void>): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const unrelated = await createPrompt(service);
      gate = promise;
      transactions = [];
      try {
        const first = record(service, unrelated, { calls: [newCall()] });
        while (transactions.length === 0) await new Promise(setImmediate);
        await work(first.finally(() => undefined));
      } finally {
        gate = undefined;
        resolve();
      }
    }

    it('a workspace with many reports does not delay the reports of another', async () => {
      const [hostile, other] = [await createPrompt(service), await createPrompt(service)];
      const results: Promise<unknown>[] = [];
      await withGate(async (first) => {
        results.push(first);
        const reports = [newCalls(10_000), newCalls(3000), newCalls(3000), newCalls(3000)];
        results.push(...reports.map((calls) => record(service, hostile, { calls })));
        await service.ctx.store.reportedPrompts.find(hostile.workspaceId, ['greeting']);
        results.push(record(service, other, { calls: [newCall()] }));
        // When this many later queries have their results, all queries of the reports have theirs too.
        for (let count = 0; count < 20; count += 1) await service.ctx.store.reportedPrompts.find(other.workspaceId, ['greeting']);
      });
      await Promise.all(results);
      const turn = transactions.findIndex((accounts) => accounts.includes(other.workspaceId));
      assert.equal(turn, 1, 'the next transaction has the report of the other workspace');
      assert.equal((await resultsOf(service, hostile)).totals.calls, 19_000);
    });

    it('reports that wait for the database are limited, for each workspace and for its browsers', async () => {
      const [hostile, other] = [await createPrompt(service), await createPrompt(service)];
      const results: Promise<unknown>[] = [];
      const { perTenant } = itemLimits.results;
      await withGate(async (first) => {
        results.push(first, record(service, hostile, { calls: newCalls(perTenant - 1) }));
        results.push(record(service, hostile, { scores: [newScore({ rated: { traceId: 't' } })] }));
        await assert.rejects(record(service, hostile, { calls: [newCall()] }), hasCode('too_many_concurrent'));
        await assert.rejects(record(service, hostile, { scores: [newScore()] }), hasCode('too_many_concurrent'));
        const score = newScore({ prompt: 'greeting', version: 1 });
        results.push(record(service, hostile, { scores: [score] }, { isBrowser: true }));
        results.push(record(service, other, { calls: [newCall()] }));
      });
      await Promise.all(results);
      await record(service, hostile, { calls: [newCall()] });
      assert.equal((await resultsOf(service, hostile)).totals.calls, perTenant);
      assert.equal((await resultsOf(service, other)).totals.calls, 1);
    });

    it('a report that cannot be written does not make the reports of other workspaces fail', async () => {
      const [hostile, other] = [await createPrompt(service), await createPrompt(service)];
      const results: Promise<unknown>[] = [];
      let refused: Promise<unknown> | undefined;
      fault = (accounts) => {
        if (accounts.includes(hostile.workspaceId)) throw new Error('value out of range');
      };
      await withGate(async (first) => {
        results.push(first);
        refused = assert.rejects(record(service, hostile, { calls: [newCall()] }), hasCode('database_unavailable'));
        results.push(record(service, other, { calls: [newCall()] }));
        for (let count = 0; count < 20; count += 1) await service.ctx.store.reportedPrompts.find(other.workspaceId, ['greeting']);
      });
      await Promise.all([...results, refused]);
      fault = undefined;
      assert.equal((await resultsOf(service, other)).totals.calls, 1);
    });

    it('a large report is recorded in parts, and counts once if it is sent again after some parts failed', async () => {
      const workspace = await createPrompt(service);
      const calls = Array.from({ length: 2500 }, (_, index) => newCall({ identity: { traceId: 'large', spanId: `${index}` } }));
      const scores = Array.from({ length: 1500 }, (_, index) => newScore({ id: `${index}`, rated: { traceId: 'large', spanId: '7' } }));
      const report = { calls, scores, unnamed: 3 };
      transactions = [];
      fault = () => {
        if (transactions.length > 1) throw new Error('a fault after the first transaction');
      };
      await assert.rejects(record(service, workspace, report), hasCode('database_unavailable'));
      fault = undefined;
      await record(service, workspace, report);
      const { totals } = await resultsOf(service, workspace);
      assert.deepEqual([totals.calls, totals.scores[0]?.count], [2500, 1500]);
    });

    it('the rows of scores are trimmed like the rows of calls', async () => {
      const workspace = await createPrompt(service);
      const trimmed: string[] = [];
      const recorder = createResultRecorder(service.ctx.store, { trim: (accountId) => void trimmed.push(accountId) });
      const ctx = { ...service.ctx, results: recorder };
      const scores = Array.from({ length: 5000 }, (_, index) => newScore({ rated: { traceId: `never ${index}` } }));
      await recordReport(ctx, workspace, { ...emptyReport(), scores });
      assert.deepEqual(trimmed, []);
      await recordReport(ctx, workspace, { ...emptyReport(), scores });
      assert.deepEqual(trimmed, [workspace.workspaceId]);
    });
  });
}

describe('scores that two instances take at the same time (PostgreSQL)', () => {
  const engine = engines.find(({ shared }) => shared);
  let services: [Service, Service];
  let client: pg.Client;
  before(async () => {
    const first = await startService({ engine });
    services = [first, await startService({ engine, database: first.database })];
    client = new pg.Client(first.database.env.DATABASE_URL);
    await client.connect();
  });
  after(async () => {
    await client.end();
    const [first, second] = services;
    await second.close();
    await first.close();
  });

  /** Locks the waiting scores until both instances wait to delete them. The instances then continue one after another. */
  async function race(work: (service: Service, index: number) => Promise<unknown>): Promise<void> {
    await client.query('begin');
    await client.query('select 1 from waiting_scores for update');
    const both = Promise.all(services.map(work));
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while ((await client.query(waiting)).rows.length < 2) await new Promise(setImmediate);
    await client.query('commit');
    await both;
  }

  /** Adds a call in the way of an instance that has not seen the scores. */
  const insertCall = ({ workspaceId }: Workspace, promptId: string, traceId: string) =>
    client.query(
      `insert into counted_calls (account_id, trace_ref, span_ref, time, prompt_id, version, label, model)
        values ($1, $2, 's', $3, $4, 1, '', '')`,
      [workspaceId, traceId, new Date().toISOString().slice(0, 16), promptId],
    );
  const findPromptId = async ({ workspaceId }: Workspace) =>
    String((await client.query('select id from prompts where account_id = $1', [workspaceId])).rows[0]?.id);
  const countsOf = async (workspace: Workspace) =>
    (await resultsOf(services[0], workspace)).totals.scores.map(({ name, count }) => [name, count]);

  it('count once when both record a call of the trace', async () => {
    const workspace = await createPrompt(services[0]);
    await record(services[0], workspace, { scores: [newScore({ rated: { traceId: 'trace' } })] });
    await race((service, index) =>
      record(service, workspace, { calls: [newCall({ identity: { traceId: 'trace', spanId: `${index}` } })] }),
    );
    assert.deepEqual(await countsOf(workspace), [['good', 1]]);
  });

  it('count once when both sweep', async () => {
    const workspace = await createPrompt(services[0]);
    const traceId = 'e'.repeat(32);
    await record(services[0], workspace, { scores: [newScore({ rated: { traceId } })] });
    await insertCall(workspace, await findPromptId(workspace), traceId);
    await race((service) => sweepResults(service.ctx, new Date()));
    assert.deepEqual(await countsOf(workspace), [['good', 1]]);
  });

  it('are all found by a sweep, however many scores wait', async () => {
    const workspace = await createPrompt(services[0]);
    // The references of these scores sort before the reference of the call.
    const scores = Array.from({ length: 1100 }, (_, index) => newScore({ rated: { traceId: '0'.repeat(28) + (1000 + index) } }));
    const traceId = 'f'.repeat(32);
    await record(services[0], workspace, { scores: [...scores, newScore({ rated: { traceId } })] });
    await insertCall(workspace, await findPromptId(workspace), traceId);
    await sweepResults(services[0].ctx, new Date());
    assert.deepEqual(await countsOf(workspace), [['good', 1]]);
  });
});

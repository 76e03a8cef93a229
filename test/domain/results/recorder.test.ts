import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { recordReport } from '../../../src/domain/results/record.ts';
import { emptyReport, type Report, type ReportedCall } from '../../../src/domain/results/report.ts';
import { getPromptResults, getResults } from '../../../src/domain/results/results.ts';
import { trimResults } from '../../../src/domain/results/retention.ts';
import { call, register, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { readStoredContent } from '../../support/stored-content.ts';

const hourMs = 3_600_000;

for (const engine of engines) {
  describe(`recording results (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    async function createPrompt(): Promise<TestAccount & { workspaceId: string }> {
      const account = await register(service);
      const client = await newClient(service, account);
      await client.create({ name: 'greeting', template: 'Hello' });
      return { ...account, workspaceId: account.userId };
    }

    const query = async (text: string, values: unknown[] = []) => {
      const client = new pg.Client(service.database.env.DATABASE_URL);
      await client.connect();
      try {
        return (await client.query<Record<string, string>>(text, values)).rows;
      } finally {
        await client.end();
      }
    };

    const record = (account: { workspaceId: string }, report: Partial<Report>) =>
      recordReport(service.ctx, account, { ...emptyReport(), ...report });
    const resultsOf = ({ workspaceId }: { workspaceId: string }, query = {}) =>
      // `getPromptResults` uses only the workspace of the actor.
      getPromptResults(service.ctx, { workspaceId } as never, 'greeting', query);
    const newCall = (call: Partial<ReportedCall> = {}): ReportedCall => ({
      prompt: 'greeting',
      version: 1,
      durationMs: 10,
      identity: {},
      ...call,
    });

    it('a call whose end is reported later is counted at its end, once', async () => {
      const account = await createPrompt();
      const identity = { traceId: 't', spanId: 's' };
      const startedAtMs = Date.now() - 5000;
      const open = newCall({ identity, isOpen: true, startedAtMs, durationMs: undefined });
      await record(account, { calls: [open] });
      await record(account, { calls: [open] });
      assert.equal((await resultsOf(account)).totals.calls, 0);
      const end = {
        identity,
        model: 'm',
        endedAtMs: startedAtMs + 2000,
        firstChunkAtMs: startedAtMs + 500,
        inputTokens: 3,
        outputTokens: 4,
      };
      await Promise.all([record(account, { ends: [end] }), record(account, { ends: [end] })]);
      await record(account, { ends: [end, { ...end, identity: { traceId: 't', spanId: 'unknown' } }] });
      const { totals, models } = await resultsOf(account);
      assert.deepEqual([totals.calls, totals.inputTokens, totals.outputTokens, models[0]?.model], [1, 3, 4, 'm']);
      assert.ok(Math.abs((totals.durationMs.p50 ?? 0) - 2000) <= 200);
      assert.ok(Math.abs((totals.firstChunkMs.p50 ?? 0) - 500) <= 50);
    });

    it('a version may be named as text: a number, a label, or neither', async () => {
      const account = await createPrompt();
      const labels = await newClient(service, account);
      await labels.save('greeting', { template: 'Hi', labels: ['beta'] });
      const versions = ['1', 'v2', 'beta', 'prod', '0', '3', '9'.repeat(20)];
      const { accepted, dropped } = await record(account, { calls: versions.map((version) => newCall({ version })) });
      assert.deepEqual([accepted, dropped], [3, 4]);
      const results = await resultsOf(account);
      assert.deepEqual(
        results.versions.map(({ version, calls }) => [version, calls]),
        [
          [2, 2],
          [1, 1],
        ],
      );
      assert.equal((await resultsOf(account, { label: 'beta' })).totals.calls, 1);
    });

    it('a score of a whole trace rates each version that the trace called', async () => {
      const account = await createPrompt();
      const client = await newClient(service, account);
      await client.save('greeting', { template: 'Hi' });
      const identity = (spanId: string) => ({ traceId: 'both', spanId });
      await record(account, { calls: [newCall({ identity: identity('a') }), newCall({ version: 2, identity: identity('b') })] });
      const score = { name: 'good', value: 1 };
      await record(account, {
        scores: [
          { ...score, rated: { traceId: 'both' } },
          { ...score, rated: identity('b') },
        ],
      });
      const { versions } = await resultsOf(account);
      assert.deepEqual(
        versions.map(({ version, scores }) => [version, scores[0]?.count]),
        [
          [2, 2],
          [1, 1],
        ],
      );
    });

    it('a score and its call that two instances record at the same time are matched by the next sweep', {
      skip: engine.name === 'SQLite' && 'The embedded engine has one instance',
    }, async () => {
      const account = await createPrompt();
      await record(account, { calls: [newCall({ identity: { traceId: 'race', spanId: 's' } })] });
      // Adds the row that an instance writes if it has not seen the call.
      const traceRef = createHash('sha256').update('trace\nrace').digest('base64url').slice(0, 22);
      const score = JSON.stringify({ score: { name: 'good', value: true } });
      const values = [account.workspaceId, `trace.${traceRef}`, 'id', new Date().toISOString().slice(0, 16), score];
      await query('insert into waiting_scores (account_id, ref, id, time, score) values ($1, $2, $3, $4, $5)', values);
      for (let sweeps = 0; sweeps < 2; sweeps += 1) {
        await sweep(service.ctx);
        assert.deepEqual(
          (await resultsOf(account)).totals.scores.map(({ count, mean }) => [count, mean]),
          [[1, 1]],
        );
      }
    });

    it('references are forgotten after 72 hours, and results after 400 days; an hour becomes part of a day after 90', async () => {
      const account = await createPrompt();
      const identity = { traceId: 'old', spanId: 's' };
      await record(account, { calls: [newCall({ identity })], scores: [{ name: 'good', value: 1, rated: { traceId: 'never' } }] });
      await sweep(service.ctx, new Date(Date.now() + 71 * hourMs));
      await record(account, { calls: [newCall({ identity })] });
      assert.equal((await resultsOf(account)).totals.calls, 1, 'still known');
      await sweep(service.ctx, new Date(Date.now() + 74 * hourMs));
      await record(account, { calls: [newCall({ identity })] });
      assert.equal((await resultsOf(account)).totals.calls, 2, 'forgotten');
      const { dropped } = await getResults(service.ctx, { workspaceId: account.workspaceId } as never, {
        to: new Date(Date.now() + 75 * hourMs).toISOString(),
        from: new Date(Date.now() - hourMs).toISOString(),
      });
      assert.deepEqual(dropped, [{ reason: 'no_match', count: 1 }], 'the score whose call never arrived');
      const before = await resultsOf(account, { interval: 'day' });
      await sweep(service.ctx, new Date(Date.now() + 92 * 24 * hourMs));
      const rolledUp = await resultsOf(account, { interval: 'day', from: before.from.slice(0, 10) });
      assert.deepEqual(rolledUp.totals, before.totals);
      await sweep(service.ctx, new Date(Date.now() + 403 * 24 * hourMs));
      assert.equal((await resultsOf(account, { interval: 'day', from: before.from.slice(0, 10) })).totals.calls, 0);
    });

    it('a workspace keeps a limited number of references', async () => {
      const account = await createPrompt();
      await record(account, { calls: [newCall({ identity: { traceId: 'x', spanId: 's' } })] });
      const { statistics } = service.ctx.store;
      assert.equal(await statistics.findExcessTime('counted_calls', account.workspaceId, 1), undefined);
      const excess = await statistics.findExcessTime('counted_calls', account.workspaceId, 0);
      assert.equal(await statistics.deleteOldResults('counted_calls', account.workspaceId, excess ?? ''), 1);
      await trimResults(service.ctx, account.workspaceId);
    });

    it('comments are deleted with their prompt, when it has left the bin', async () => {
      const account = await createPrompt();
      const client = await newClient(service, account);
      const planted = 'PLANTED-COMMENT';
      await record(account, { scores: [{ name: 'good', value: 1, version: 1, prompt: 'greeting', comment: planted }] });
      await client.create({ name: 'kept', template: 'Hello' });
      await record(account, { scores: [{ name: 'good', value: 1, version: 1, prompt: 'kept', comment: 'also kept' }] });
      const list = async () => {
        const { statistics } = service.ctx.store;
        const ids = await statistics.listCommentedPrompts(account.workspaceId, { afterId: '', limit: 10 });
        const owners = ids.map((promptId) => ({ accountId: account.workspaceId, promptId, version: undefined }));
        const pages = await Promise.all(owners.map((owner) => statistics.listComments(owner, { beforeId: undefined, limit: 10 })));
        return pages.flatMap((rows) => rows.map(({ comment }) => comment)).sort();
      };
      await call(service, 'DELETE', '/api/prompts/greeting', { key: account.token });
      await sweep(service.ctx);
      assert.deepEqual(await list(), [planted, 'also kept'], 'the prompt can be restored');
      await sweep(service.ctx, new Date(Date.now() + 32 * 24 * hourMs));
      assert.deepEqual(await list(), ['also kept']);
    });

    it('ASVS 14.2.6: nothing that a report contains besides names and numbers is stored or logged', async () => {
      const account = await createPrompt();
      const planted = 'PLANTED-TEXT-OF-A-CALL';
      await record(account, {
        calls: [
          newCall({
            model: `${planted}\n`,
            error: `Error: ${planted}!`,
            identity: { traceId: planted, spanId: planted, responseId: planted },
          }),
        ],
        scores: [
          { name: 'seen', value: 'MARKER-OF-A-CATEGORY', version: 1, prompt: 'greeting' },
          { name: 'good', value: `${planted} ${'x'.repeat(200)}`, version: 1, prompt: 'greeting', id: planted },
          { name: `${planted}${'x'.repeat(200)}`, value: 1, version: 1, prompt: 'greeting' },
          { name: 'good', value: 1, version: 1, prompt: 'greeting', comment: planted.repeat(100) },
          { name: 'good', value: 1, rated: { traceId: `${planted} waiting` } },
        ],
      });
      const places = await readStoredContent(service);
      assert.ok(
        places.some(([, content]) => content.includes('MARKER-OF-A-CATEGORY')),
        'what is kept is found',
      );
      for (const [place, content] of places) assert.equal(content.indexOf(planted), -1, place);
      assert.equal(service.logs().includes(planted), false);
    });
  });
}

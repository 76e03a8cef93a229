import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { PromptResults, WorkspaceResults } from '../../src/contract/results.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { type Client, newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

const triage = 'support/triage';
const unpricedNote = 'The cost does not include 1 call whose model has no known price. Add prices under Settings › Models.\n';

describe('promptharbor results', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function setUp(t: TestContext): Promise<{ client: Client; folder: CliFolder }> {
    const client = await newClient(service);
    await client.create({ name: triage, template: 'one' });
    await client.save(triage, { template: 'two' });
    await client.create({ name: 'other', template: 'other' });
    return { client, folder: await createCliFolder(t, cliSettings(service, client)) };
  }

  async function report({ call }: Client): Promise<void> {
    const base = { prompt: triage, label: 'production', durationMs: 100, inputTokens: 1000, outputTokens: 100, model: 'gpt-5-mini' };
    const calls = [
      ...Array.from({ length: 3 }, () => ({ ...base, version: 1 })),
      { ...base, version: 1, error: '429', inputTokens: 0, outputTokens: 0 },
      { ...base, version: 2, label: 'staging', durationMs: 3000, model: 'own-model' },
      { prompt: 'other', version: 1, durationMs: 5, cost: 2.5 },
      { prompt: 'missing', version: 1, durationMs: 5 },
    ];
    assert.equal((await call('POST', '/api/results', { calls })).status, 202);
    for (const value of [true, true, false]) {
      assert.equal((await call('POST', '/api/feedback', { prompt: triage, version: 1, name: 'helpful', value })).status, 202);
    }
    await call('POST', '/api/feedback', { prompt: triage, version: 2, name: 'rating', value: 4.5 });
    await call('POST', '/api/feedback', { prompt: triage, version: 2, name: 'topic', value: 'billing' });
  }

  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));

  it('shows the versions of a prompt, or another of its tables', async (t) => {
    const { client, folder } = await setUp(t);
    await report(client);
    const versions = linesOf(await folder.runWell(['results', triage]));
    assert.deepEqual(versions[0], ['VERSION', 'CALLS', 'ERRORS', 'P50', 'P95', 'TOKENS IN', 'TOKENS OUT', 'COST', 'SCORES']);
    const [, second = [], first = []] = versions;
    assert.deepEqual(
      [second.slice(0, 3), second.slice(5)],
      [
        ['2', '1', '0'],
        ['1000', '100', 'unknown', 'rating 4.5 (1), topic billing 1'],
      ],
    );
    assert.match(second[3] ?? '', /^(2\.[89]|3\.[0-2]) s$/);
    assert.deepEqual(
      [first.slice(0, 3), first.slice(5)],
      [
        ['1', '4', '1 (25%)'],
        ['3000', '300', '$0.0014', 'helpful 66.7% (3)'],
      ],
    );
    assert.match(first[3] ?? '', /^(9\d|10\d) ms$/);

    const models = linesOf(await folder.runWell(['results', triage, '--by', 'model', '--last', '7d']));
    assert.deepEqual(
      models.map(([model, calls]) => [model, calls]),
      [
        ['MODEL', 'CALLS'],
        ['gpt-5-mini', '4'],
        ['own-model', '1'],
      ],
    );
    assert.equal((await folder.run(['results', triage])).stderr, unpricedNote);
    assert.equal((await folder.run(['results', triage, '--by', 'score'])).stderr, '', 'there is no cost in the table');
    const scores = linesOf(await folder.runWell(['results', triage, '--by', 'score']));
    assert.deepEqual(scores[0], ['VERSION', 'SCORE', 'COUNT', 'MEAN', '95% INTERVAL']);
    assert.deepEqual(scores.slice(1, 3), [
      ['2', 'rating', '1', '4.5'],
      ['2', 'topic: billing', '1'],
    ]);
    assert.match(scores[3]?.join('|') ?? '', /^1\|helpful\|3\|66\.7%\|\d+(\.\d)?% to \d+(\.\d)?%$/);
    const hours = linesOf(await folder.runWell(['results', triage, '--by', 'time']));
    assert.match(hours.at(-1)?.[0] ?? '', /^\d{4}-\d\d-\d\dT\d\d:00Z$/);
    assert.equal(hours.at(-1)?.[1], '5');
    const days = linesOf(await folder.runWell(['results', triage, '--by', 'time', '--last', '30d']));
    assert.match(days.at(-1)?.[0] ?? '', /^\d{4}-\d\d-\d\d$/);
    assert.ok(days.length >= 31);
  });

  it('selects calls by label, model and time, and prints JSON and CSV', async (t) => {
    const { client, folder } = await setUp(t);
    await report(client);
    const callsOf = async (...args: string[]) =>
      (JSON.parse(await folder.runWell(['results', triage, '--json', ...args])) as PromptResults).totals.calls;
    assert.equal(await callsOf(), 5);
    assert.equal(await callsOf('--label', 'staging'), 1);
    assert.equal(await callsOf('--model', 'gpt-5-mini', '-l', 'production'), 4);
    assert.equal(await callsOf('--from', '2026-01-01', '--to', '2026-01-02'), 0);
    const csv = await folder.runWell(['results', triage, '--csv', '--by', 'model']);
    assert.match(csv, /^model,calls,errors,p50Ms,.*\r\ngpt-5-mini,4,1,/);
    assert.match(await folder.runWell(['results', '--csv']), /^prompt,promptId,calls,.*\r\nother,p_/);
    const none = await folder.run(['results', triage, '--from', '2026-01-01', '--to', '2026-01-02']);
    assert.deepEqual(none, { code: 0, stdout: '', stderr: 'No calls were reported in this period.\n' });
  });

  it('without a name: shows the prompts of the workspace by cost, and what was not counted', async (t) => {
    const { client, folder } = await setUp(t);
    await report(client);
    const { stdout, stderr, code } = await folder.run(['results']);
    assert.equal(code, 0);
    assert.deepEqual(
      linesOf(stdout).map(([prompt, calls, , , , , , cost]) => [prompt, calls, cost]),
      [
        ['PROMPT', 'CALLS', 'COST'],
        ['other', '1', '$2.50'],
        [triage, '5', '$0.0014+'],
      ],
    );
    assert.equal(stderr, `${unpricedNote}Not counted: 1 report about prompts that do not exist.\n`);
    assert.equal((JSON.parse(await folder.runWell(['results', '--json'])) as WorkspaceResults).totals.calls, 6);
    assert.match(await folder.runWell(['results', '--by', 'model']), /^MODEL .*\nunknown +1 /s);
  });

  it('refuses wrong options with 2 and an unknown prompt with 4', async (t) => {
    const { folder } = await setUp(t);
    for (const args of [
      [triage, '--last', '7'],
      [triage, '--last', '401d'],
      [triage, '--last', '7d', '--from', '2026-01-01'],
      [triage, '--from', 'yesterday'],
      [triage, '--by', 'prompt'],
      [triage, '--by', 'constructor'],
      [triage, '--csv', '--json'],
      ['--by', 'version'],
      ['--label', 'production'],
      [triage, 'other'],
    ]) {
      assert.equal((await folder.run(['results', ...args])).code, 2, args.join(' '));
    }
    assert.equal((await folder.run(['results', 'missing'])).code, 4);
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Kysely } from 'kysely';
import { createProgressBar } from '../../src/cli/progress-bar.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import { statisticsTables } from '../../src/store/engine/sqlite-statistics-file.ts';
import { call, register, signIn, type TestAccount } from '../support/client.ts';
import { postgres, sqlite, type TestDatabase } from '../support/engines.ts';
import { runProgram } from '../support/process.ts';
import { newClient } from '../support/prompts.ts';
import { startTestRelease } from '../support/releases.ts';
import { startService } from '../support/service.ts';

type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

describe('promptharbor migrate-to', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  let accounts: TestAccount[];
  let cookie: string;
  let releasedKey: string;
  before(async () => {
    source = await sqlite.create();
    target = await postgres.create();
    ({ accounts, cookie, releasedKey } = await fill(source));
  });
  after(async () => {
    await source.remove();
    await target.remove();
  });
  const move = (url = target.env.DATABASE_URL ?? '') => runProgram(['migrate-to', url], source.env);

  it('is refused while the service runs on the database', async () => {
    const service = await startService({ database: source });
    const { code, stderr } = await move();
    await service.close();
    assert.equal(code, 1);
    assert.match(stderr, /^promptharbor: Another PromptHarbor process is using .*promptharbor\.db\. Stop it first/);
  });

  it('is refused when there is nothing to move, or no target', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-test-'));
    const nothing = await runProgram(['migrate-to', target.env.DATABASE_URL ?? ''], { DATA_DIR: dataDir });
    await rm(dataDir, { recursive: true });
    assert.equal(nothing.code, 4);
    assert.match(nothing.stderr, /There is no embedded database in/);
    for (const args of [[], ['mysql://localhost/db'], ['postgres://a,,b/db']]) {
      const nowhere = await runProgram(['migrate-to', ...args], source.env);
      assert.equal(nowhere.code, 2, args.join());
      assert.match(nowhere.stderr, /The target is missing or invalid/);
    }
  });

  it('is refused with the wrong secret, and moves nothing', async () => {
    const { code, stderr } = await runProgram(['migrate-to', target.env.DATABASE_URL ?? ''], { ...source.env, SECRET_KEY: 'x'.repeat(32) });
    assert.equal(code, 1);
    assert.match(stderr, /The secret does not match this database/);
  });

  it('moves every row of every table, and prints the counts and the secret to use', async () => {
    const { code, stdout, stderr } = await move();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /accounts +3\n/);
    assert.match(stdout, /throttles +2501\n/);
    assert.match(stdout, /SECRET_KEY="\$\(cat .*secret\.key\)"/);
    assert.ok(!stdout.includes((await readSecret()).trim()));

    const [before, after] = [await readAll(source), await readAll(target)];
    for (const table of [
      'accounts',
      'sessions',
      'prompts',
      'prompt_versions',
      'prompt_labels',
      'prompt_tags',
      'prompt_events',
      'releases',
      'meta',
      ...statisticsTables.filter((name) => name !== 'render_errors'),
    ]) {
      assert.ok(before[table]?.length, `${table} has rows to move`);
    }
    assert.deepEqual(after, before);
  });

  it('keys, passwords, sessions and prompts work as before on PostgreSQL', async (t) => {
    const service = await startService({ database: target, env: { SECRET_KEY: (await readSecret()).trim() } });
    t.after(() => service.close());
    for (const { email, password, token } of accounts) {
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
      const login = await call(service, 'POST', '/api/auth/token', { body: { email, password } });
      assert.equal((login.body as TestAccount).token, token);
      assert.equal((await call(service, 'GET', '/api/prompts/support%2Ftriage', { key: token })).status, 200);
    }
    assert.equal((await call(service, 'GET', '/api/auth/token', { cookie })).status, 200);
    const released = await call(service, 'GET', `/api/prompts/support%2Ftriage?key=${releasedKey}`, { key: accounts[0]?.token ?? '' });
    assert.equal((released.body as { version: number }).version, 2, 'the release goes on');
  });

  it('is refused when the target is not empty', async () => {
    const { code, stderr } = await move();
    assert.equal(code, 1);
    assert.match(stderr, /The PostgreSQL database is not empty/);
  });

  const readSecret = () => readFile(join(source.dataDir, 'secret.key'), 'utf8');
});

describe('the progress bar', () => {
  it('draws on a terminal, and writes a line per table elsewhere', () => {
    const drawn: string[] = [];
    for (const isTTY of [true, false]) {
      const bar = createProgressBar({ isTTY, write: (text: string) => Boolean(drawn.push(text)) });
      bar.show(0, 4, 'accounts');
      bar.show(2, 4, 'accounts');
      bar.show(4, 4, 'prompts');
      bar.end();
    }
    assert.deepEqual(drawn, [
      `\r\u001b[K[${' '.repeat(40)}]   0%  accounts`,
      `\r\u001b[K[${'='.repeat(20)}${' '.repeat(20)}]  50%  accounts`,
      `\r\u001b[K[${'='.repeat(40)}] 100%  prompts`,
      '\n',
      'accounts ...\n',
      'prompts ...\n',
    ]);
  });
});

/** Creates accounts, a session, prompts with large versions, and more rows than fit into one batch. */
async function fill(database: TestDatabase): Promise<{ accounts: TestAccount[]; cookie: string; releasedKey: string }> {
  const service = await startService({ database });
  const accounts = [await register(service), await register(service), await register(service)];
  const [{ userId: workspaceId } = { userId: '' }, { userId: accountId } = { userId: '' }] = accounts;
  const member = { workspaceId, accountId, durationMs: 1 };
  service.ctx.recorder.countCall({ ...member, keySerial: 1, route: 'GET /x', status: 200 });
  service.ctx.recorder.countRun({ ...member, model: 'm', hasFailed: false, inputTokens: 2, outputTokens: 3, cost: 0.1 });
  const [first] = accounts;
  assert.ok(first);
  const cookie = await signIn(service, first);
  for (const { token: key } of accounts) {
    const body = { name: 'support/triage', type: 'text', template: 'Grüße, {{ name }} \u{1F6A2}', tags: ['a', 'b'] };
    const made = await call(service, 'POST', '/api/prompts', { key, body });
    assert.equal(made.status, 201, made.text);
    for (let version = 2; version <= 12; version += 1) {
      const next = { template: `${version} ${'x'.repeat(250_000)}` };
      const saved = await call(service, 'POST', '/api/prompts/support%2Ftriage/versions', { key, body: next });
      assert.equal(saved.status, 201, saved.text);
    }
  }
  assert.equal((await call(service, 'GET', '/api/prompts/support%2Ftriage', { key: first.token })).status, 200);
  const prompt = 'support/triage';
  const results = { calls: [{ prompt, version: 1, durationMs: 1, traceId: 't', spanId: 's' }] };
  assert.equal((await call(service, 'POST', '/api/results', { key: first.token, body: results })).status, 202);
  for (const rated of [{ version: 1, comment: 'Thanks' }, { traceId: 'unknown' }]) {
    const feedback = { prompt, name: 'helpful', value: true, ...rated };
    assert.equal((await call(service, 'POST', '/api/feedback', { key: first.token, body: feedback })).status, 202);
  }
  const released = await startTestRelease(service, { metric: 'score:helpful' }, await newClient(service, first));
  const [key = ''] = released.keysOf(2, 1);
  await released.report(released.callOf(key));
  assert.equal((await call(service, 'GET', `/api/prompts/support%2Ftriage?key=${key}`, { key: first.token })).status, 200);
  const rated = await released.call('POST', '/api/feedback', { prompt, key, name: 'helpful', value: true });
  assert.equal(rated.status, 202, rated.text);
  await service.close();

  const { db, close } = await openDatabase({ dataDir: database.dataDir, databaseUrl: undefined });
  for (let page = 0; page < 5; page += 1) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      name: `${page}-${index}`,
      failures: index,
      blocked_until: '',
      updated_at: '',
    }));
    await db.insertInto('throttles').values(rows).execute();
  }
  await close();
  return { accounts, cookie, releasedKey: key };
}

/** Returns every row of every table except the migration tables. */
async function readAll({ dataDir, env }: TestDatabase): Promise<Record<string, string[]>> {
  const opened = await openDatabase({ dataDir, databaseUrl: env.DATABASE_URL });
  const [db, statistics] = [opened.db, opened.statistics].map((each) => each as unknown as AnyDatabase);
  assert.ok(db && statistics);
  const names = (await db.introspection.getTables()).map(({ name }) => name);
  const tables = new Set([...names, ...statisticsTables].filter((name) => !name.startsWith('migration') && name !== 'usage_blocks'));
  const all: Record<string, string[]> = {};
  for (const table of [...tables].sort()) {
    const rows = await (statisticsTables.includes(table) ? statistics : db).selectFrom(table).selectAll().execute();
    all[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  await opened.close();
  return all;
}

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { call, register } from '../test/support/client.ts';
import { startRawServer } from '../test/support/models.ts';
import { serveProgram } from '../test/support/process.ts';
import { print } from './lib/report.ts';

const release = resolve('dist/release');
const heavy = '{% for a in (1..100) %}{% for b in (1..100) %}{{ x }}{% endfor %}{% endfor %}';

/**
 * Uses the executable in dist/release as an operator would, with neither Node nor npm on the path: an upgrade from the npm form, a kill
 * under writes, a backup and a restore. Run `npm run dist` first.
 */
export async function run(): Promise<void> {
  const name = readdirSync(release).find((file) => file.endsWith(`-${process.platform}-${process.arch}`));
  assert.ok(name, 'Run `npm run dist` first.');
  const executable = join(release, name);
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-release-'));
  const env = {
    PATH: '/nonexistent',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    OUTBOUND_ALLOW: '127.0.0.1',
    WRITE_LIMIT_PER_MINUTE: 'off',
  };
  const command = (...args: string[]) => execFileSync(executable, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release });
    print('the checksums are right');
    assert.match(command('--version'), /^\d+\.\d+\.\d+ \(executable, commit [0-9a-f]{40}\)\n$/);

    const packaged = await serveProgram({ DATA_DIR: env.DATA_DIR });
    const { token: key } = await register(packaged);
    await save(packaged.url, key, 'before');
    await packaged.stop();
    let service = await serve(executable, env);
    await assertWhole(service.url, key, ['before']);
    print('upgraded from the npm form');

    await assertChecksRun(service.url, key);
    print('rendered in a child process, and ran a check with a model');

    const file = join(folder, 'backup.db');
    command('backup', file);
    command('doctor', file);
    const acknowledged = ['before'];
    const writing = saveUntilRefused(service.url, key, acknowledged);
    while (acknowledged.length < 50) await new Promise((next) => setImmediate(next));
    service.child.kill('SIGKILL');
    await writing;
    service = await serve(executable, env);
    await assertWhole(service.url, key, acknowledged);
    print(`killed under writes: all ${acknowledged.length} acknowledged prompts are there`);

    await stop(service);
    command('restore', file, '--accept-old-keys');
    service = await serve(executable, env);
    await assertWhole(service.url, key, ['before']);
    assert.equal((await call(service, 'GET', `/api/prompts/${acknowledged.at(-1)}`, { key })).status, 404);
    await stop(service);
    print('backed up and restored');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serve(executable: string, env: Record<string, string>): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(executable, ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  for await (const chunk of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk;
    const url = /ready at (http:\S+)/.exec(output)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return { url, child };
  }
  throw new Error(`The service ended: ${output}`);
}

async function stop({ child }: { child: ChildProcess }): Promise<void> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

async function save(url: string, key: string, name: string): Promise<void> {
  const { status, text } = await call({ url }, 'POST', '/api/prompts', { key, body: { name, template: heavy } });
  assert.equal(status, 201, text);
}

/** Saves prompts until the service is killed, and lists those whose response arrived. */
async function saveUntilRefused(url: string, key: string, acknowledged: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    try {
      await save(url, key, `prompt-${count}`);
    } catch (err) {
      if (err instanceof assert.AssertionError) throw err;
      return;
    }
    acknowledged.push(`prompt-${count}`);
  }
}

/** The service works, its pages are there, and the prompts are complete. */
async function assertWhole(url: string, key: string, names: string[]): Promise<void> {
  for (const path of ['/dashboard', '/docs', '/docs/guides', '/api/openapi.json', '/readyz']) {
    assert.equal((await call({ url }, 'GET', path)).status, 200, path);
  }
  const script = /\/dashboard\/assets\/[^"]+\.js/.exec((await call({ url }, 'GET', '/dashboard')).text)?.[0] ?? '';
  assert.match((await call({ url }, 'GET', script)).headers.get('content-type') ?? '', /javascript/);
  for (const name of names) {
    const { status, body } = await call({ url }, 'POST', `/api/prompts/${name}/render`, { key, body: { variables: { x: 'y' } } });
    assert.equal(status, 200, name);
    assert.equal((body as { text: string }).text, 'y'.repeat(10_000), name);
  }
}

async function assertChecksRun(url: string, key: string): Promise<void> {
  const model = await startRawServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end('data: {"choices":[{"index":0,"delta":{"content":"yes"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
  try {
    const send = (path: string, body: object) => call({ url }, 'POST', path, { key, body, headers: { accept: 'application/json' } });
    const { body } = await send('/api/models', { name: 'm', baseUrl: model.url, models: ['some-model'], apiKey: 'k' });
    const check = { kind: 'matches', value: '^yes$' };
    assert.equal((await send('/api/prompts/before/cases', { name: 'one', variables: { x: 'y' }, checks: [check] })).status, 201);
    const { id: connection } = body as { id: string };
    const checked = await send('/api/prompts/before/checks', { version: 1, connection, model: 'some-model' });
    assert.equal(checked.status, 200, checked.text);
    assert.match(checked.text, /"passed":1|"state":"passed"|"passed":true/);
  } finally {
    await model.close();
  }
}

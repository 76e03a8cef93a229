import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { call, register } from '../support/client.ts';
import { linkProductionDependencies } from '../support/packages/link-dependencies.ts';
import { reap } from '../support/reaper.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

describe('npm pack', () => {
  let folder: string;
  let program: string;
  let files: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'promptharbor-pack-'));
    // The scripts are skipped, because everything is already built.
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      maxBuffer: 2 ** 24,
    });
    const [{ filename, files: listed }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
    files = listed.map(({ path }) => path);
    await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
    await linkProductionDependencies(join(folder, 'package'));
    program = join(folder, 'package/bin/promptharbor.js');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('contains the built program and dashboard, and nothing else', () => {
    for (const file of [
      'bin/promptharbor.js',
      'dist/main.js',
      'dist/child.js',
      'dist/backup-child.js',
      'dist/dashboard/index.html',
      'openapi.json',
      'README.md',
      'LICENSE',
    ]) {
      assert.ok(files.includes(file), file);
    }
    const others = files.filter((file) => !/^(?:bin|dist|assets)\/|^(?:openapi|package)\.json$|^[A-Z]+(?:\.md)?$/.test(file));
    assert.deepEqual(others, []);
    assert.deepEqual(
      files.filter((file) => /\.map$|\.ts$|\.compiled|stamp/.test(file)),
      [],
    );
  });

  it('serves, and its commands work, with production dependencies alone and without a clone', async () => {
    const work = await mkdtemp(join(folder, 'work-'));
    const env = { PATH: process.env.PATH, HOME: work, PORT: '0', DATA_DIR: join(work, 'data') };
    const child = spawn(process.execPath, [program, 'serve'], { cwd: work, env, stdio: ['ignore', 'ignore', 'pipe'] });
    reap(child);
    try {
      const url = await readAddress(child.stderr);
      const { token } = await register({ url });
      const page = await call({ url }, 'GET', '/dashboard');
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
      // A loop is rendered in a child process, whose file must be in the package too.
      const body = { name: 'greeting', template: '{% for a in (1..3) %}{% for b in (1..3) %}{{ b }}{% endfor %}{% endfor %}' };
      assert.equal((await call({ url }, 'POST', '/api/prompts', { key: token, body })).status, 201);
      assert.equal((await call({ url }, 'POST', '/api/prompts/greeting/render', { key: token, body: {} })).status, 200);
      await run(process.execPath, [program, 'pull'], {
        cwd: work,
        env: { PATH: process.env.PATH, HOME: work, PROMPTHARBOR_URL: url, PROMPTHARBOR_API_KEY: token },
      });
      assert.deepEqual(await readdir(join(work, 'prompts')), ['greeting.prompt.yaml']);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });

  it('commands for prompts load nothing of the server', async () => {
    const trace = `
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { if (url.startsWith('file:') || url === 'node:sqlite') console.error(url); return next(url, context); } });
      process.argv.splice(1, 1, ${JSON.stringify(program)}, 'status');
      await import(${JSON.stringify(program)});
      await new Promise((resolve) => process.once('beforeExit', resolve));`;
    const env = { PATH: process.env.PATH, HOME: folder, PROMPTHARBOR_URL: 'http://127.0.0.1:1', PROMPTHARBOR_API_KEY: 'ph_none' };
    const failed = await run(process.execPath, ['--input-type=module', '-e', trace, '-'], { cwd: folder, env }).catch(
      (err: { stderr: string }) => err,
    );
    const loaded = failed.stderr.split('\n').filter((line) => /^(?:file|node):/.test(line));
    const bytes = loaded.filter((url) => url.startsWith('file:')).reduce((sum, url) => sum + readFileSync(fileURLToPath(url)).length, 0);
    assert.ok(
      loaded.some((url) => url.includes('/dist/prompts-')),
      failed.stderr,
    );
    assert.deepEqual(
      loaded.filter((url) => /serve-|service-|store-|migrate-|node_modules|node:sqlite/.test(url)),
      [],
    );
    assert.ok(bytes < 380_000, `${bytes} bytes of code`);
  });
});

function readAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stderr.on('data', (chunk: Buffer) => {
      text += chunk;
      const url = /ready at (http:\S+)/.exec(text)?.[1];
      if (url) resolve(url);
    });
    stderr.once('end', () => reject(new Error(text)));
  });
}

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { buildExecutable } from '../../../scripts/release/executable.ts';
import { call, register } from '../../support/client.ts';
import { reap } from '../../support/reaper.ts';

const run = promisify(execFile);

describe('the single executable', () => {
  it('serves, renders in a child process, reports its health and makes a backup, without Node on the path', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'promptharbor-executable-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const program = join(folder, 'promptharbor');
    await buildExecutable({ work: join(folder, 'work'), output: program, node: process.execPath });

    const env = { PATH: '/nonexistent', PORT: '0', DATA_DIR: join(folder, 'data') };
    assert.match((await run(program, ['--version'], { env })).stdout, /^\d+\.\d+\.\d+ \(executable, commit (?:[0-9a-f]{40}|unknown)\)\n$/);
    const child = spawn(program, ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    reap(child);
    try {
      const url = await readAddress(child.stderr);
      const { token: key } = await register({ url });
      const template = '{% for a in (1..100) %}{% for b in (1..100) %}{{ x }}{% endfor %}{% endfor %}';
      assert.equal((await call({ url }, 'POST', '/api/prompts', { key, body: { name: 'heavy', template } })).status, 201);
      const { body } = await call({ url }, 'POST', '/api/prompts/heavy/render', { key, body: { variables: { x: 'y' } } });
      assert.equal((body as { text: string }).text, 'y'.repeat(10_000));

      const { text: page } = await call({ url }, 'GET', '/dashboard');
      const script = /\/dashboard\/assets\/[^"]+\.js/.exec(page)?.[0] ?? '';
      const asset = await fetch(url + script, { headers: { 'accept-encoding': 'br' } });
      assert.equal(asset.headers.get('content-encoding'), 'br');
      assert.equal(await asset.text(), await (await fetch(url + script, { headers: { 'accept-encoding': 'identity' } })).text());
      for (const path of ['/docs', '/docs/guides', '/docs/guides/running', '/api/openapi.json']) {
        assert.equal((await call({ url }, 'GET', path)).status, 200, path);
      }
      const { port } = new URL(url);
      assert.equal((await run(program, ['health'], { env: { ...env, PORT: port } })).stdout, 'ready\n');
      assert.match((await run(program, ['backup', join(folder, 'backup.db')], { env })).stdout, /verified/);
      assert.match((await run(program, ['doctor', join(folder, 'backup.db')], { env })).stdout, /1 account, 1 prompt/);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    await assert.rejects(run(program, ['health'], { env: { ...env, PORT: '1' } }), { code: 1, stdout: /^not ready: / });
  });
});

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const url = /ready at (http:\S+)/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(text);
}

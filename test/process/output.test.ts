import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { call, register } from '../support/client.ts';
import { withDataDir } from '../support/process.ts';
import { reap } from '../support/reaper.ts';

const programFile = fileURLToPath(new URL('../../bin/promptharbor.js', import.meta.url));

describe('promptharbor with an output that fails', { skip: process.platform !== 'linux' }, () => {
  it('serve: a full disk behind standard output: continues to serve, and stops cleanly', () =>
    withDataDir(async (dataDir) => {
      const { child, url } = await serveInto('/dev/full', dataDir);
      const { token: key } = await register({ url });
      // Writes more log lines than fit into one write, so that several writes fail.
      for (let count = 0; count < 30; count += 1) {
        const responses = await Promise.all(Array.from({ length: 20 }, () => call({ url }, 'GET', '/api/auth/token', { key })));
        for (const { status } of responses) assert.equal(status, 200);
      }
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    }));

  it('serve: a pipe that nobody reads: continues to serve, and stops cleanly', () =>
    withDataDir(async (dataDir) => {
      const pipe = join(dataDir, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      const { child, url } = await serveInto(pipe, dataDir);
      // Writes about 300 KB of log lines, because a pipe holds 64 KB.
      for (let count = 0; count < 30; count += 1) {
        await Promise.all(Array.from({ length: 50 }, () => call({ url }, 'GET', '/healthz')));
      }
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      closeSync(reader);
    }));

  it('a command: standard output is full: exits 1 without a stack', async () => {
    const child = spawn(process.execPath, [programFile, '--help'], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(stderr, '');
    assert.equal(code, 1);
  });
});

async function serveInto(file: string, dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [programFile, 'serve'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', openSync(file, 'w'), 'pipe'],
  });
  reap(child);
  let stderr = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with code ${code}: ${stderr}`)));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
      const match = /ready at (http:\S+)/.exec(stderr);
      if (match?.[1]) resolve(match[1]);
    });
  });
  return { child, url };
}

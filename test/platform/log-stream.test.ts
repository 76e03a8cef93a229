import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createLogStream } from '../../src/platform/log-stream.ts';
import { withDataDir } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

const line = (count: number) => `{"count":${count}}\n`;

describe('Log stream', () => {
  it('writes all lines in order, including lines that remain at the end', () =>
    withDataDir(async (folder) => {
      const file = join(folder, 'log');
      const fd = openSync(file, 'w');
      const stream = createLogStream({ fd });
      let expected = '';
      for (let count = 0; count < 20_000; count += 1) {
        stream.write(line(count));
        expected += line(count);
      }
      await retryUntil('lines are written in the background', async () => readFileSync(file).length > 0);
      stream.flush();
      await retryUntil('no write is under way', async () => readFileSync(file).length === expected.length);
      stream.write(line(-1));
      stream.flushSync();
      assert.equal(readFileSync(file, 'utf8'), expected + line(-1));
      closeSync(fd);
    }));

  it('drops lines that do not fit, reports that with the next lines, and never buffers more', () =>
    withDataDir(async (folder) => {
      const file = join(folder, 'log');
      const fd = openSync(file, 'w');
      const stream = createLogStream({ fd, maxBufferedCharacters: 100 });
      for (let count = 0; count < 1000; count += 1) stream.write(line(count));
      stream.flushSync();
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      const report = JSON.parse(lines[0] ?? '') as { level: string; dropped: number };
      assert.equal(report.level, 'warn');
      assert.equal(report.dropped + lines.length - 1, 1000);
      closeSync(fd);
    }));

  it('continues when the destination refuses lines, such as a full disk', { skip: process.platform !== 'linux' }, async () => {
    const fd = openSync('/dev/full', 'w');
    const stream = createLogStream({ fd });
    for (let count = 0; count < 20_000; count += 1) stream.write(line(count));
    stream.flush();
    stream.flushSync();
    closeSync(fd);
    // The descriptor no longer exists.
    stream.write(line(1));
    stream.flush();
    stream.flushSync();
  });

  it('gives up at exit on a pipe that nobody reads', { skip: process.platform !== 'linux' }, async () => {
    const source = new URL('../../src/platform/log-stream.ts', import.meta.url).href;
    const script = `
      const { createLogStream } = await import(${JSON.stringify(source)});
      // Makes the pipe non-blocking, as a terminal multiplexer or another process that uses it may do.
      process.stdout._handle.setBlocking(false);
      const stream = createLogStream({ fd: 1 });
      // The first line is written in the background, and the second waits for it.
      for (const letter of 'ab') stream.write(letter.repeat(1_000_000) + '\\n');
      stream.flushSync();
      process.exit(7);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 7);
  });
});

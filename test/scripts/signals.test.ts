import assert from 'node:assert/strict';
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { reap } from '../support/reaper.ts';

const module = new URL('../../scripts/signals.js', import.meta.url);
// Like the service, this program handles only the first signal and needs a moment to shut down.
const service = `process.once('SIGTERM', () => setTimeout(() => { console.log('stopped'); process.exit(7); }, 300));`;
const wait = `setInterval(() => {}, 1000); console.log('ready');`;

describe('scripts/signals.js', () => {
  it('relaySignals: a signal reaches the child, and its exit code comes back', async () => {
    const program = await start(relayTo(`${service} ${wait}`));
    program.child.kill('SIGTERM');
    assert.deepEqual(await program.ended, [7, null]);
    assert.match(program.output(), /stopped/);
  });

  it('relaySignals: ends with the signal that ended the child', async () => {
    const program = await start(relayTo(wait));
    program.child.kill('SIGHUP');
    assert.deepEqual(await program.ended, [null, 'SIGHUP']);
  });

  it('stopWithParent: stops when its parent is killed', async () => {
    const parent = await start(
      `import { spawn } from 'node:child_process';
      spawn(process.execPath, ${JSON.stringify(argsOf(`stopWithParent(); ${service} ${wait}`))}, { stdio: 'inherit' });`,
    );
    parent.child.kill('SIGKILL');
    // The two processes share the output, so it is closed only when both have exited.
    await parent.closed;
    assert.match(parent.output(), /stopped/);
  });

  it('SIGINT to npm alone stops the service', { skip: process.platform === 'win32' }, async (t) => {
    const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const script of Object.values(scripts)) assert.doesNotMatch(script, /(?<!^exec )node scripts\/run\.js/);
    const folder = await mkdtemp(join(tmpdir(), 'promptharbor-signals-'));
    t.after(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'scripts'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: scripts.start } }));
    await writeFile(join(folder, 'scripts', 'run.js'), `${service.replace('SIGTERM', 'SIGINT')} ${wait}`);
    const program = await watch(spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }));
    program.child.kill('SIGINT');
    await program.closed;
    assert.match(program.output(), /stopped/);
  });
});

interface Program {
  child: ChildProcess;
  output(): string;
  /** The exit code and the signal. */
  ended: Promise<unknown[]>;
  closed: Promise<unknown[]>;
}

/** Runs code that may use the functions of scripts/signals.js, and waits until it prints "ready". */
async function start(code: string): Promise<Program> {
  return watch(spawn(process.execPath, argsOf(code), { stdio: ['ignore', 'pipe', 'inherit'] }));
}

async function watch(child: ChildProcessByStdio<null, Readable, null>): Promise<Program> {
  reap(child);
  let output = '';
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.includes('ready')) resolve();
  });
  const program = { child, output: () => output, ended: once(child, 'exit'), closed: once(child, 'close') };
  await Promise.race([ready, program.ended]);
  return program;
}

function argsOf(code: string): string[] {
  return ['--input-type=module', '--eval', `import { relaySignals, stopWithParent } from '${module}'; ${code}`];
}

function relayTo(code: string): string {
  const args = JSON.stringify(['--eval', code]);
  return `import { spawn } from 'node:child_process'; relaySignals(spawn(process.execPath, ${args}, { stdio: 'inherit' }));`;
}

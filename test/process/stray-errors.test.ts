import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';

/** Runs code in a child process that handles stray errors like the service and exits when it is told to stop. */
async function run(code: string): Promise<{ exitCode: number; output: string }> {
  const source = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);
  const script = `
    const { catchStrayErrors } = await import(${source('cli/stray-errors.ts')});
    const { createLogger } = await import(${source('platform/logger.ts')});
    const logger = createLogger('info');
    const running = setInterval(() => {}, 1000);
    const stop = () => { logger.info('stopping'); clearInterval(running); };
    catchStrayErrors(logger, stop);
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, output };
}

describe('An error that nothing caught', () => {
  it('a rejected promise is logged, and the process continues', async () => {
    const { exitCode, output } = await run(`
      Promise.reject(new Error('stray rejection'));
      setTimeout(() => { logger.info('still running'); stop(); }, 10);`);
    assert.equal(exitCode, 0);
    assert.match(output, /"level":"error".*stray rejection/);
    assert.match(output, /still running/);
  });

  it('an exception is logged, and the process stops cleanly with exit code 1', async () => {
    const { exitCode, output } = await run(`
      process.on('exit', () => process.stdout.write('exit\\n'));
      setTimeout(() => { throw new Error('stray exception'); }, 1);`);
    assert.equal(exitCode, 1);
    assert.match(output, /"level":"fatal".*stray exception/);
    assert.match(output, /stopping.*exit\n/s);
  });
});

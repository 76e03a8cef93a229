// Runs commands one after the other, each as bin/promptharbor.js would in a process of its own. See command-host.ts.
import { Readable } from 'node:stream';
import './cheap-hashes.ts';
import type { HostedCommand } from './command-host.ts';

const program: Promise<typeof import('../../src/main.ts')> = import(new URL('../../dist/main.js', import.meta.url).href);
/** The exit code of Node if nothing is left to do before the program has finished. */
const unfinishedExitCode = 13;

process.on('message', async ({ args, env, cwd, input, end }: HostedCommand) => {
  const { main } = await program;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)], { objectMode: false }), configurable: true });
  process.exitCode = undefined;

  // The command ends when nothing keeps the process alive, as it would in a process of its own.
  let isFinished = false;
  process.channel?.unref();
  process.once('beforeExit', (code) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
    process.channel?.ref();
    process.send?.(isFinished ? code : unfinishedExitCode);
    for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').write(end);
  });
  process.exitCode = await main(args);
  isFinished = true;
});

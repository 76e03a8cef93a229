import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { reap } from './reaper.ts';

/** The service as an operator runs it: a process of its own, started by the command. */
export interface Instance {
  url: string;
  signal(signal: NodeJS.Signals): void;
  /** Ends it, asking first unless told otherwise. Resolves with the exit code when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const command = join(import.meta.dirname, '../../bin/promptharbor.js');

export async function startInstance(env: Record<string, string>): Promise<Instance> {
  const child = spawn(process.execPath, [command, 'serve'], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  reap(child);
  const exited = once(child, 'exit');
  const printed: string[] = [];
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    printed.push(line);
    const url = /ready at (http:\S+)/.exec(line)?.[1];
    if (url) ready.resolve(url);
  });
  exited.then(() => ready.reject(new Error(`The instance ended before it was ready:\n${printed.join('\n')}`)));

  return {
    url: await ready.promise,
    signal: (signal) => void child.kill(signal),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

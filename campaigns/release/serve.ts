import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { reap } from '../../test/support/reaper.ts';
import { findErrors } from '../../test/support/writers/kill-round.ts';

/** One form of the release, while it serves. */
export interface Served {
  url: string;
  /** Stops the service as an operator would, and returns what went wrong. */
  stop(): Promise<string[]>;
  /** Kills the service without a chance to clean up. */
  kill(): Promise<void>;
}

/** Waits until the service is ready. `findPid` returns the process that serves, if that is not the child itself. */
export async function awaitService(child: ChildProcess, findPid = async () => child.pid): Promise<Served> {
  reap(child);
  let output = '';
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const url = /ready at (http:\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  const ended = once(child, 'close');
  const failed = ended.then((): never => {
    throw new Error(`The service ended: ${output}`);
  });
  const url = await Promise.race([ready, failed]);
  const pid = await findPid();
  if (pid === undefined) throw new Error('The service has no process.');
  return {
    url,
    async stop() {
      process.kill(pid, 'SIGTERM');
      const [code] = await ended;
      return [...(code === 0 ? [] : [`the service ended with code ${code}`]), ...findErrors(output)];
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

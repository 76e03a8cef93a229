import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../test/support/postgres/server.ts';

/** A server under test, in a process of its own. */
export interface ServerProcess {
  port: number;
  pid: number;
  /** From the start of the process to the first answer. */
  startMs: number;
  stop(): Promise<void>;
}

/** Starts a server and waits for its first answer. It finds its port in PORT. */
export async function startServer(args: string[], env: Record<string, string> = {}, path = '/healthz'): Promise<ServerProcess> {
  const port = await findFreePort();
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  await firstAnswer(`http://127.0.0.1:${port}${path}`, child);
  const startMs = performance.now() - started;
  return {
    port,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Resident memory now, on Linux; undefined elsewhere. */
export function residentMib(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** CPU time used so far, on Linux; undefined elsewhere. It tells more than throughput where the machine is busy with other things. */
export function cpuMs(pid: number): number | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`A server ended with code ${child.exitCode} instead of starting`);
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await delay(5);
    }
  }
}

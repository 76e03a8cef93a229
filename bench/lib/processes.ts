import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../test/support/postgres/server.ts';

/** A server process under test. */
export interface ServerProcess {
  port: number;
  pid: number;
  /** The time from the start of the process to its first response. */
  startMs: number;
  stop(): Promise<void>;
}

/** Starts a server on the port in PORT and waits for its first response. */
export async function startServer(args: string[], env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = await findFreePort();
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  await waitForResponse(`http://127.0.0.1:${port}/healthz`, child);
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

/** Returns the current resident memory, or undefined if this is not Linux. */
export function residentMib(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

async function waitForResponse(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`A server exited with code ${child.exitCode} before it was ready`);
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await delay(5);
    }
  }
}

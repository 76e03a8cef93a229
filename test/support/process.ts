import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finished, runInHost } from './command-host.ts';
import { findFastFolder } from './fast-folder.ts';
import { reap } from './reaper.ts';

const programFile = fileURLToPath(new URL('../../bin/promptharbor.js', import.meta.url));

/** The setting with which a program hashes cheaply, as this process does. */
export const withCheapHashes = { NODE_OPTIONS: `--import=${new URL('./cheap-hashes.ts', import.meta.url)}` };

/** Without this flag, a starting program spends a third of its CPU time on garbage collection in its first megabytes. */
export const quickStart = ['--min-semi-space-size=16'];

/** The commands that hash passwords. All other commands start faster without the setting. */
const hashing = new Set<string | undefined>(['serve', 'accounts']);

/** The built program in a separate process. The program does not inherit this process's settings. */
export interface RunningProgram {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  finished: Promise<Finished>;
}

/** The running programs with their data folders. */
const programs = new Map<RunningProgram, string | undefined>();

/** Starts the program. `file` selects another build. */
export function startProgram(args: string[], env: Record<string, string> = {}, cwd?: string, file = programFile): RunningProgram {
  const child = spawn(process.execPath, [...quickStart, file, ...args], {
    env: { ...baseEnv(), ...(hashing.has(args[0]) && withCheapHashes), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd,
  });
  reap(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const finished = once(child, 'close').then(([code]): Finished => ({ code: code as number | null, stdout, stderr }));
  const program = { child, stdout: () => stdout, stderr: () => stderr, finished };
  programs.set(program, env.DATA_DIR);
  child.once('close', () => programs.delete(program));
  return program;
}

/** Tests start many programs, and the cache of compiled code makes each start a third faster. */
function baseEnv(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(tmpdir(), 'promptharbor-compile-cache') };
}

/** Runs a command to its end, with `input` on its standard input. */
export async function runProgram(args: string[], env: Record<string, string> = {}, input = '', cwd = process.cwd()): Promise<Finished> {
  // Node reads its own settings only when a process starts, and the service stays in a process of its own.
  if (args[0] !== 'serve' && !Object.keys(env).some((name) => name.startsWith('NODE_'))) {
    return runInHost({ args, env: { ...baseEnv(), ...env }, cwd, input }, quickStart);
  }
  const { child, finished } = startProgram(args, env, cwd);
  child.stdin?.end(input);
  return finished;
}

export interface ServedProgram extends RunningProgram {
  url: string;
  /** Stops the program as an operator would. */
  stop(): Promise<Finished>;
  /** Kills the program without a chance to clean up. */
  kill(): Promise<Finished>;
}

/** Starts the service and waits until it prints its address. The service has no write limit, because tests save faster than people. */
export async function serveProgram(env: Record<string, string>, file?: string): Promise<ServedProgram> {
  const running = startProgram(['serve'], { PORT: '0', WRITE_LIMIT_PER_MINUTE: 'off', ...env }, undefined, file);
  const url = await Promise.race([
    new Promise<string>((resolve) => {
      running.child.stderr?.on('data', () => {
        const match = /ready at (http:\S+)/.exec(running.stderr());
        if (match?.[1]) resolve(match[1]);
      });
    }),
    running.finished.then(({ code, stderr }): never => {
      throw new Error(`The service ended with code ${code}: ${stderr}`);
    }),
  ]);
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    running.child.kill(signal);
    return running.finished;
  };
  return { ...running, url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** Creates a data folder and removes it after `use`. If programs still use the folder after a failure, they are killed. */
export async function withDataDir(use: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(findFastFolder(), 'promptharbor-process-'));
  try {
    await use(dataDir);
  } finally {
    for (const [{ child, finished }, folder] of programs) {
      if (!folder?.startsWith(dataDir)) continue;
      child.kill('SIGKILL');
      await finished;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

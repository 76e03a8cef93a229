import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { reap } from './reaper.ts';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Command {
  args: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  input: string;
}

/** A command for command-host-process.ts, which writes `end` to both of its outputs after the command. */
export interface HostedCommand extends Command {
  end: string;
}

/** Processes that wait for a command. */
const idle: ChildProcess[] = [];

/**
 * Runs a command of the built program. Starting a process takes ten times as long as most commands, so a process runs many commands, one
 * after the other. Commands that run at the same time have different processes.
 */
export async function runInHost(command: Command, execArgv: string[]): Promise<Finished> {
  const host = idle.pop() ?? startHost(execArgv, command.env);
  host.channel?.ref();
  const finished = await run(host, command);
  host.channel?.unref();
  if (host.connected) idle.push(host);
  return finished;
}

function startHost(execArgv: string[], { PATH, NODE_COMPILE_CACHE }: Command['env']): ChildProcess {
  const env = { PATH, NODE_COMPILE_CACHE };
  const host = fork(join(import.meta.dirname, 'command-host-process.ts'), { execArgv, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  reap(host);
  for (const stream of [host.stdout, host.stderr]) {
    stream?.setEncoding('utf8');
    // A waiting process does not keep this one alive.
    if (stream instanceof Socket) stream.unref();
  }
  host.unref();
  host.once('close', () => idle.splice(0, idle.length, ...idle.filter((each) => each !== host)));
  return host;
}

function run(host: ChildProcess, command: Command): Promise<Finished> {
  const { promise, resolve } = Promise.withResolvers<Finished>();
  const end = `end ${randomUUID()}`;
  const result: Finished = { code: null, stdout: '', stderr: '' };
  const finish = () => {
    host.stdout?.off('data', onStdout);
    host.stderr?.off('data', onStderr);
    host.off('message', onCode).off('close', onClose);
    resolve({ ...result, stdout: result.stdout.replace(end, ''), stderr: result.stderr.replace(end, '') });
  };
  const finishAtEnd = () => {
    if (result.code !== null && result.stdout.endsWith(end) && result.stderr.endsWith(end)) finish();
  };
  const onStdout = (text: string) => {
    result.stdout += text;
    finishAtEnd();
  };
  const onStderr = (text: string) => {
    result.stderr += text;
    finishAtEnd();
  };
  const onCode = (code: number) => {
    result.code = code;
    finishAtEnd();
  };
  // The command ended the process, for example with an exception.
  const onClose = (code: number | null) => {
    result.code = code;
    finish();
  };
  host.stdout?.on('data', onStdout);
  host.stderr?.on('data', onStderr);
  host.on('message', onCode).once('close', onClose);
  host.send({ ...command, end } satisfies HostedCommand);
  return promise;
}

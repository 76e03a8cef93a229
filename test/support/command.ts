import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `promptharbor` with these arguments as an operator would. */
export async function runCommand(args: string[], env: Record<string, string>): Promise<CommandResult> {
  const command = join(import.meta.dirname, '../../bin/promptharbor.js');
  const child = spawn(process.execPath, [command, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}

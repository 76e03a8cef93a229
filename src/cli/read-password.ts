import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError, exitCodes } from './errors.ts';
import { write } from './terminal.ts';

/** Prompts twice without echo on a terminal, otherwise reads the first line of standard input. Not an option, because `ps` shows those. */
export async function readNewPassword(prompt: string): Promise<string> {
  const password = await readPassword(prompt);
  if (process.stdin.isTTY && (await readPassword('Again: ')) !== password) {
    throw new CliError('The two passwords differ. Nothing was changed.', exitCodes.usage);
  }
  return password;
}

async function readPassword(prompt: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: noEcho, terminal: isTerminal });
  // The terminal no longer shows what is typed.
  if (isTerminal) write(process.stderr, prompt);
  try {
    for await (const line of lines) {
      if (line !== '') return line;
    }
  } finally {
    lines.close();
    if (isTerminal) write(process.stderr, '\n');
  }
  throw new CliError('No password was given.', exitCodes.usage);
}

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../errors.ts';

/** Asks without echo on a terminal; otherwise takes the first line of standard input. Never an argument: those show in `ps`. */
export async function readPassword(prompt: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write(prompt);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silence, terminal: isTerminal });
  try {
    for await (const line of lines) {
      if (line !== '') return line;
    }
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write('\n');
  }
  throw new StartError('No password was given.');
}

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './errors.ts';
import { write } from './terminal.ts';

/** Asks questions on a terminal. Without a terminal, reads one line of standard input for each question. */
export function createQuestions() {
  const isTerminal = process.stdin.isTTY === true;
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      // The chunk must not be escaped. It contains what the person types and the escape sequences that readline adds.
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  // The reader is created with the first question, so that a command that asks nothing does not read its input.
  let lines: { reader: Interface; iterator: AsyncIterator<string> } | undefined;

  async function ask(question: string, hidden: boolean): Promise<string> {
    if (!lines) {
      const reader = createInterface({ input: process.stdin, output, terminal: isTerminal });
      // During a question, Ctrl+C ends the program in the same way as at any other time.
      reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      lines = { reader, iterator: reader[Symbol.asyncIterator]() };
    }
    if (isTerminal) write(process.stderr, question);
    isHidden = hidden;
    const { value, done } = await lines.iterator.next();
    isHidden = false;
    if (hidden && isTerminal) write(process.stderr, '\n');
    if (done) throw new UsageError(`Standard input has no answer for "${question.replace(/:? *$/, '')}".`);
    return value;
  }

  return {
    ask: (question: string) => ask(question, false),
    /** Asks a question without showing what the person types. */
    askHidden: (question: string) => ask(question, true),
    close: () => lines?.reader.close(),
  };
}

/** Asks the only question of a command. */
export async function askOnce(question: string): Promise<string> {
  const questions = createQuestions();
  try {
    return (await questions.ask(question)).trim();
  } finally {
    questions.close();
  }
}

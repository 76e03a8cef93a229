import type { WriteStream } from 'node:tty';
import { overwriteLine, toLine, write } from './terminal.ts';

const width = 40;

/** Draws a bar if the stream is a terminal, and otherwise writes one line per task. */
export function createProgressBar(stream: Pick<WriteStream, 'isTTY' | 'write'>) {
  let last = '';
  return {
    show(done: number, total: number, task: string): void {
      if (!stream.isTTY) {
        if (task !== last) write(stream, `${toLine(task)} ...\n`);
        last = task;
        return;
      }
      const share = total === 0 ? 1 : done / total;
      const filled = Math.round(share * width);
      const bar = `[${'='.repeat(filled)}${' '.repeat(width - filled)}] ${String(Math.floor(share * 100)).padStart(3)}%  ${task}`;
      if (bar !== last) overwriteLine(stream, bar);
      last = bar;
    },
    end(): void {
      if (stream.isTTY && last !== '') write(stream, '\n');
    },
    /** Removes the bar, so that something else can be printed in its place. */
    clear(): void {
      if (stream.isTTY && last !== '') overwriteLine(stream, '');
      last = '';
    },
  };
}

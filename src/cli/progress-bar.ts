import type { WriteStream } from 'node:tty';

export interface ProgressBar {
  show(done: number, total: number, what: string): void;
  end(): void;
}

const width = 40;

/** A bar on a terminal; elsewhere, in a log say, one line for each new thing that is being worked on. */
export function createProgressBar(stream: Pick<WriteStream, 'isTTY' | 'write'>): ProgressBar {
  let last = '';
  return {
    show(done, total, what) {
      if (!stream.isTTY) {
        if (what !== last) stream.write(`${what} ...\n`);
        last = what;
        return;
      }
      const share = total === 0 ? 1 : done / total;
      const filled = Math.round(share * width);
      const bar = `[${'='.repeat(filled)}${' '.repeat(width - filled)}] ${String(Math.floor(share * 100)).padStart(3)}%  ${what}`;
      if (bar !== last) stream.write(`\r\u001b[K${bar}`);
      last = bar;
    },
    end() {
      if (stream.isTTY && last !== '') stream.write('\n');
    },
  };
}

import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** For people who watch: hints and progress, never the result. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Colors a text on a terminal that shows colors, unless NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** On one line, and without what would move the cursor. */
export function toLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** Rows with columns of equal width. */
export function formatTable(rows: string[][]): string {
  const clean = rows.map((row) => row.map(toLine));
  const widths = clean.reduce<number[]>((known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)), []);
  return clean
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `1 prompt`, `2 prompts`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

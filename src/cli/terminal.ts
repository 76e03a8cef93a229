import { randomUUID } from 'node:crypto';
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const esc = '\u001b';
/** Marks the escape sequences of this program until they are written. The mark is random, so that no other text can contain it. */
const mark = `${esc}${randomUUID()}`;

/**
 * Writes text. All output passes through this function. Text that other people wrote, such as a prompt or a name, must not move the
 * cursor, change what is shown or answer questions. On a terminal, its control characters are therefore written as escapes such as
 * `\u009b`. Files and pipes receive the exact text.
 */
export function write(stream: Pick<WriteStream, 'isTTY' | 'write'>, text: string): boolean {
  return stream.write(stream.isTTY ? text.split(mark).map(escapeControls).join(esc) : text.replaceAll(mark, esc));
}

export function print(text: string): void {
  write(process.stdout, `${text}\n`);
}

/** Prints a line about a prompt: a mark, its name and, if there is one, a remark. */
export function printMarked([style, mark]: readonly [Style, string], name: string, remark = ''): void {
  print(`${paint(style, mark)} ${toLine(name)}${remark && `  ${paint('dim', toLine(remark))}`}`);
}

/** Prints hints and progress for people, never the result. */
export function note(text: string): void {
  write(process.stderr, `${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Colors text on a terminal that shows colors, unless NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  const [open = '', close = ''] = styleText(style, '|', { stream: process.stdout }).split('|');
  return `${open.replaceAll(esc, mark)}${text}${close.replaceAll(esc, mark)}`;
}

/** Replaces the terminal's current line. */
export function overwriteLine(stream: Pick<WriteStream, 'write'>, text: string): void {
  stream.write(`\r${esc}[K${toLine(text)}`);
}

/** Puts text on one line, without characters that would move the cursor or change the direction of the text. */
export function toLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(directions, '');
}

/** Characters that change the direction of text, and can therefore disguise it. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const controls = new RegExp(`[^\\P{Cc}\\n\\t]|${directions.source}`, 'gu');

/** Escapes control characters as JSON does, so that JSON output keeps its meaning. */
function escapeControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats rows with columns of equal width. */
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

export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}

/** Formats a number with its noun: `1 prompt`, `2 prompts`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

import type { Warning } from '../../contract/warnings.ts';
import { note, paint, toLine } from '../terminal.ts';

/** Prints the warnings of a request that moved a label. */
export function noteWarnings(name: string, warnings: Warning[]): void {
  for (const { message } of warnings) note(`${paint('yellow', 'Warning:')} ${toLine(`${name}: ${message}`)}.`);
}

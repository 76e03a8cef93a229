import type { Warning } from '../../contract/warnings.ts';
import { note, paint, toLine } from '../terminal.ts';

/** Prints what fails since a label was moved. */
export function noteWarnings(name: string, warnings: Warning[]): void {
  for (const { message } of warnings) note(`${paint('yellow', 'Warning:')} ${toLine(`${name}: ${message}`)}.`);
}

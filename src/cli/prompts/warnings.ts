import type { Warning } from '../../contract/warnings.ts';
import { note, paint, toLine } from '../terminal.ts';

/** Prints warnings about what fails after a label was moved. */
export function noteWarnings(name: string, warnings: Warning[]): void {
  for (const { message } of warnings) note(`${paint('yellow', 'Warning:')} ${toLine(`${name}: ${message}`)}.`);
}

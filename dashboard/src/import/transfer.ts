import { readLines } from '../../../client/src/http/lines.ts';
import { readChunks } from '../../../client/src/http/read-text.ts';
import { createTransfer } from '../../../client/src/resources/transfer.ts';
import type { ImportedPrompt } from '../../../client/src/types.ts';
import { sender } from '../lib/api.ts';

/** Prompts with all of their versions, as lines of an export. */
export interface ExportSource {
  /** Where they come from, such as the name of a file. */
  title: string;
  lines(): AsyncIterable<string> | Iterable<string>;
  /** What could not be carried over. */
  losses: string[];
  /** Prompts that are not among the lines, and why. */
  refused: ImportedPrompt[];
}

/** Imports lines of an export into the current workspace. */
export const { import: importLines } = createTransfer(sender);

/** The lines of a file, read as they are needed. */
export function toSource(title: string, file: Blob): ExportSource {
  return { title, lines: () => readLines(readChunks(file.stream())), losses: [], refused: [] };
}

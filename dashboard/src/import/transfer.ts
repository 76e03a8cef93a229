import { readLines } from '../../../client/src/http/lines.ts';
import { readChunks } from '../../../client/src/http/read-text.ts';
import { createTransfer } from '../../../client/src/resources/transfer.ts';
import type { ImportedPrompt } from '../../../client/src/types.ts';
import { sender } from '../lib/api.ts';

/** Prompts with all of their versions, as lines of an export. */
export interface ExportSource {
  /** The source of the lines, such as the name of a file. */
  title: string;
  /** A description of what an import of these lines restores. */
  description: string;
  lines(): AsyncIterable<string> | Iterable<string>;
  /** The parts of the source that could not be imported. */
  losses: string[];
  /** The prompts that the lines do not contain, with the reasons. */
  refused: ImportedPrompt[];
}

/** Imports lines of an export into the current workspace. */
export const { import: importLines } = createTransfer(sender);

/** Returns the lines of a file. The file is read only as the lines are needed. */
export function toSource(title: string, file: Blob): ExportSource {
  const description = 'Restores every version, label, tag, config, test case and history entry.';
  return { title, description, lines: () => readLines(readChunks(file.stream())), losses: [], refused: [] };
}

import { exportFormat } from '../contract/transfer-format.ts';

const firstLine = new RegExp(`^\\uFEFF?\\s*\\{\\s*"format"\\s*:\\s*"${exportFormat}"`);

/** The number of bytes that suffice to recognize an export. */
export const exportSignBytes = 100;

/**
 * Whether a text begins like an export of all prompts, which contains every version and is imported differently. The name of the file does
 * not matter.
 */
export function isExport(text: string): boolean {
  return firstLine.test(text.slice(0, exportSignBytes));
}

/** What to do with a prompt of an export: import it under a name, or skip it. */
export type ExportChoice = { name: string } | 'skip';

/** Yields the lines of an export, changed according to `choose` for each prompt. */
export async function* chooseLines(
  lines: AsyncIterable<string> | Iterable<string>,
  choose: (name: string) => ExportChoice,
): AsyncGenerator<string> {
  let isSkipped = false;
  for await (const line of lines) {
    const prompt = line.includes('"prompt"') ? parsePromptLine(line) : undefined;
    if (!prompt) {
      if (!isSkipped) yield line;
      continue;
    }
    const choice = choose(prompt.name);
    isSkipped = choice === 'skip';
    if (choice === 'skip') continue;
    yield choice.name === prompt.name ? line : JSON.stringify({ ...prompt, name: choice.name });
  }
}

function parsePromptLine(line: string): { name: string } | undefined {
  try {
    const value: { kind?: unknown; name?: unknown } | null = JSON.parse(line);
    return value?.kind === 'prompt' && typeof value.name === 'string' ? { ...value, name: value.name } : undefined;
  } catch {
    // The service reports which line is wrong.
    return undefined;
  }
}

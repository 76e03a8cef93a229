import { exportFormat } from '../contract/transfer-format.ts';

const firstLine = new RegExp(`^\\uFEFF?\\s*\\{\\s*"format"\\s*:\\s*"${exportFormat}"`);

/** The number of bytes that are enough to recognize an export. */
export const exportSignBytes = 100;

/**
 * Returns whether the text begins like an export of all prompts. Such an export contains every version and is imported in a different way.
 * The name of the file does not matter.
 */
export function isExport(text: string): boolean {
  return firstLine.test(text.slice(0, exportSignBytes));
}

/** The decision about a prompt in an export: to import it under a name, or to skip it. */
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
    // Invalid lines stay unchanged, because the service reports which line is invalid.
    return undefined;
  }
}

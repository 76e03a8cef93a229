import type { FileFormat, SourceFile } from './draft-types.ts';
import { isPlainObject } from './json-values.ts';
import { isPromptfooConfig } from './promptfoo.ts';
import { parseJson, parseYaml } from './structured-text.ts';

/** The extensions of files that may be imported. Other files are not read. */
export const readableFile = /\.(?:prompt|prompty|ya?ml|json|jsonl|txt|md|j2)$/i;

/** Recognizes the format of a file by its name or, for YAML and JSON, by its content. Returns undefined if the file cannot be imported. */
export function recognizeFormat({ path, text }: SourceFile): FileFormat | undefined {
  if (/\.prompt$/i.test(path)) return 'dotprompt';
  if (/\.prompty$/i.test(path)) return 'prompty';
  if (/\.prompt\.ya?ml$/i.test(path)) return 'prompt-yaml';
  if (/(?:^|\/)promptfooconfig[^/]*\.(?:ya?ml|json)$/i.test(path)) return 'promptfoo';
  if (/\.json$/i.test(path)) return recognizeValue(() => parseJson(text).value, text.includes('"prompts"') || text.includes('"items"'));
  return /\.ya?ml$/i.test(path) ? recognizeValue(() => parseYaml(text).value, /^prompts:/m.test(text)) : undefined;
}

/** Recognizes the format of parsed content. Only files that may be a config or an export are parsed. */
function recognizeValue(parse: () => unknown, isCandidate: boolean): FileFormat | undefined {
  if (!isCandidate) return undefined;
  try {
    const value = parse();
    if (isPromptfooConfig(value)) return 'promptfoo';
    return isPlainObject(value) && Array.isArray(value.items) && value.items.every(isItem) && value.items.length > 0 ? 'json' : undefined;
  } catch {
    return undefined;
  }
}

function isItem(item: unknown): boolean {
  return isPlainObject(item) && typeof item.name === 'string' && (item.template !== undefined || item.messages !== undefined);
}

import type { FileFormat, SourceFile } from './draft-types.ts';
import { isPlainObject } from './json-values.ts';
import { isPromptfooConfig } from './promptfoo.ts';
import { parseJson, parseYaml } from './structured-text.ts';

/** Endings of files that may have something to import, so that nobody reads the others. */
export const readableFile = /\.(?:prompt|prompty|ya?ml|json|jsonl|txt|md|j2)$/i;

/** The format of a file, by its name or, for YAML and JSON, by what is in it. Undefined if it is none that can be imported. */
export function recognizeFormat({ path, text }: SourceFile): FileFormat | undefined {
  if (/\.prompt$/i.test(path)) return 'dotprompt';
  if (/\.prompty$/i.test(path)) return 'prompty';
  if (/\.prompt\.ya?ml$/i.test(path)) return 'prompt-yaml';
  if (/(?:^|\/)promptfooconfig[^/]*\.(?:ya?ml|json)$/i.test(path)) return 'promptfoo';
  if (/\.json$/i.test(path)) return recognizeValue(() => parseJson(text).value, text.includes('"prompts"') || text.includes('"items"'));
  return /\.ya?ml$/i.test(path) ? recognizeValue(() => parseYaml(text).value, /^prompts:/m.test(text)) : undefined;
}

/** Parses only what may be a config or an export. */
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

import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { FileProblem } from './file-problem.ts';
import { assertJson } from './json-values.ts';
import type { Path } from './report.ts';

/** Parsed YAML or JSON, and the lines of its values in the file. */
export interface Structured {
  value: unknown;
  /** Returns the line of a key, or of an item of a list. */
  lineOf(...path: Path): number | undefined;
}

/** The maximum length of a file. A config has at most 64 KiB. A much larger file is not a prompt, and would take a long time to parse. */
const maxCharacters = 1024 * 1024;

/** Parses YAML, or throws a FileProblem. `firstLine` is the line of the file on which the text begins. */
export function parseYaml(text: string, firstLine = 1): Structured {
  return parseAs('YAML', text, () => {
    assertParsable(text);
    const { document, lineAt } = readDocument(text, firstLine);
    return { value: document.toJS(), lineOf: (...path) => findLine(document.contents, path, lineAt) };
  });
}

/** Parses JSON, or throws a FileProblem. */
export function parseJson(text: string): Structured {
  return parseAs('JSON', text, () => {
    let lines: Structured['lineOf'] | undefined;
    // JSON is also valid YAML, and the YAML parser records the lines. The text is parsed again only if something is reported.
    const lineOf: Structured['lineOf'] = (...path) => {
      lines ??= readLines(text);
      return lines(...path);
    };
    return { value: JSON.parse(text), lineOf };
  });
}

function parseAs(language: string, text: string, parse: () => Structured): Structured {
  if (text.length > maxCharacters) throw new FileProblem(`It is too large for a prompt (more than ${maxCharacters} characters)`);
  try {
    const parsed = parse();
    assertJson(parsed.value);
    return parsed;
  } catch (err) {
    if (err instanceof FileProblem) throw err;
    throw new FileProblem(`Not valid ${language}: ${describe(err)}`);
  }
}

function readLines(text: string): Structured['lineOf'] {
  try {
    assertParsable(text);
    const { document, lineAt } = readDocument(text, 1);
    return (...path) => findLine(document.contents, path, lineAt);
  } catch {
    return () => undefined;
  }
}

function readDocument(text: string, firstLine: number): { document: Document; lineAt: (offset: number) => number } {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1;
  // The parser's own check for duplicate keys is disabled, because it compares each key with every other key.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error) throw new FileProblem(`Not valid YAML: ${error.message}`, lineAt(error.pos[0]));
  visit(document, {
    Map(_key, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : key;
        if (keys.has(name))
          throw new FileProblem(`Not valid YAML: the key "${name}" appears twice`, hasRange(key) ? lineAt(key.range[0]) : undefined);
        keys.add(name);
      }
    },
  });
  return { document, lineAt };
}

const maxLines = 20_000;
const maxIndicators = 100_000;
const maxOpenBrackets = 2000;

/**
 * Refuses texts that would take too long to parse. The parser is slow for many values, and takes quadratic time for deep nesting. The
 * characters that begin values are also counted inside strings, but no real file has so many of them in its strings.
 */
function assertParsable(text: string): void {
  let [lines, indicators, depth, previous] = [1, 0, 0, 0];
  for (let index = 0; index < text.length && depth <= maxOpenBrackets; index += 1) {
    const code = text.charCodeAt(index);
    if (code === lineFeed) lines += 1;
    else if (code !== previous && indicatorCodes.has(code)) indicators += 1;
    if (code === openBracket || code === openBrace) depth += 1;
    else if ((code === closeBracket || code === closeBrace) && depth > 0) depth -= 1;
    previous = code;
  }
  if (depth > maxOpenBrackets || /(?:[-?] +){64}/.test(text)) throw new FileProblem('Not valid YAML: the values are nested too deeply');
  if (lines > maxLines || indicators > maxIndicators) throw new FileProblem('It has too many lines or values for a prompt');
}

const [lineFeed, openBracket, closeBracket, openBrace, closeBrace] = [0x0a, 0x5b, 0x5d, 0x7b, 0x7d];
const indicatorCodes = new Set([...'&!*:?,[{#-|>'].map((character) => character.charCodeAt(0)));

/** Describes a parser error. The parser has no limit for the depth of nesting, so it may overflow the stack. */
function describe(err: unknown): string {
  if (err instanceof RangeError) return 'the values are nested too deeply';
  return err instanceof Error ? err.message : String(err);
}

function findLine(contents: Node | null, path: Path, lineAt: (offset: number) => number): number | undefined {
  let node: unknown = contents;
  let offset = contents?.range?.[0];
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : undefined) === String(step));
      if (!pair) break;
      if (hasRange(pair.key)) offset = pair.key.range[0];
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (hasRange(node)) offset = node.range[0];
    } else break;
  }
  return offset === undefined ? undefined : lineAt(offset);
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

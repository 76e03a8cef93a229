import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { FileProblem } from './file-problem.ts';
import { assertJson } from './json-values.ts';

/** Parsed YAML or JSON, and where its values are in the file. */
export interface Structured {
  value: unknown;
  /** The line of a key, or of an item of a list. */
  lineOf(...path: (string | number)[]): number | undefined;
}

/** A config has at most 64 KiB; what is much larger takes long to parse and is not a prompt. */
const maxCharacters = 1024 * 1024;

/** Parses YAML, or throws a FileProblem. `firstLine` is where the text begins in its file. */
export function parseYaml(text: string, firstLine = 1): Structured {
  assertSize(text);
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1;
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    const [error] = document.errors;
    if (error) throw new FileProblem(`Not valid YAML: ${error.message}`, lineAt(error.pos[0]));
    const value: unknown = document.toJS();
    assertJson(value);
    return { value, lineOf: (...path) => findLine(document.contents, path, lineAt) };
  } catch (err) {
    if (err instanceof FileProblem) throw err;
    throw new FileProblem(`Not valid YAML: ${describe(err)}`);
  }
}

/** Parses JSON, or throws a FileProblem. */
export function parseJson(text: string): Structured {
  assertSize(text);
  try {
    const value: unknown = JSON.parse(text);
    assertJson(value);
    return { value, lineOf: (...path) => findJsonLine(text, path) };
  } catch (err) {
    if (err instanceof FileProblem) throw err;
    throw new FileProblem(`Not valid JSON: ${describe(err)}`);
  }
}

function assertSize(text: string): void {
  if (text.length > maxCharacters) throw new FileProblem(`It has more than ${maxCharacters} characters, which is more than any prompt`);
}

/** The parser has no limit of its own for values that are nested without end. */
function describe(err: unknown): string {
  if (err instanceof RangeError) return 'the values are nested too deeply';
  return err instanceof Error ? err.message : String(err);
}

/** JSON is YAML, which knows lines. It is parsed once more only if something is to be reported. */
function findJsonLine(text: string, path: (string | number)[]): number | undefined {
  const lineCounter = new LineCounter();
  try {
    const { contents } = parseDocument(text, { lineCounter, prettyErrors: false });
    return findLine(contents, path, (offset) => lineCounter.linePos(offset).line);
  } catch {
    return undefined;
  }
}

function findLine(contents: Node | null, path: (string | number)[], lineAt: (offset: number) => number): number | undefined {
  let node: unknown = contents;
  let offset = contents?.range?.[0];
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : undefined) === String(step));
      if (!pair) break;
      if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0];
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

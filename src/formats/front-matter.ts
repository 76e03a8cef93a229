import { FileProblem } from './file-problem.ts';
import { isPlainObject } from './json-values.ts';
import type { Report } from './report.ts';
import { parseYaml } from './structured-text.ts';

/** A file that starts with YAML between lines of dashes, followed by text. */
export interface FrontMatter {
  fields: Record<string, unknown>;
  body: string;
  /** The line of the file on which the body begins. */
  bodyLine: number;
}

/**
 * Splits a file into fields and body, and sets the report's function that finds the line of a field. If there is no front matter, the whole
 * file is the body. Comments and empty lines may precede the front matter.
 */
export function splitFrontMatter(source: string, report: Report): FrontMatter {
  const text = source.replace(/^\uFEFF/, '');
  const lines = listLines(text);
  const start = lines.findIndex(({ content }) => !/^[ \t]*(?:#.*)?$/.test(content));
  if (!isFence(lines[start]?.content)) return { fields: {}, body: text, bodyLine: 1 };
  const end = lines.findIndex(({ content }, index) => index > start && isFence(content));
  const [first, last] = [lines[start], lines[end]];
  if (!first || !last) throw new FileProblem('The front matter that starts with --- is not closed', start + 1);
  const { value, lineOf } = parseYaml(text.slice(first.end, last.start), start + 2);
  if (value !== null && !isPlainObject(value)) throw new FileProblem('The front matter must consist of keys such as "name"', start + 2);
  report.lineOf = lineOf;
  return { fields: value ?? {}, body: text.slice(last.end), bodyLine: end + 2 };
}

interface Line {
  content: string;
  start: number;
  /** The position after the line break. */
  end: number;
}

function listLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ content: text.slice(start, index), start, end: index + lineBreak.length });
    start = index + lineBreak.length;
  }
  return [...lines, { content: text.slice(start), start, end: text.length }];
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---\s*$/.test(line);
}

import { productionLabel } from '../../../src/contract/label-names.ts';
import { normalizeName } from '../../../src/contract/prompt-names.ts';
import { includeKey } from '../../../src/domain/templates/template-types.ts';
import { createTextCache } from './cache.ts';
import type { Include, TemplateEngine } from './engine.ts';

type Part = { text: string } | { path: string[] } | { include: Include };

/** The limit for one render. It is far below the service's limit. */
const maxUnits = 1_000_000;
const stepUnits = 100;

/** Renders templates that use only variables, fields and includes, as most prompts do. Needs no template library. */
export const plain: TemplateEngine = {
  findIncludes: (text) => parse(text)?.flatMap((part) => ('include' in part ? part.include : [])),

  render({ sources, partials, variables }) {
    let units = 0;

    /** Renders a template. Returns undefined if another engine should render it. */
    function renderText(template: string): string | undefined {
      let output = '';
      for (const part of parse(template) ?? [undefined]) {
        const text = part && renderPart(part);
        units += stepUnits + (text?.length ?? 0);
        if (text === undefined || units > maxUnits) return undefined;
        output += text;
      }
      return output;
    }

    function renderPart(part: Part): string | undefined {
      if ('text' in part) return part.text;
      if ('path' in part) return format(readPath(variables, part.path));
      const partial = partials[includeKey(part.include)];
      return partial === undefined ? undefined : renderText(partial);
    }

    const texts: string[] = [];
    for (const { text } of sources) {
      const rendered = renderText(text);
      if (rendered === undefined) return undefined;
      texts.push(rendered);
    }
    return { ok: true, texts };
  },
};

/** Returns the variables of a template, if it is plain. */
export function findTextVariables(text: string): string[] {
  return parse(text)?.flatMap((part) => ('path' in part ? part.path.slice(0, 1) : [])) ?? [];
}

const tag = /\{\{(-?)(.*?)(-?)\}\}|\{%(-?)(.*?)(-?)%\}/gs;
const output = /^[ \t\r\n]*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)[ \t\r\n]*$/;
const include =
  /^[ \t\r\n]*render[ \t\r\n]+(?:'([^'\\]*)'|"([^"\\]*)")(?:[ \t\r\n]*,[ \t\r\n]*label:[ \t\r\n]*(?:'([^'\\]*)'|"([^"\\]*)"))?[ \t\r\n]*$/;
/** The characters that Liquid counts as blank. `trim` does not remove all of these characters. */
const blank = /[\t-\r \u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
/** The reserved words of Liquid. */
const keywords = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains']);
const specialFields = new Set(['size', 'first', 'last']);

const parse = createTextCache(parseTemplate);

/** Parses a plain template. Returns undefined if the template contains anything else. */
function parseTemplate(template: string): Part[] | undefined {
  const parts: Part[] = [];
  let end = 0;
  let isTrimmed = false;
  for (const match of template.matchAll(tag)) {
    const [all, trimBefore = match[4], inner, trimAfter = match[6], , tagText] = match;
    const text = trim(template.slice(end, match.index), { start: isTrimmed, end: trimBefore === '-' });
    if (isTag(text)) return undefined;
    const part = inner === undefined ? parseInclude(tagText ?? '') : parseOutput(inner);
    if (!part) return undefined;
    parts.push({ text }, part);
    end = match.index + all.length;
    isTrimmed = trimAfter === '-';
  }
  const rest = trim(template.slice(end), { start: isTrimmed, end: false });
  return isTag(rest) ? undefined : [...parts, { text: rest }];
}

function isTag(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** Trims with loops, because a regular expression for the end of a string is very slow if there are many blanks elsewhere. */
function trim(text: string, sides: { start: boolean; end: boolean }): string {
  let start = 0;
  let end = text.length;
  if (sides.start) while (start < end && blank.test(text.charAt(start))) start += 1;
  if (sides.end) while (end > start && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function parseOutput(inner: string): Part | undefined {
  const path = output.exec(inner)?.[1]?.split('.');
  const [first = '', ...fields] = path ?? [];
  if (!path || keywords.has(first) || fields.some((field) => specialFields.has(field))) return undefined;
  return { path };
}

function parseInclude(inner: string): Part | undefined {
  const match = include.exec(inner);
  if (!match) return undefined;
  const [, single, double, singleLabel, doubleLabel] = match;
  return { include: { name: normalizeName(single ?? double ?? ''), label: singleLabel ?? doubleLabel ?? productionLabel } };
}

function readPath(variables: unknown, path: string[]): unknown {
  let value = variables;
  for (const field of path) {
    if (value === null || value === undefined) return undefined;
    // The fields of strings and numbers are read as in Liquid, for example the size of a string.
    value = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
  }
  return value;
}

/** Formats an output as the service does. Lists of plain values have no separators, and everything that contains an object is JSON. */
function format(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (containsObject(value)) return JSON.stringify(value);
  return Array.isArray(value) ? value.map(format).join('') : String(value);
}

function containsObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(containsObject) : typeof value === 'object' && value !== null;
}

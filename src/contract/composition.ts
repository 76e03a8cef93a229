// This file does not use TypeBox, so that the dashboard can import it.

import { findPinnedVersion, pinOf, productionLabel } from './label-names.ts';
import { normalizeName } from './prompt-names.ts';
import type { TemplateSyntax } from './versions.ts';

/** An include of another prompt in a template, and its position. */
interface IncludeTag {
  name: string;
  label: string;
  start: number;
  end: number;
}

/**
 * Lists Langfuse's tags, such as `@@@langfusePrompt:name=tone|label=production@@@`. A tag may have `version=3` instead of a label. A tag of
 * any other form is ordinary text.
 */
export function listTags(text: string): IncludeTag[] {
  return [...text.matchAll(/@@@langfusePrompt:(.*?)@@@/g)].flatMap((match) => {
    const parts = (match[1] ?? '').split('|');
    const [first = '', second = ''] = parts;
    const name = first.startsWith('name=') ? normalizeName(first.slice(5)) : '';
    const label = readTarget(second);
    if (parts.length !== 2 || name === '' || label === undefined) return [];
    return [{ name, label, start: match.index, end: match.index + match[0].length }];
  });
}

/** Replaces each include that can be written both in Liquid and as a tag of Langfuse. */
export function replaceIncludes(text: string, syntax: TemplateSyntax, replace: (include: IncludeTag) => string): string {
  const includes = syntax === 'mustache' ? listTags(text) : listRenderTags(text);
  let result = '';
  let last = 0;
  for (const include of includes) {
    result += text.slice(last, include.start) + replace(include);
    last = include.end;
  }
  return result + text.slice(last);
}

/** Writes an include in Langfuse's form. */
export function toTag({ name, label }: { name: string; label: string }): string {
  const pinned = findPinnedVersion(label);
  return `@@@langfusePrompt:name=${name}|${pinned === undefined ? `label=${label}` : `version=${pinned}`}@@@`;
}

/** Writes an include in Liquid's form. Prompt names cannot contain a double quote. */
export function toRenderTag({ name, label }: { name: string; label: string }): string {
  return label === productionLabel ? `{% render "${name}" %}` : `{% render "${name}", label: "${label}" %}`;
}

/**
 * Returns whether Liquid and mustache render the text in the same way. This is the case if its only tags are names of variables and their
 * fields.
 */
export function isPortable(text: string): boolean {
  if (text.includes('{%')) return false;
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', start + 2)) {
    plainOutput.lastIndex = start;
    const match = plainOutput.exec(text);
    if (!match || text[start + match[0].length] === '}') return false;
    const names = (match[1] ?? '').split('.');
    if (names.some((name, index) => (index === 0 ? liquidWords : liquidFields).has(name))) return false;
  }
  return true;
}

/** Returns whether the text contains a path such as `{{ user.name }}`, which Langfuse's Python SDK leaves unchanged. */
export function hasPath(text: string): boolean {
  return [...text.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].some(([, name = '']) => name.includes('.'));
}

const plainOutput = /\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}/y;
const liquidWords = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains']);
const liquidFields = new Set(['size', 'first', 'last']);

function readTarget(part: string): string | undefined {
  if (part.startsWith('label=')) return part.slice(6) || undefined;
  const version = part.startsWith('version=') ? part.slice(8) : '';
  return /^[1-9]\d{0,8}$/.test(version) ? pinOf(Number(version)) : undefined;
}

/** Lists includes that pass no values and trim no spaces. Only such includes can be replaced with text. */
function listRenderTags(text: string): IncludeTag[] {
  return [...text.matchAll(renderTag)].map((match) => ({
    name: normalizeName(match[1] ?? match[2] ?? ''),
    label: match[3] ?? match[4] ?? productionLabel,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const renderTag = /\{% ?render (?:'([^'\n]*)'|"([^"\n]*)")(?:, ?label: ?(?:'([^'\n]*)'|"([^"\n]*)"))? ?%\}/g;

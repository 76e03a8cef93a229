import type { TemplateTag } from './template-tags.ts';

/** The error for a tag that Liquid cannot express. */
export class NoLiquidForm extends Error {}

/** The functions that the converter for a template language uses. */
export interface LiquidTools {
  /** Returns the type of a variable, such as `boolean`, if the file declares it. */
  typeOf(name: string): string | undefined;
  /** Called for each tag that has a different form in Liquid. */
  onConverted(tag: TemplateTag, liquid: string): void;
  /** Called for each tag that Liquid cannot express. Returns the text that replaces it. */
  onForeign(tag: TemplateTag, reason: string): string;
}

const liquidWords = new Set([
  ...['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains', 'forloop', 'in', 'continue'],
]);

/**
 * Returns the path of a value. `root` is the Liquid expression to which the fields belong. If it is undefined, the first field is a
 * variable.
 */
export function toLiquidPath(root: string | undefined, fields: string[]): string {
  const [first = '', ...rest] = fields;
  if (root !== undefined) return root + fields.map(toField).join('');
  if (!/^[A-Za-z_]\w*$/.test(first) || liquidWords.has(first)) {
    throw new NoLiquidForm(`Liquid does not allow a variable named "${first}"`);
  }
  return first + rest.map(toField).join('');
}

function toField(field: string): string {
  if (/^\d+$/.test(field)) return `[${field}]`;
  return /^[A-Za-z_]\w*$/.test(field) ? `.${field}` : `[${quote(field)}]`;
}

/** Quotes text for Liquid, which has no escapes. */
export function quote(text: string): string {
  if (text.includes('"') && text.includes("'")) throw new NoLiquidForm('A Liquid string cannot contain both kinds of quotation marks');
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** A value that is tested for presence. */
export interface Tested {
  liquid: string;
  type?: string | undefined;
}

/**
 * Returns a condition that is true for the values that other template languages treat as true. In plain Liquid, empty text and an empty
 * list count as true. In this condition, they count as false, and so does text that consists only of spaces.
 */
export function isPresent({ liquid, type }: Tested): string {
  if (type === 'boolean') return liquid;
  const isThere = `${liquid} != blank`;
  return type === 'number' || type === 'integer' || type === 'float' ? `${isThere} and ${liquid} != 0` : isThere;
}

/** Returns the condition that a value is missing or empty. */
export function isAbsent({ liquid, type }: Tested): string {
  const isGone = `${liquid} == blank`;
  return type === 'number' || type === 'integer' || type === 'float' ? `${isGone} or ${liquid} == 0` : isGone;
}

/** Wraps text so that Liquid leaves it unchanged. */
export function toRaw(text: string): string {
  if (/\{%-?\s*endraw\b/.test(text)) throw new NoLiquidForm('The text contains an endraw tag');
  return `{% raw %}${text}{% endraw %}`;
}

/** Chooses a name for the items of a loop. The name does not occur elsewhere in the text. */
export function chooseItemName(list: string, isUsed: (name: string) => boolean): string {
  const plural = /(?:^|\.)([A-Za-z_]\w{2,}[^s\W])s$/.exec(list)?.[1];
  const candidates = [...(plural === undefined ? [] : [plural.replace(/ie$/, 'y')]), 'item', 'entry'];
  const free = candidates.find((name) => !isUsed(name) && !liquidWords.has(name));
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1) if (!isUsed(`item${number}`)) return `item${number}`;
}

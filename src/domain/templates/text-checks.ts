import { isJson } from '../../platform/json-bounds.ts';
import type { CheckJobResult, TextRule } from './template-types.ts';

const shownLength = 100;

export function checkText(rule: TextRule, text = ''): CheckJobResult {
  const problem = findProblem(rule, text);
  return { ok: true, problems: problem === undefined ? [] : [problem] };
}

function findProblem(rule: TextRule, text: string): string | undefined {
  switch (rule.kind) {
    case 'contains':
      return text.includes(rule.value) ? undefined : `does not contain ${quote(rule.value)}`;
    case 'notContains':
      return text.includes(rule.value) ? `contains ${quote(rule.value)}` : undefined;
    case 'equals':
      return text.trim() === rule.value.trim() ? undefined : `is not ${quote(rule.value)}`;
    case 'json':
      return isJson(text) ? undefined : 'is not JSON';
    case 'maxCharacters':
      return exceeds(countCharacters(text), rule.value, 'characters');
  }
}

/** Returns the maximum number of characters that are compared or read. */
export function countSteps(rule: TextRule, text: string): number {
  // The time of a search is at most proportional to the product of both lengths. Repetitive texts can reach this maximum.
  if (rule.kind === 'contains' || rule.kind === 'notContains') return text.length * rule.value.length;
  // If the text is deeply nested, parsing a character takes longer than reading it.
  return rule.kind === 'json' ? 100 * text.length : text.length;
}

export function exceeds(count: number, limit: number, unit: string): string | undefined {
  return count <= limit ? undefined : `has ${count} ${unit}, but at most ${limit} are allowed`;
}

/** Counts the characters without copying the text. A surrogate pair counts as one character. */
function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) index += 1;
    count += 1;
  }
  return count;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

function quote(text: string): string {
  return `“${text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text}”`;
}

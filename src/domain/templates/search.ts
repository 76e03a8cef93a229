import type { SearchRule } from './template-types.ts';

const shownLength = 100;

/** Why a text fails, or undefined if it does not. Takes up to the product of both lengths, if they repeat themselves. */
export function findSearchProblem({ kind, value }: SearchRule, text: string): string | undefined {
  const found = text.includes(value);
  if (kind === 'contains') return found ? undefined : `does not contain ${quote(value)}`;
  return found ? `contains ${quote(value)}` : undefined;
}

export function quote(text: string): string {
  return `“${text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text}”`;
}

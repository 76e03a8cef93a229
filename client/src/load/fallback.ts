import { normalizeName } from '../../../src/contract/prompt-names.ts';
import type { Engines } from '../render/engines.ts';
import { findPlainVariables, toContent } from '../render/render.ts';
import type { Fallback } from '../typed-prompts.ts';
import type { Version } from '../types.ts';

/** The version number of a fallback. Saved versions start with 1. */
export const fallbackVersion = 0;

/** Converts text or messages in code to a version. */
export function createFallback(given: string, fallback: Fallback, { label, engines }: { label: string; engines: Engines }): Version {
  const name = normalizeName(given);
  const content = toContent(fallback);
  const variables = engines.findComplete()?.findVariables(content) ?? findPlainVariables(content);
  const config = typeof fallback === 'object' && 'config' in fallback ? (fallback.config ?? {}) : {};
  return {
    ...content,
    name,
    version: fallbackVersion,
    labels: [label],
    variables,
    config,
    message: '',
    createdAt: new Date(0).toISOString(),
    by: { userId: 'u_fallback', name: 'Fallback' },
  };
}

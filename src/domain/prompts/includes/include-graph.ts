import type { PromptType, TemplateSyntax } from '../../../contract/versions.ts';
import type { Analysis } from '../../templates/template-types.ts';

// The client also uses this file, so it must not import code that runs only on a server.

/** An included prompt, with its own variables and includes. */
export interface IncludedPrompt extends Pick<Analysis, 'variables' | 'partials'> {
  type: PromptType;
  syntax: TemplateSyntax;
  promptId: string;
  version: number;
  /** The template. It is empty if the graph was loaded without content. It is also empty for a chat prompt, which cannot be included. */
  text: string;
  /**
   * Returns whether prompts in another template language may include this prompt. This is a function and not a property, because the answer
   * is rarely needed and requires reading the whole text.
   */
  isPortable(): boolean;
}

/** All prompts that templates include, directly or indirectly. */
export interface IncludeGraph {
  /** The included prompts by includeKey. Prompts that do not exist are missing from the map. */
  partials: ReadonlyMap<string, IncludedPrompt>;
  /** The limit that stopped the loading, if any. */
  exceeded?: 'too_many' | 'too_long' | 'too_many_variables' | undefined;
}

export const maxDepth = 8;
export const maxIncludes = 100;
/** The maximum length of all included texts together. */
export const maxTextCharacters = 1024 * 1024;
/**
 * The maximum length of the stored analyses (variables and includes). This is enough for hundreds of ordinary prompts, which are merged in
 * a few milliseconds.
 */
export const maxAnalysisCharacters = 128 * 1024;

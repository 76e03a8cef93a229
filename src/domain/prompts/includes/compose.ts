import { replaceIncludes, toRenderTag } from '../../../contract/composition.ts';
import type { TemplateSyntax } from '../../../contract/versions.ts';
import { includeKey } from '../../templates/template-types.ts';
import { type IncludeGraph, maxTextCharacters } from './include-graph.ts';

/** The maximum length of one text, and of all texts that are composed for one request. */
const maxCharacters = { each: maxTextCharacters, all: 4 * maxTextCharacters };

interface ComposableText {
  text: string;
  syntax: TemplateSyntax;
}

/** The error for a composed text that is too long. */
export class ComposedTooLong extends Error {
  override readonly name = 'ComposedTooLong';
}

/**
 * Returns a function that replaces includes with the texts of the included prompts, as Langfuse does. Call the function only for content
 * without problems: no included prompt is missing, and none includes itself. Each included text is composed only once, even if it is
 * included in several places.
 */
export function createComposer({ partials }: IncludeGraph): (source: ComposableText) => string {
  const composed = new Map<string, string>();
  let characters = 0;

  function compose({ text, syntax }: ComposableText): string {
    let length = text.length;
    const result = replaceIncludes(text, syntax, (include) => {
      const included = composeIncluded(includeKey(include));
      length += included.length;
      if (length > maxCharacters.each) throw new ComposedTooLong();
      return included;
    });
    characters += result.length;
    if (characters > maxCharacters.all) throw new ComposedTooLong();
    return result;
  }

  function composeIncluded(key: string): string {
    const known = composed.get(key);
    if (known !== undefined) return known;
    const partial = partials.get(key);
    const text = partial ? compose(partial) : '';
    composed.set(key, text);
    return text;
  }

  return compose;
}

/** Returns the text of an included prompt as Liquid. Liquid templates include only portable mustache texts. */
export function toLiquid({ text, syntax }: ComposableText): string {
  return syntax === 'liquid' ? text : replaceIncludes(text, syntax, toRenderTag);
}

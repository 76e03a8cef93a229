import { listTags, replaceIncludes, toTag } from '../../../src/contract/composition.ts';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { normalizeName } from '../../../src/contract/prompt-names.ts';
import type { TemplateSyntax } from '../lib/types.ts';

/** A prompt that a template includes, and the label at which it is included. */
export interface Include {
  name: string;
  label: string;
}

/**
 * Returns the prompts that templates include, each once per label. Liquid includes prompts with `{% render 'name' %}`, and mustache with
 * Langfuse's tags.
 */
export function includesOf(templates: string[], syntax: TemplateSyntax = 'liquid'): Include[] {
  const found = new Map<string, Include>();
  for (const template of templates) {
    if (syntax === 'mustache') {
      for (const { name, label } of listTags(template)) found.set(`${name}|${label}`, { name, label });
      continue;
    }
    replaceTags(template, (tag) => {
      const name = nameIn(tag);
      if (name === undefined) return tag;
      const label = unquote(labelArgument.exec(tag)) ?? productionLabel;
      found.set(`${name}|${label}`, { name, label });
      return tag;
    });
  }
  return [...found.values()];
}

/** Returns the code that includes a prompt. */
export function exampleInclude(syntax: TemplateSyntax): string {
  return syntax === 'mustache' ? toTag({ name: 'name', label: productionLabel }) : "{% render 'name' %}";
}

/** Returns the template with the new name of a prompt in all includes of this prompt. */
export function renameInclude(template: string, { from, to }: { from: string; to: string }, syntax: TemplateSyntax = 'liquid'): string {
  if (syntax === 'mustache') {
    return replaceIncludes(template, syntax, ({ name, label, start, end }) =>
      name === from ? toTag({ name: to, label }) : template.slice(start, end),
    );
  }
  // A name contains no double quote, so one of the two kinds of quotes always fits.
  const quoted = to.includes("'") ? `"${to}"` : `'${to}'`;
  return replaceTags(template, (tag) =>
    nameIn(tag) === from ? tag.replace(firstArgument, (_match, start: string) => start + quoted) : tag,
  );
}

const firstArgument = /^((?:\{%-?)?\s*(?:liquid\s+)?render\s*)(?:'([^']*)'|"([^"]*)")/;
const labelArgument = /()\blabel\s*:\s*(?:'([^']*)'|"([^"]*)")/;
/** Matches the tags that may contain an include, and the blocks in which tags are plain text. */
const parts = /\{%-?\s*(raw|comment)\b[\s\S]*?\{%-?\s*end\1\s*-?%\}|\{%-?\s*(liquid|render)\b[\s\S]*?%\}/g;

function replaceTags(template: string, replace: (tag: string) => string): string {
  return template.replaceAll(parts, (part: string, _block: string | undefined, tag: string | undefined) => {
    if (tag === 'render') return replace(part);
    // Inside a `liquid` tag, each line is a tag.
    return tag === 'liquid' ? part.split('\n').map(replace).join('\n') : part;
  });
}

function nameIn(tag: string): string | undefined {
  const name = unquote(firstArgument.exec(tag));
  return name === undefined ? undefined : normalizeName(name);
}

/** Returns the text between the quotes, whichever kind of quotes matched. */
function unquote(match: RegExpExecArray | null): string | undefined {
  return match?.[2] ?? match?.[3];
}

import { type Template, type Token, TypeGuards } from 'liquidjs';

/** A filter of an expression, either parsed or as a token. */
export interface FilterParts {
  name: string;
  args: (Token | [string?, Token?])[];
}

/** Returns the values of a filter's arguments, positional and named. */
export function filterTokens(args: FilterParts['args']): Token[] {
  return args.flatMap((part) => (Array.isArray(part) ? (part[1] ?? []) : part));
}

export function tagName({ token }: Template): string | undefined {
  return TypeGuards.isTagToken(token) ? token.name : undefined;
}

/**
 * Returns the children of a template. LiquidJS uses a generator, because it may have to load included templates. Our included templates are
 * already loaded, so a single step returns all children.
 */
export function childrenOf(template: Template): Template[] {
  const step = template.children?.(false, true).next();
  return step?.done ? step.value : [];
}

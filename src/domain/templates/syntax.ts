import { type Template, type Token, TypeGuards } from 'liquidjs';

/** A filter of an expression, parsed or as a token. */
export interface FilterParts {
  name: string;
  args: (Token | [string?, Token?])[];
}

/** The values of a filter's arguments, positional and named. */
export function filterTokens(args: FilterParts['args']): Token[] {
  return args.flatMap((part) => (Array.isArray(part) ? (part[1] ?? []) : part));
}

export function tagName({ token }: Template): string | undefined {
  return TypeGuards.isTagToken(token) ? token.name : undefined;
}

/** LiquidJS returns children through a generator, because it may load partials. Ours are already loaded, so one step is enough. */
export function childrenOf(template: Template): Template[] {
  const step = template.children?.(false, true).next();
  return step?.done ? step.value : [];
}

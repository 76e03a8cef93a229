import type { CallerOptions } from '../load/choose-version.ts';

/** Returns a query that has each attribute of a context as a parameter of its own, such as `ctx.plan`. */
export function toContextQuery<Query extends object>({ context = {}, ...query }: Query & Pick<CallerOptions, 'context'>) {
  const parameters = Object.entries(context).map(([name, value]) => [`ctx.${name}`, String(value)] as const);
  return { ...query, ...Object.fromEntries(parameters) };
}

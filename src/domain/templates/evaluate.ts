import { type Context, evalToken, type Filter, type Token, TypeGuards, toValue, toValueSync, Value } from 'liquidjs';
import { budgetOf } from './budget.ts';
import { filterMissing } from './filter-missing.ts';
import { findMissing, isIncomplete } from './missing.ts';

/**
 * Makes LiquidJS evaluate values directly. By itself it does so through nested generators, because there a value may be a promise.
 * Ours never are, and the generators took most of the time of a render. What is rare is still left to LiquidJS.
 */
export function evaluateDirectly(): void {
  // LiquidJS yields the result, and takes a value just as well as a generator.
  Value.prototype.value = function (ctx) {
    return evaluate(this, ctx) as ReturnType<Value['value']>;
  };
}

/** The value of an expression with its filters. */
export function evaluate({ initial, filters }: Value, ctx: Context): unknown {
  const [token, ...more] = initial.postfix;
  let value = token && more.length === 0 ? evaluateToken(token, ctx) : toValueSync(initial.evaluate(ctx));
  for (const filter of filters) value = applyFilter(filter, value, ctx);
  return value;
}

export function evaluateToken(token: Token, ctx: Context): unknown {
  if ('content' in token) return token.content;
  if (TypeGuards.isRangeToken(token) && isIncomplete(ctx)) {
    const missing = findMissing([evaluateToken(token.lhs, ctx), evaluateToken(token.rhs, ctx)]);
    if (missing) return missing.derive();
  }
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable) return toValueSync(evalToken(token, ctx));
  const path = token.props.map((prop) => toValue(evaluateToken(prop, ctx)));
  let value: unknown = openContext(ctx).findScope(path[0]);
  // Its type says what LiquidJS passes, not what it accepts.
  for (const key of path) value = ctx.readProperty(value as object, key as string);
  return value;
}

function applyFilter(filter: Filter, value: unknown, context: Context): unknown {
  const { name, args, handler, token, liquid } = openFilter(filter);
  const values = args.map((arg) => (Array.isArray(arg) ? [arg[0], arg[1] && evaluateToken(arg[1], context)] : evaluateToken(arg, context)));
  const missing = isIncomplete(context) ? filterMissing(name, value, values, budgetOf(context)) : undefined;
  return missing ?? toValueSync(handler.call({ context, token, liquid }, value, ...values));
}

/** What LiquidJS declares private, and reads in the same way. */
interface OpenFilter {
  name: string;
  args: (Token | [string?, Token?])[];
  handler(this: object, ...args: unknown[]): unknown;
  token: unknown;
  liquid: unknown;
}

interface OpenContext {
  findScope(key: unknown): object;
}

const openFilter = (filter: Filter) => filter as unknown as OpenFilter;
const openContext = (ctx: Context) => ctx as unknown as OpenContext;

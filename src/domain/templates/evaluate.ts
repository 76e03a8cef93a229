import { type Context, evalToken, type Token, TypeGuards, toValue, toValueSync, type Value } from 'liquidjs';
import { chargedContext } from './charged-context.ts';
import { findMissing, isIncomplete } from './missing.ts';

/**
 * Evaluates an expression with its filters. LiquidJS's own `value` uses nested generators, because its values may be promises. Our values
 * are never promises, and the generators would take most of the time of a render. Rare cases are left to LiquidJS.
 */
export function evaluate({ initial, filters }: Value, ctx: Context): unknown {
  const [token, ...more] = initial.postfix;
  let value = token && more.length === 0 ? evaluateToken(token, ctx) : toValueSync(initial.evaluate(ctx));
  for (const filter of filters) value = toValueSync(filter.render(value, ctx));
  return value;
}

export function evaluateToken(token: Token, ctx: Context): unknown {
  if ('content' in token) return token.content;
  if (TypeGuards.isRangeToken(token) && isIncomplete(ctx)) {
    const missing = findMissing([evaluateToken(token.lhs, ctx), evaluateToken(token.rhs, ctx)]);
    if (missing) return missing.derive();
  }
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable) return toValueSync(evalToken(token, ctx));
  return chargedContext(ctx).read(token.props.map((prop) => toValue(evaluateToken(prop, ctx))));
}

import { type Budget, isPlainObject } from './budget.ts';
import { findMissing, type MissingValue } from './missing.ts';

/** What a filter makes of a missing value, or of a missing argument. Undefined if it need not know it. */
export function filterMissing(filter: string, value: unknown, args: unknown[], budget: Budget): MissingValue | undefined {
  const missing = findMissing(filter === 'default' ? [value] : [value, ...args.flat()]);
  if (!missing) return undefined;
  if (filter === 'default') return missing;
  if (filter !== 'append' && filter !== 'prepend') return missing.derive();
  const text = filter === 'append' ? `${toShown(value)}${toShown(args[0])}` : `${toShown(args[0])}${toShown(value)}`;
  budget.use(text.length);
  return missing.derive(text);
}

function toShown(value: unknown): string {
  return value === undefined || value === null ? '' : isPlainObject(value) ? JSON.stringify(value) : String(value);
}

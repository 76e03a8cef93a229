import { type Emitter, toValue } from 'liquidjs';
import { type Budget, isPlainObject } from './budget.ts';
import { MissingValue } from './missing.ts';

/** Collects the output of a template, and charges the budget for it. */
interface ChargedEmitter extends Emitter {
  buffer: string;
  /** A missing value that is part of the output. */
  missing: MissingValue | undefined;
}

export function createEmitter(budget: Budget): ChargedEmitter {
  const emitter: ChargedEmitter = {
    buffer: '',
    missing: undefined,
    write(value: unknown) {
      if (typeof value === 'object' && value !== null) budget.useValue(value);
      const text = toText(value);
      budget.use(text.length);
      emitter.buffer += text;
      if (value instanceof MissingValue) emitter.missing ??= value;
    },
  };
  return emitter;
}

/**
 * Converts a value to text in the same way as LiquidJS. However, objects and lists of objects become JSON, because no other form is useful
 * in a prompt.
 */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  const plain: unknown = toValue(value);
  if (plain === null || plain === undefined) return '';
  if (containsObject(plain)) return JSON.stringify(plain);
  return Array.isArray(plain) ? plain.map(toText).join('') : String(plain);
}

function containsObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(containsObject) : isPlainObject(value);
}

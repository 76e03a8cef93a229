import { type Emitter, toValue } from 'liquidjs';
import type { Budget } from './budget.ts';
import { MissingValue } from './missing.ts';

/** Collects what a template outputs, and charges for it. */
export interface ChargedEmitter extends Emitter {
  /** A missing value that is part of the output. */
  missing: MissingValue | undefined;
}

export function createEmitter(budget: Budget): ChargedEmitter {
  const emitter: ChargedEmitter = {
    buffer: '',
    missing: undefined,
    write(value: unknown) {
      const text = toText(value);
      budget.use(text.length);
      emitter.buffer += text;
      if (value instanceof MissingValue) emitter.missing ??= value;
    },
  };
  return emitter;
}

/** The same conversion as LiquidJS's own, which it does not export. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  const plain: unknown = toValue(value);
  if (plain === null || plain === undefined) return '';
  if (Array.isArray(plain)) return plain.map(toText).join('');
  return String(plain);
}

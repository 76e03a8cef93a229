import { Context } from 'liquidjs';
import { findMissing, isIncomplete } from './missing.ts';

/** The type of LiquidJS's memory limit, which it does not export. */
type Limiter = Context['memoryLimit'];

/** What one render may cost. One unit is a character that is produced or read; a step costs several. */
export interface BudgetLimits {
  units: number;
  /** The cost of rendering one part of a template: a text, an output, a tag, one pass of a loop. */
  stepCost: number;
}

/**
 * Counts what a render costs, in place of LiquidJS's own memory limit, and stops the render when it is used up. Counting is
 * exact and does not depend on how busy the machine is, so the same render always gets the same result.
 */
export class Budget implements Pick<Limiter, 'use' | 'check'> {
  readonly stepCost: number;
  /** What has been used so far. */
  used = 0;
  readonly #units: number;

  constructor({ units, stepCost }: BudgetLimits) {
    this.#units = units;
    this.stepCost = stepCost;
  }

  use(units: number): void {
    // LiquidJS passes what a template computed, so it might be anything.
    if (!(units > 0)) return;
    this.used += units;
    if (this.used > this.#units) throw new BudgetExceeded();
  }

  /** LiquidJS checks times with it. We limit steps instead. */
  check(): void {}

  /** Charges the size of a value before it is converted to text, compared or copied. */
  useValue(value: unknown): void {
    if (typeof value === 'string') this.use(value.length);
    else if (Array.isArray(value)) {
      this.use(value.length + 1);
      for (const item of value) this.useValue(item);
    } else if (isPlainObject(value)) {
      for (const key in value) {
        this.use(key.length + 1);
        this.useValue(value[key]);
      }
    } else this.use(1);
  }

  /** Charges a list or object before LiquidJS copies its items or counts its keys, without looking into them. */
  useItems(value: unknown): void {
    if (Array.isArray(value)) this.use(value.length);
    else if (isPlainObject(value)) for (const _key in value) this.use(itemCost);
  }

  /** Charges a value before it becomes JSON with indented lines, which may be far longer than the value. */
  useIndented(value: unknown, indent: number, depth = 1): void {
    this.use(indent * depth);
    if (Array.isArray(value)) for (const item of value) this.useIndented(item, indent, depth + 1);
    else if (isPlainObject(value)) for (const key in value) this.useIndented(value[key], indent, depth + 1);
  }

  /** Charges a search before it is made. At worst, it compares both texts with each other at every position. */
  useSearch(text: unknown, pattern: unknown): void {
    if (typeof text === 'string' && typeof pattern === 'string') this.use((text.length * pattern.length) / comparisonsPerUnit);
  }

  /** A LiquidJS context that is charged to this budget. */
  createContext(variables: object, liquid: NonNullable<Context['liquid']>): Context {
    // Its type has private members that nothing outside of Limiter reads.
    return new ChargedContext(variables, liquid.options, { sync: true }, { memoryLimit: this as unknown as Limiter, liquid });
  }
}

/** Copying or counting the key of an object takes longer than reading a character. */
const itemCost = 40;
const comparisonsPerUnit = 16;

/** Charges for the number of an object's keys, which LiquidJS counts each time a template asks for its `size`. */
class ChargedContext extends Context {
  override readProperty(value: Scope, key: unknown): unknown {
    if (isIncomplete(this)) {
      const missing = findMissing([value, key]);
      if (missing) return missing === value ? missing.read(key) : missing.derive();
    }
    if (key === 'size') budgetOf(this).useItems(value);
    // Its type says what LiquidJS passes, not what it accepts.
    return super.readProperty(value, key as string);
  }

  override spawn(scope: object = {}): Context {
    return budgetOf(this).createContext(scope, this.liquid);
  }
}

type Scope = Parameters<Context['readProperty']>[0];

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';

  constructor() {
    super('rendering takes too much time or memory');
  }
}

/** The budget that a context was created with. */
export function budgetOf({ memoryLimit }: Context): Budget {
  // Every context is created by Budget.createContext, or spawned by one that was.
  return memoryLimit as unknown as Budget;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

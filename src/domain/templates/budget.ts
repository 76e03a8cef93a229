import type { Context } from 'liquidjs';

/** The limits of one render. One unit is one character that is produced or read. A step costs several units. */
export interface BudgetLimits {
  units: number;
  /**
   * The cost of a step: rendering text, an output or a tag, reading a property, applying a filter or an operator, or one iteration of a
   * loop.
   */
  stepCost: number;
}

/**
 * Counts the cost of a render, and stops the render when the budget is used up. The count does not depend on how busy the machine is, so
 * the same render always has the same result.
 */
export class Budget {
  readonly units: number;
  readonly stepCost: number;
  /** The units that have been used so far. */
  used = 0;
  /** The memory that LiquidJS itself counts, for all templates of the render together. */
  memoryLimit: Context['memoryLimit'] | undefined;

  constructor({ units, stepCost }: BudgetLimits) {
    this.units = units;
    this.stepCost = stepCost;
  }

  use(units: number): void {
    // The value may come from a template, so it may be anything, not only a number.
    if (!(units > 0)) return;
    this.used += units;
    if (this.used > this.units) throw new BudgetExceeded();
  }

  /** Charges for the size of a value before it is converted to text, compared or copied. */
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

  /** Charges for the items of a list or the keys of an object, without visiting them. Call it before LiquidJS copies or counts them. */
  useItems(value: unknown): void {
    if (Array.isArray(value)) this.use(value.length);
    else if (isPlainObject(value)) for (const _key in value) this.use(itemCost);
  }

  /** Charges for a value before it becomes indented JSON, which may be far longer than the value. */
  useIndented(value: unknown, indent: number, depth = 1): void {
    this.use(indent * depth);
    if (Array.isArray(value)) for (const item of value) this.useIndented(item, indent, depth + 1);
    else if (isPlainObject(value)) for (const key in value) this.useIndented(value[key], indent, depth + 1);
  }

  /** Charges for a search before it runs. In the worst case, a search compares the two texts at every position. */
  useSearch(text: unknown, pattern: unknown): void {
    if (typeof text === 'string' && typeof pattern === 'string') this.use((text.length * pattern.length) / comparisonsPerUnit);
  }
}

/** Copying or counting the key of an object takes longer than reading a character. */
const itemCost = 40;
const comparisonsPerUnit = 16;

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';

  constructor() {
    super('rendering needs too much time or memory');
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

import { Context, type Liquid, type Scope } from 'liquidjs';
import type { Budget } from './budget.ts';
import { findMissing, isIncomplete } from './missing.ts';

/** The variables of a render that is charged to a budget. LiquidJS itself limits the memory that its filters and ranges allocate. */
export class ChargedContext extends Context {
  readonly budget: Budget;
  readonly #liquid: Liquid;
  /** The variables of the enclosing loops, innermost last. */
  readonly #loops: object[] = [];

  constructor(variables: object, { budget, liquid }: { budget: Budget; liquid: Liquid }) {
    const { memoryLimit } = budget;
    super(variables, liquid.options, { sync: true, memoryLimit: budget.units }, { ...(memoryLimit && { memoryLimit }), liquid });
    budget.memoryLimit = this.memoryLimit;
    this.budget = budget;
    this.#liquid = liquid;
  }

  override push(scope: object): number {
    this.#loops.push(scope);
    return super.push(scope);
  }

  override pop(): Scope | undefined {
    this.#loops.pop();
    return super.pop();
  }

  override spawn(scope: object = {}): ChargedContext {
    return new ChargedContext(scope, { budget: this.budget, liquid: this.#liquid });
  }

  /** Charges for the step, and for the number of an object's keys, which LiquidJS counts each time a template asks for its `size`. */
  override readProperty(value: Scope, key: unknown): unknown {
    this.budget.use(this.budget.stepCost);
    if (isIncomplete(this)) {
      const missing = findMissing([value, key]);
      if (missing) return missing === value ? missing.read(key) : missing.derive();
    }
    if (key === 'size') this.budget.useItems(value);
    // LiquidJS declares the key as a string, but the method accepts any key.
    return super.readProperty(value, key as string);
  }

  /** Returns the same as `getSync`, but without generators. */
  read(path: readonly unknown[]): unknown {
    let value: unknown = this.#findScope(String(path[0]));
    // The value may be of any type, because reading a property of a value without properties yields undefined.
    for (const key of path) value = this.readProperty(value as Scope, key);
    return value;
  }

  #findScope(name: string): object {
    for (let index = this.#loops.length - 1; index >= 0; index -= 1) {
      const loop = this.#loops[index];
      if (loop && name in loop) return loop;
    }
    const assigned = this.bottom();
    return name in assigned ? assigned : this.environments;
  }
}

/** Returns the context of this render with its type, which is always ChargedContext. */
export function chargedContext(ctx: Context): ChargedContext {
  if (!(ctx instanceof ChargedContext)) throw new TypeError('A template was rendered without a budget');
  return ctx;
}

export function budgetOf(ctx: Context): Budget {
  return chargedContext(ctx).budget;
}

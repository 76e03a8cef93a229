import { Drop } from 'liquidjs';
import type { Shape, Variable } from '../../contract/variables.ts';
import { type Budget, isPlainObject } from './budget.ts';

/**
 * A required variable without a value in a preview, a part of such a variable, or a value that a template computes from it. The preview
 * shows the variable's name, because its value is unknown: `{{ n | plus: 1 }}` becomes ‹n›.
 */
export class MissingValue {
  /** The name of the variable or of its part, in the form that is shown. */
  readonly mark: string;
  /** The text that a template outputs for this value. */
  readonly text: string;
  /** The variable or part that this value represents, or undefined for a computed value. */
  readonly #source: { path: string; shape: Shape } | undefined;

  constructor(mark: string, text = mark, source?: { path: string; shape: Shape }) {
    this.mark = mark;
    this.text = text;
    this.#source = source;
  }

  /** Whether the caller will provide this value. A provided value is never empty. */
  get isGivenLater(): boolean {
    return this.#source !== undefined;
  }

  /** Returns a value that was computed from this value. */
  derive(text?: string): MissingValue {
    return new MissingValue(this.mark, text);
  }

  /** Reads a field or item. Returns undefined for a field that the template uses only under a condition, because callers may omit it. */
  read(key: unknown): MissingValue | undefined {
    if (!this.#source || key instanceof MissingValue) return this.derive();
    const { path, shape } = this.#source;
    if (/^-?\d+$/.test(String(key))) return missingAt(`${path}[]`, shape.items ?? {});
    const field = shape.fields?.find(({ name }) => name === key);
    if (field && !field.required) return undefined;
    const isItem = shape.kind === 'list' && (key === 'first' || key === 'last');
    return missingAt(`${path}.${String(key)}`, field ?? (isItem ? (shape.items ?? {}) : {}));
  }

  /** The item that represents all items of a list. */
  get item(): MissingValue {
    return this.#source ? missingAt(`${this.#source.path}[]`, this.#source.shape.items ?? {}) : this.derive();
  }

  toString(): string {
    return this.text;
  }
}

/** The result of a comparison with a missing value. */
export class Undecided extends MissingValue {}

const maxPathLength = 200;

function missingAt(path: string, shape: Shape): MissingValue {
  const shown = path.slice(0, maxPathLength);
  return new MissingValue(`‹${shown}›`, undefined, { path: shown, shape });
}

/** The sets of variables in which some values are missing. */
const incomplete = new WeakSet<object>();

/** Returns the variables, with a MissingValue for each missing variable. */
export function fillMissing(variables: Record<string, unknown>, missing: Variable[] | undefined): Record<string, unknown> {
  if (!missing || missing.length === 0) return variables;
  const filled = { ...variables, ...Object.fromEntries(missing.map((variable) => [variable.name, missingAt(variable.name, variable)])) };
  incomplete.add(filled);
  return filled;
}

export function isIncomplete({ environments }: { environments: object }): boolean {
  return incomplete.has(environments);
}

export function findMissing(values: unknown[]): MissingValue | undefined {
  return values.find((value) => value instanceof MissingValue);
}

/** Compares two values, one of which is missing. The only known fact about the missing value is that the caller will provide it. */
export function compareMissing(operator: string, left: unknown, right: unknown): boolean | Undecided | undefined {
  const missing = findMissing([left, right]);
  if (!missing) return undefined;
  const other = missing === left ? right : left;
  // In LiquidJS, `nil`, `empty` and `blank` are instances of Drop.
  const isNothing = other === undefined || other === null || other instanceof Drop;
  if (isNothing && missing.isGivenLater && (operator === '==' || operator === '!=')) return operator === '!=';
  return new Undecided(missing.mark);
}

/** Combines two conditions, one of which is undecided. */
export function combineUndecided(operator: string, left: unknown, right: unknown): boolean | Undecided | undefined {
  const undecided = [left, right].find((value) => value instanceof Undecided);
  if (!undecided || operator === 'not') return undecided;
  const other = undecided === left ? right : left;
  const isTrue = other !== false && other !== undefined && other !== null;
  if (operator === 'and') return isTrue ? undecided : false;
  return isTrue && !(other instanceof Undecided) ? true : undecided;
}

/** Returns the result of a filter for a missing value or argument. Returns undefined if the filter does not need the missing value. */
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

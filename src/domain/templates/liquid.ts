import {
  AssertionError,
  type Context,
  defaultOperators,
  type FilterImplOptions,
  filters,
  Liquid,
  LiquidError,
  type Operators,
  type Template,
} from 'liquidjs';
import { DirectCaptureTag, DirectCaseTag, DirectIfTag, DirectLiquidTag, DirectUnlessTag } from './branch-tags.ts';
import { type Budget, BudgetExceeded } from './budget.ts';
import { budgetOf, ChargedContext } from './charged-context.ts';
import { createEmitter } from './emitter.ts';
import { ChargedForTag, ChargedTablerowTag } from './loop-tags.ts';
import { combineUndecided, compareMissing, filterMissing, isIncomplete } from './missing.ts';
import { RenderTag, withIncludes } from './render-tag.ts';
import { renderTemplates } from './render-templates.ts';

/** LiquidJS, configured for prompts. It reads no files, and charges everything that takes time or memory to a budget. */
export const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  // An empty map prevents file lookups. A template can include other prompts only with our own tag.
  templates: {},
  parseLimit: 2 * 1024 * 1024,
  timezoneOffset: 0,
  locale: 'en-US',
  operators: chargedOperators(defaultOperators),
});
liquid.registerTag('render', RenderTag);
for (const name of ['include', 'layout', 'block']) delete liquid.tags[name];
for (const [name, filter] of Object.entries(filters)) liquid.registerFilter(name, chargedFilter(name, filter));
liquid.registerTag('for', ChargedForTag);
liquid.registerTag('tablerow', ChargedTablerowTag);
liquid.registerTag('if', DirectIfTag);
liquid.registerTag('unless', DirectUnlessTag);
liquid.registerTag('case', DirectCaseTag);
liquid.registerTag('capture', DirectCaptureTag);
liquid.registerTag('liquid', DirectLiquidTag);

interface RenderInput {
  templates: Template[];
  partials: ReadonlyMap<string, Template[]>;
  variables: Record<string, unknown>;
  budget: Budget;
}

/** Renders a parsed template. Throws BudgetExceeded, wrapped by LiquidJS, when the budget is used up. */
export function renderTemplate({ templates, partials, variables, budget }: RenderInput): string {
  const emitter = createEmitter(budget);
  withIncludes(partials, () => renderTemplates(templates, new ChargedContext(variables, { budget, liquid }), emitter));
  return emitter.buffer;
}

/** Returns whether a render ended because it used up its budget or the memory that LiquidJS allows. */
export function isBudgetExceeded(err: unknown): boolean {
  const cause = LiquidError.is(err) && 'originalError' in err ? err.originalError : err;
  return cause instanceof BudgetExceeded || (cause instanceof AssertionError && cause.message === 'memory alloc limit exceeded');
}

/** The cost of these filters does not depend on the size of the value. */
const constantFilters = new Set(['default', 'first', 'last', 'size']);

/** Charges for the input and the arguments of a filter before it runs. In a preview, a missing value gives a missing result. */
function chargedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  if (!handler) return filter;
  const charged: typeof handler = function (value, ...args) {
    const budget = budgetOf(this.context);
    const missing = isIncomplete(this.context) ? filterMissing(name, value, args, budget) : undefined;
    if (missing) return missing;
    budget.use(budget.stepCost * (1 + args.length));
    if (!constantFilters.has(name)) {
      budget.useValue(value);
      for (const arg of args) budget.useValue(arg);
      chargeFor(name, budget, value, args);
    }
    return handler.call(this, value, ...args);
  };
  return typeof filter === 'function' ? charged : { ...filter, handler: charged };
}

/** Charges for the work of a filter beyond reading its input once. */
function chargeFor(name: string, budget: Budget, value: unknown, args: unknown[]): void {
  const text = typeof args[0] === 'string' ? args[0] : '';
  // A date filter creates a formatter for each part of the format.
  if (name.startsWith('date')) budget.use(datePartCost * (name === 'date' ? text.split('%').length + args.length : 6));
  if (name === 'json' || name === 'jsonify' || name === 'inspect') budget.useIndented(value, Math.min(Number(args[0]) || 0, 10));
  if (searchFilters.has(name)) budget.useSearch(value, args[0]);
  if (typeof value === 'string') budget.use(value.length * (slowFilters[name] ?? 0));
  // These filters read a property of each item by a path, or evaluate an expression for each item.
  if (Array.isArray(value)) {
    const path = args.reduce((length: number, arg) => length + (typeof arg === 'string' ? arg.length : 1), itemCost);
    budget.use(value.length * path * (name.endsWith('_exp') ? expressionCost : 1));
  }
}

const searchFilters = new Set(['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'split']);
/** The additional cost of these filters for each character. */
const slowFilters: Record<string, number> = { sample: 150, slugify: 5, strip_html: 5 };
/** The cost of formatting a part of a date, which takes about a third of a millisecond. */
const datePartCost = 10_000;
const itemCost = 5;
const expressionCost = 20;

/** Charges for both sides of an operator before they are compared. */
function chargedOperators(operators: Operators): Operators {
  return Object.fromEntries(
    Object.entries(operators).map(([name, operator]) => {
      if (name === 'and' || name === 'or' || name === 'not') return [name, combining(name, operator)];
      const charged: typeof operator = function* (left: unknown, right: unknown, ctx: Context) {
        const unknown = isIncomplete(ctx) ? compareMissing(name, left, right) : undefined;
        if (unknown !== undefined) return unknown as boolean;
        const budget = budgetOf(ctx);
        budget.use(budget.stepCost);
        budget.useValue(left);
        budget.useValue(right);
        if (name === 'contains') budget.useSearch(left, right);
        if (Array.isArray(left)) budget.use(left.length * itemCost);
        return yield operator(left, right, ctx);
      };
      return [name, charged];
    }),
  );
}

/** Wraps an operator that combines conditions. In a preview, a condition may be undecided. */
function combining(name: string, operator: OperatorHandler): OperatorHandler {
  return (left: unknown, right: unknown, ctx: Context) => {
    // `not` has one operand, so its second argument is the context.
    const budget = budgetOf(name === 'not' ? (right as Context) : ctx);
    budget.use(budget.stepCost);
    // LiquidJS declares the result as a boolean, but in a preview it may also be undecided.
    return (combineUndecided(name, left, right) as boolean | undefined) ?? operator(left, right as Context, ctx);
  };
}

type OperatorHandler = Operators[string];

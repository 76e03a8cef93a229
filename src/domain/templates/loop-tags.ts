import { type Context, type Emitter, ForTag, type Hash, TablerowTag, type Template, toValue, toValueSync } from 'liquidjs';
import { budgetOf } from './charged-context.ts';
import { evaluateToken } from './evaluate.ts';
import { findMissing, isIncomplete, type MissingValue } from './missing.ts';
import { renderTemplates } from './render-templates.ts';

/**
 * The `for` tag of LiquidJS, except that it renders directly and charges for the list before the list is copied. The whole list counts,
 * even if the loop ends immediately.
 */
export class ChargedForTag extends ForTag {
  override *render(ctx: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    const value = evaluateToken(this.collection, ctx);
    budgetOf(ctx).useItems(value);
    const missing = isIncomplete(ctx) ? findMissingList(value, this.hash, ctx) : undefined;
    const items = missing ? [] : toItems(toValue(value));
    if (missing) yield renderMissing(this, { list: missing, loop: 'forloop', ctx, emitter });
    else if (items.length === 0) yield renderTemplates(this.elseTemplates, ctx, emitter);
    else yield this.#renderItems(this.#select(items, ctx), ctx, emitter);
  }

  /** Applies `offset`, `limit` and `reversed`, in this order. */
  #select(items: unknown[], ctx: Context): unknown[] {
    const key = `continue-${this.#name}`;
    ctx.push(createScope({ continue: ctx.getRegister(key, {}) }));
    // A Hash renders to a plain object. `slice` converts values that are not numbers.
    const { offset, limit, reversed } = toValueSync(this.hash.render(ctx)) as { offset?: number; limit?: number; reversed?: unknown };
    ctx.pop();
    let list = items;
    if (offset !== undefined) list = list.slice(offset);
    if (limit !== undefined) list = list.slice(0, limit);
    if (reversed !== undefined) list = [...list].reverse();
    ctx.setRegister(key, (offset || 0) + list.length);
    return list;
  }

  #renderItems(list: unknown[], ctx: Context, emitter: Emitter): void {
    const scope = createScope({});
    const { length } = list;
    const name = this.#name;
    ctx.push(scope);
    for (const [index0, item] of list.entries()) {
      const [index, rindex] = [index0 + 1, length - index0];
      scope.forloop = { name, length, index, index0, rindex, rindex0: rindex - 1, first: index0 === 0, last: rindex === 1 };
      scope[this.variable] = item;
      ctx.continueCalled = false;
      ctx.breakCalled = false;
      renderTemplates(this.templates, ctx, emitter);
      if (ctx.breakCalled) break;
    }
    endLoop(ctx);
  }

  get #name(): string {
    return `${this.variable}-${this.collection.getText()}`;
  }
}

/** LiquidJS renders this tag, so all its steps are charged beforehand. */
export class ChargedTablerowTag extends TablerowTag {
  override *render(ctx: Context, emitter: Emitter): ReturnType<TablerowTag['render']> {
    const budget = budgetOf(ctx);
    const value = evaluateToken(this.collection, ctx);
    budget.useItems(value);
    const missing = isIncomplete(ctx) ? findMissingList(value, this.args, ctx) : undefined;
    if (!missing) {
      budget.use(toItems(toValue(value)).length * budget.stepCost * (this.templates.length + 1));
      yield super.render(ctx, emitter);
      return;
    }
    emitter.write('<tr class="row1"><td class="col1">');
    yield renderMissing(this, { list: missing, loop: 'tablerowloop', ctx, emitter });
    emitter.write('</td></tr>');
  }
}

/** A range is also unknown if its offset or limit is unknown. */
function findMissingList(list: unknown, { hash }: Hash, ctx: Context): MissingValue | undefined {
  const found = findMissing([list]);
  return found ?? findMissing(Object.values(hash).map((token) => token && evaluateToken(token, ctx)))?.derive();
}

interface MissingLoop {
  list: MissingValue;
  loop: 'forloop' | 'tablerowloop';
  ctx: Context;
  emitter: Emitter;
}

/** Renders a loop over a missing list once, with one item that represents all items. */
function renderMissing(
  { variable, templates }: { variable: string; templates: Template[] },
  { list, loop, ctx, emitter }: MissingLoop,
): void {
  const length = list.read('size');
  const position = { index: 1, index0: 0, first: true, last: true, length, rindex: length, rindex0: length, col: 1, col0: 0, row: 1 };
  ctx.push(createScope({ [variable]: list.item, [loop]: position }));
  renderTemplates(templates, ctx, emitter);
  endLoop(ctx);
}

function endLoop(ctx: Context): void {
  ctx.pop();
  ctx.breakCalled = false;
  ctx.continueCalled = false;
}

/** Creates a scope without a prototype, as LiquidJS does, because names are looked up with `in`. */
function createScope(variables: object): Record<string, unknown> {
  return Object.assign(Object.create(null), variables);
}

/** Returns what a loop iterates over: the items of a list, the entries of an object, or text as its only item. */
function toItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

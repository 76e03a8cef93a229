import { type Context, type Emitter, ForTag, type Hash, type Liquid, TablerowTag, type Template } from 'liquidjs';
import { budgetOf } from './budget.ts';
import { evaluateToken } from './evaluate.ts';
import { findMissing, isIncomplete, type MissingValue } from './missing.ts';

/** Charges for a loop's list before LiquidJS copies it, which it does even for a loop that ends at once. */
export class ChargedForTag extends ForTag {
  override render(ctx: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    const list = evaluateToken(this.collection, ctx);
    budgetOf(ctx).useItems(list);
    const missing = isIncomplete(ctx) ? findMissingList(list, this.hash, ctx) : undefined;
    return missing ? renderMissing(this, { list: missing, loop: 'forloop', ctx, emitter }) : super.render(ctx, emitter);
  }
}

export class ChargedTablerowTag extends TablerowTag {
  override *render(ctx: Context, emitter: Emitter): ReturnType<TablerowTag['render']> {
    const list = evaluateToken(this.collection, ctx);
    budgetOf(ctx).useItems(list);
    const missing = isIncomplete(ctx) ? findMissingList(list, this.args, ctx) : undefined;
    if (!missing) {
      yield super.render(ctx, emitter);
      return;
    }
    emitter.write('<tr class="row1"><td class="col1">');
    yield renderMissing(this, { list: missing, loop: 'tablerowloop', ctx, emitter });
    emitter.write('</td></tr>');
  }
}

/** A list is not known either if where it starts or ends is not. */
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

/** A loop over a missing list: one item stands for all. */
function* renderMissing(
  { variable, templates, liquid }: { variable: string; templates: Template[]; liquid: Liquid },
  { list, loop, ctx, emitter }: MissingLoop,
): Generator<unknown, void, never> {
  const length = list.read('size');
  const position = { index: 1, index0: 0, first: true, last: true, length, rindex: length, rindex0: length, col: 1, col0: 0, row: 1 };
  // Without a prototype, as LiquidJS creates its own: it looks up names with `in`.
  ctx.push(Object.assign(Object.create(null), { [variable]: list.item, [loop]: position }));
  yield liquid.renderer.renderTemplates(templates, ctx, emitter);
  ctx.pop();
  ctx.breakCalled = false;
  ctx.continueCalled = false;
}

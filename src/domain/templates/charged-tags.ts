import { type Context, type Emitter, evalToken, ForTag, TablerowTag } from 'liquidjs';
import { budgetOf } from './budget.ts';

/** Charges for a loop's list before LiquidJS copies it, which it does even for a loop that ends at once. */
export class ChargedForTag extends ForTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, undefined, unknown> {
    budgetOf(ctx).useItems(yield evalToken(this.collection, ctx));
    yield super.render(ctx, emitter);
  }
}

export class ChargedTablerowTag extends TablerowTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, undefined, unknown> {
    budgetOf(ctx).useItems(yield evalToken(this.collection, ctx));
    yield super.render(ctx, emitter);
  }
}

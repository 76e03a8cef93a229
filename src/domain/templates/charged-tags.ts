import { type Context, type Emitter, ForTag, TablerowTag } from 'liquidjs';
import { budgetOf } from './budget.ts';
import { evaluateToken } from './evaluate.ts';

/** Charges for a loop's list before LiquidJS copies it, which it does even for a loop that ends at once. */
export class ChargedForTag extends ForTag {
  override render(ctx: Context, emitter: Emitter) {
    budgetOf(ctx).useItems(evaluateToken(this.collection, ctx));
    return super.render(ctx, emitter);
  }
}

export class ChargedTablerowTag extends TablerowTag {
  override render(ctx: Context, emitter: Emitter) {
    budgetOf(ctx).useItems(evaluateToken(this.collection, ctx));
    return super.render(ctx, emitter);
  }
}

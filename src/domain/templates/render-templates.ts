import { type Context, type Emitter, LiquidError, Output, RenderError, Tag, type Template, toValue, toValueSync } from 'liquidjs';
import { budgetOf } from './charged-context.ts';
import { evaluate } from './evaluate.ts';

/** The cost for each character of a tag. The number of a tag's arguments is limited only by its length, and all arguments are evaluated. */
const argumentCost = 5;

/** Writes the output of parsed templates in the same way as LiquidJS, but without generators, and charges every step to the budget. */
export function renderTemplates(templates: Template[], ctx: Context, emitter: Emitter): void {
  const budget = budgetOf(ctx);
  budget.use(budget.stepCost);
  for (const template of templates) {
    budget.use(budget.stepCost);
    if (template instanceof Tag) budget.use(argumentCost * (template.token.end - template.token.begin));
    try {
      if (template instanceof Output) emitter.write(toValue(evaluate(template.value, ctx)));
      else {
        const text: unknown = toValueSync(template.render(ctx, emitter));
        if (text) emitter.write(text);
      }
    } catch (err) {
      throw LiquidError.is(err) || !(err instanceof Error) ? err : new RenderError(err, template);
    }
    if (ctx.breakCalled || ctx.continueCalled) break;
  }
}

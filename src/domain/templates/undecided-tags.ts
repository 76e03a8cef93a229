import {
  CaptureTag,
  CaseTag,
  type Context,
  type Emitter,
  IfTag,
  isFalsy,
  type Liquid,
  type Template,
  type Token,
  toValueSync,
  UnlessTag,
  type Value,
} from 'liquidjs';
import { budgetOf } from './budget.ts';
import { createEmitter } from './emitter.ts';
import { evaluate, evaluateToken } from './evaluate.ts';
import { isIncomplete, type MissingValue, Undecided } from './missing.ts';

// In a preview, a condition may depend on a value that is missing. Then all branches that are possible are shown, each after a mark:
// ‹if n > 3›many‹else›few‹end›

/** A branch of a tag. */
interface Branch {
  /** The mark before it. */
  title: string;
  /** The mark if it is the first one that is possible. */
  firstTitle?: string;
  test: () => boolean | Undecided;
  templates: Template[];
}

export class PreviewedIfTag extends IfTag {
  override render(ctx: Context, emitter: Emitter): ReturnType<IfTag['render']> {
    if (!isIncomplete(ctx)) return super.render(ctx, emitter);
    const branches = this.branches.map(({ value, templates }): Branch => {
      const text = sourceOf(value);
      return { title: `elsif ${text}`, firstTitle: `if ${text}`, test: () => testCondition(value, ctx), templates };
    });
    return renderBranches([...branches, elseBranch(this.elseTemplates)], { ctx, emitter, liquid: this.liquid });
  }
}

export class PreviewedUnlessTag extends UnlessTag {
  override render(ctx: Context, emitter: Emitter): ReturnType<UnlessTag['render']> {
    if (!isIncomplete(ctx)) return super.render(ctx, emitter);
    const branches = this.branches.map(({ value, templates, test }): Branch => {
      const isNegated = test === isFalsy;
      const text = sourceOf(value);
      const negate = (result: boolean | Undecided) => (isNegated && typeof result === 'boolean' ? !result : result);
      return {
        title: `elsif ${text}`,
        firstTitle: `${isNegated ? 'unless' : 'if'} ${text}`,
        test: () => negate(testCondition(value, ctx)),
        templates,
      };
    });
    return renderBranches([...branches, elseBranch(this.elseTemplates)], { ctx, emitter, liquid: this.liquid });
  }
}

export class PreviewedCaseTag extends CaseTag {
  override render(ctx: Context, emitter: Emitter): ReturnType<CaseTag['render']> {
    if (!isIncomplete(ctx)) return super.render(ctx, emitter);
    const target = evaluate(this.value, ctx);
    const equals = this.liquid.options.operators['=='];
    const branches = this.branches.map(({ values, templates }): Branch => {
      const title = `when ${values.map((value) => value.getText()).join(', ')}`;
      const test = () => {
        // LiquidJS's type does not know our third result.
        const results = values.map((value) => toValueSync(equals?.(target, evaluateToken(value, ctx), ctx)) as boolean | Undecided);
        return results.includes(true) || (results.find((result) => result instanceof Undecided) ?? false);
      };
      return { title, firstTitle: `case ${sourceOf(this.value)} ${title}`, test, templates };
    });
    return renderBranches([...branches, elseBranch(this.elseTemplates)], { ctx, emitter, liquid: this.liquid });
  }
}

/** A text with a missing value in it is not known either. */
export class PreviewedCaptureTag extends CaptureTag {
  override *render(ctx: Context): ReturnType<CaptureTag['render']> {
    const emitter = createEmitter(budgetOf(ctx));
    yield this.liquid.renderer.renderTemplates(this.templates, ctx, emitter);
    const scope: Record<string, unknown> = ctx.bottom();
    scope[this.variable] = emitter.missing?.derive(emitter.buffer) ?? emitter.buffer;
  }
}

interface Rendering {
  ctx: Context;
  emitter: Emitter;
  liquid: Liquid;
}

/** Renders the first branch that is true and, before it, those that are undecided. */
function* renderBranches(branches: Branch[], { ctx, emitter, liquid }: Rendering): Generator<unknown, void, never> {
  let alternatives: Alternatives | undefined;
  for (const { title, firstTitle = title, test, templates } of branches) {
    const result = test();
    if (result === false) continue;
    if (result instanceof Undecided) alternatives ??= createAlternatives(ctx, result);
    yield liquid.renderer.renderTemplates(templates, ctx, alternatives?.start(alternatives.isEmpty ? firstTitle : title) ?? emitter);
    if (result === true) break;
  }
  alternatives?.end(emitter);
}

interface Alternatives {
  isEmpty: boolean;
  /** Returns where to write the next branch. */
  start(title: string): Emitter;
  end(emitter: Emitter): void;
}

/** Branches of which only one will be rendered: each starts with the same variables, and what any of them assigns is not known afterwards. */
function createAlternatives(ctx: Context, cause: MissingValue): Alternatives {
  const scope: Record<string, unknown> = ctx.bottom();
  const before = { ...scope };
  const assigned = new Set<string>();
  const outputs: { title: string; output: Emitter }[] = [];

  function reset(): void {
    // Where a branch would leave the loop around it, the next one still counts.
    ctx.breakCalled = false;
    ctx.continueCalled = false;
    for (const [name, value] of Object.entries(scope)) {
      budgetOf(ctx).use(1);
      if (Object.hasOwn(before, name) && before[name] === value) continue;
      assigned.add(name);
      if (Object.hasOwn(before, name)) scope[name] = before[name];
      else delete scope[name];
    }
  }

  return {
    get isEmpty() {
      return outputs.length === 0;
    },

    start(title) {
      reset();
      const output = createEmitter(budgetOf(ctx));
      outputs.push({ title, output });
      return output;
    },

    end(emitter) {
      reset();
      for (const name of assigned) scope[name] = cause.derive();
      // Branches that only assign need no marks.
      if (outputs.every(({ output }) => output.buffer.trim() === '')) return;
      for (const { title, output } of outputs) emitter.write(cause.derive(`‹${title}›${output.buffer}`));
      emitter.write(cause.derive('‹end›'));
    },
  };
}

function testCondition(value: Value, ctx: Context): boolean | Undecided {
  const result = evaluate(value, ctx);
  return result instanceof Undecided ? result : !isFalsy(result, ctx);
}

function elseBranch(templates: Template[] = []): Branch {
  return { title: 'else', test: () => templates.length > 0, templates };
}

const maxTitleLength = 100;

/** An expression as its author wrote it. */
function sourceOf({ initial: { postfix } }: Value): string {
  const [token] = postfix;
  if (!token) return '';
  const begin = Math.min(...postfix.map((part: Token) => part.begin));
  const end = Math.max(...postfix.map((part: Token) => part.end));
  return token.input.slice(begin, end).replaceAll(/\s+/g, ' ').slice(0, maxTitleLength);
}

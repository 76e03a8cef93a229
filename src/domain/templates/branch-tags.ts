import {
  CaptureTag,
  CaseTag,
  type Context,
  type Emitter,
  IfTag,
  isFalsy,
  LiquidTag,
  type Template,
  type Token,
  toValue,
  toValueSync,
  UnlessTag,
  type Value,
} from 'liquidjs';
import { budgetOf } from './charged-context.ts';
import { createEmitter } from './emitter.ts';
import { evaluate, evaluateToken } from './evaluate.ts';
import { isIncomplete, type MissingValue, Undecided } from './missing.ts';
import { renderTemplates } from './render-templates.ts';

// In a preview, a condition may depend on a missing value. In this case, all possible branches are shown, each after a mark: ‹if n >
// 3›many‹else›few‹end›

/** A branch of a tag. */
interface Branch {
  /** Returns the mark before the branch. */
  title(): string;
  /** Returns the mark that is used if the branch is the first possible one. */
  firstTitle?(): string;
  test: () => boolean | Undecided;
  templates: Template[];
}

export class DirectIfTag extends IfTag {
  override *render(ctx: Context, emitter: Emitter): ReturnType<IfTag['render']> {
    const branches = this.branches.map(({ value, templates }) => conditionalBranch({ keyword: 'if', value, templates, ctx }));
    yield renderBranches([...branches, elseBranch(this.elseTemplates)], ctx, emitter);
  }
}

export class DirectUnlessTag extends UnlessTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const branches = this.branches.map(({ value, templates, test }) =>
      conditionalBranch({ keyword: test === isFalsy ? 'unless' : 'if', value, templates, ctx }),
    );
    yield renderBranches([...branches, elseBranch(this.elseTemplates)], ctx, emitter);
  }
}

/** Renders every branch with a matching value, as LiquidJS does. */
export class DirectCaseTag extends CaseTag {
  override *render(ctx: Context, emitter: Emitter): ReturnType<CaseTag['render']> {
    const target = toValue(evaluate(this.value, ctx));
    const equals = this.liquid.options.operators['=='];
    // LiquidJS declares the result as a boolean, but in a preview it may also be undecided.
    const compare = (value: Token) => toValueSync(equals?.(target, evaluateToken(value, ctx), ctx)) as boolean | Undecided;
    if (isIncomplete(ctx)) {
      const branches = this.branches.map(({ values, templates }): Branch => {
        const title = `when ${values.map((value) => value.getText()).join(', ')}`;
        const test = () => {
          const results = values.map(compare);
          return results.includes(true) || (results.find((result) => result instanceof Undecided) ?? false);
        };
        return { title: () => title, firstTitle: () => `case ${sourceOf(this.value)} ${title}`, test, templates };
      });
      yield renderBranches([...branches, elseBranch(this.elseTemplates)], ctx, emitter);
      return;
    }
    let isFound = false;
    for (const { values, templates } of this.branches) {
      // Each branch is compared only after the previous branches are rendered, because these may have assigned a variable that is compared.
      if (!values.some(compare)) continue;
      isFound = true;
      yield renderTemplates(templates, ctx, emitter);
    }
    if (!isFound) yield renderTemplates(this.elseTemplates, ctx, emitter);
  }
}

/** Captured text that contains a missing value is itself unknown. */
export class DirectCaptureTag extends CaptureTag {
  override *render(ctx: Context): ReturnType<CaptureTag['render']> {
    const emitter = createEmitter(budgetOf(ctx));
    yield renderTemplates(this.templates, ctx, emitter);
    const scope: Record<string, unknown> = ctx.bottom();
    scope[this.variable] = emitter.missing?.derive(emitter.buffer) ?? emitter.buffer;
  }
}

export class DirectLiquidTag extends LiquidTag {
  override *render(ctx: Context, emitter: Emitter): ReturnType<LiquidTag['render']> {
    yield renderTemplates(this.templates, ctx, emitter);
  }
}

const branchCost = 20;

/** Renders the undecided branches, up to and including the first one that is true. */
function renderBranches(branches: Branch[], ctx: Context, emitter: Emitter): void {
  budgetOf(ctx).use(branchCost * branches.length);
  let alternatives: ReturnType<typeof createAlternatives> | undefined;
  for (const { title, firstTitle = title, test, templates } of branches) {
    const result = test();
    if (result === false) continue;
    if (result instanceof Undecided) alternatives ??= createAlternatives(ctx, result);
    renderTemplates(templates, ctx, alternatives?.start(alternatives.isEmpty ? firstTitle() : title()) ?? emitter);
    if (result === true) break;
  }
  alternatives?.end(emitter);
}

/**
 * Renders several branches, only one of which will apply. Each branch starts with the same variables. Variables that any branch assigns are
 * unknown afterwards.
 */
function createAlternatives(ctx: Context, cause: MissingValue) {
  const scope: Record<string, unknown> = ctx.bottom();
  const before = { ...scope };
  const assigned = new Set<string>();
  const outputs: { title: string; output: Emitter }[] = [];

  function reset(): void {
    // The next branch is possible even if this branch would leave the surrounding loop.
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

    /** Starts a branch and returns the emitter to write it to. */
    start(title: string): Emitter {
      reset();
      const output = createEmitter(budgetOf(ctx));
      outputs.push({ title, output });
      return output;
    },

    end(emitter: Emitter): void {
      reset();
      for (const name of assigned) scope[name] = cause.derive();
      // Branches that only assign variables need no marks.
      if (outputs.every(({ output }) => output.buffer.trim() === '')) return;
      for (const { title, output } of outputs) emitter.write(cause.derive(`‹${title}›${output.buffer}`));
      emitter.write(cause.derive('‹end›'));
    },
  };
}

interface Condition {
  keyword: 'if' | 'unless';
  value: Value;
  templates: Template[];
  ctx: Context;
}

function conditionalBranch({ keyword, value, templates, ctx }: Condition): Branch {
  const test = () => {
    const result = evaluate(value, ctx);
    return result instanceof Undecided ? result : isFalsy(result, ctx) === (keyword === 'unless');
  };
  return { title: () => `elsif ${sourceOf(value)}`, firstTitle: () => `${keyword} ${sourceOf(value)}`, test, templates };
}

function elseBranch(templates: Template[] = []): Branch {
  return { title: () => 'else', test: () => templates.length > 0, templates };
}

const maxTitleLength = 100;

/** Returns an expression as its author wrote it. */
function sourceOf({ initial: { postfix } }: Value): string {
  const [token] = postfix;
  if (!token) return '';
  const begin = Math.min(...postfix.map((part: Token) => part.begin));
  const end = Math.max(...postfix.map((part: Token) => part.end));
  return token.input.slice(begin, end).replaceAll(/\s+/g, ' ').slice(0, maxTitleLength);
}

import {
  type Context,
  type Emitter,
  evalQuotedToken,
  Hash,
  type Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
} from 'liquidjs';
import { productionLabel } from '../../contract/label-names.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import { budgetOf } from './charged-context.ts';
import { renderTemplates } from './render-templates.ts';
import { includeKey } from './template-types.ts';

/** The parsed texts of the included prompts during a render. Module state is safe, because rendering is synchronous. */
let partials: ReadonlyMap<string, Template[]> = new Map();

/** Calls `render` with these included prompts. */
export function withIncludes<T>(next: ReadonlyMap<string, Template[]>, render: () => T): T {
  partials = next;
  try {
    return render();
  } finally {
    partials = new Map();
  }
}

/** The register in which a context keeps the values that were passed by the enclosing includes. */
const boundRegister = 'bound';

/**
 * `{% render 'shared/tone', label: 'staging', topic: 'ships' %}` includes another prompt. Unlike Liquid's own tag, it accepts a label and
 * reads no file. It passes on the variables of the caller, but not variables that the template assigned.
 */
export class RenderTag extends Tag {
  readonly prompt: string;
  readonly label: string;
  readonly hash: Hash;

  constructor(token: TagToken, remainTokens: TopLevelToken[], liquid: Liquid) {
    super(token, remainTokens, liquid);
    const name = this.tokenizer.readValue();
    if (!name || !TypeGuards.isQuotedToken(name)) throw new Error("put the prompt name in quotes, as in {% render 'shared/tone' %}");
    this.prompt = normalizeName(evalQuotedToken(name));
    this.hash = new Hash(this.tokenizer, liquid.options.keyValueSeparator);
    this.tokenizer.skipBlank();
    if (!this.tokenizer.end()) throw new Error(`unexpected "${this.tokenizer.remaining().slice(0, 40)}"`);
    const unnamed = Object.entries(this.hash.hash).find(([, value]) => value === undefined)?.[0];
    if (unnamed !== undefined) throw new Error(`unexpected "${unnamed}": pass values by name, as in topic: 'ships'`);
    const { label, ...bound } = this.hash.hash;
    if (label && !TypeGuards.isQuotedToken(label)) throw new Error("put the label in quotes, as in label: 'staging'");
    this.label = label ? evalQuotedToken(label) : productionLabel;
    this.hash.hash = bound;
  }

  *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const templates = partials.get(includeKey({ name: this.prompt, label: this.label }));
    if (!templates) throw new Error(`there is no prompt "${this.prompt}" with the label "${this.label}"`);
    // LiquidJS declares the results of generators as unknown, but a Hash always renders to a plain object.
    const own = (yield this.hash.render(ctx)) as Record<string, unknown>;
    // The caller's variables are shared and not copied, because there may be very many of them. An include itself passes only a few
    // variables.
    const bound = { ...ctx.getRegister<Record<string, unknown>>(boundRegister), ...own };
    budgetOf(ctx).useItems(bound);
    const includedCtx = ctx.spawn(ctx.environments);
    includedCtx.setRegister(boundRegister, bound);
    Object.assign(includedCtx.bottom(), bound);
    renderTemplates(templates, includedCtx, emitter);
  }

  /** The names of the values that the include passes, in the order of its arguments. */
  get bound(): string[] {
    return Object.keys(this.hash.hash);
  }

  *arguments() {
    for (const value of Object.values(this.hash.hash)) if (value && TypeGuards.isValueToken(value)) yield value;
  }
}

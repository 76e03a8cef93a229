import mustache from 'mustache';
import { listTags } from '../../contract/composition.ts';
import { type Budget, isPlainObject } from './budget.ts';
import { parseMustache, type Tokens } from './mustache-parser.ts';
import { toTemplateError } from './parse.ts';
import { createUsedValues, requireValue, type UsedValue, type UsedValues } from './shapes.ts';
import type { AnalyzeResult, PartialReference, Source, TemplateError } from './template-types.ts';

/** Renders as Langfuse's JavaScript SDK does: nothing is escaped, and what is missing is empty. Throws BudgetExceeded. */
export function renderMustache(tokens: Tokens, variables: Record<string, unknown>, budget: Budget): string {
  // The types of mustache do not tell what its tokens are.
  return new ChargedWriter(budget).renderTokens(tokens as unknown as string[][], new OwnContext(variables, undefined, budget));
}

/** Finds the variables that templates use and the prompts they include, or all their errors. */
export function analyzeMustache(sources: Source[]): AnalyzeResult {
  const values = createUsedValues();
  const variables = new Map<string, boolean>();
  const partials: PartialReference[] = [];
  const errors: TemplateError[] = [];
  for (const { text, path } of sources) {
    try {
      const tokens = parseMustache(text);
      collect(tokens, { values, variables, section: undefined });
      partials.push(...listReferences(text, tokens));
    } catch (err) {
      errors.push(toMustacheError(err, { text, path }));
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  return {
    ok: true,
    analysis: {
      variables: [...variables].map(([name, required]) => ({ name, required, ...values.shapeOf(name) })),
      partials: mergeReferences(partials),
      unused: [],
    },
  };
}

/** The includes of a text that mustache cannot parse. */
export function listIncludes(texts: string[]): PartialReference[] {
  return mergeReferences(texts.flatMap((text) => listReferences(text, [])));
}

/** An error of parsing or rendering. Mustache says where it is by the number of characters before it. */
export function toMustacheError(err: unknown, { text, path }: Source): TemplateError {
  const error = toTemplateError(err, path);
  const place = / at (\d+)$/.exec(error.message);
  if (!place) return error;
  const before = text.slice(0, Number(place[1])).split('\n');
  const message = error.message.slice(0, place.index);
  return { path, message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

interface Collected {
  values: UsedValues;
  /** Whether each is used outside of sections. */
  variables: Map<string, boolean>;
  /** The value of the section around. */
  section: UsedValue | undefined;
}

/** Inside of a section, a name may be a field of its value, or a variable of the caller: so it is optional. */
function collect(tokens: Tokens, { values, variables, section }: Collected): void {
  for (const [kind, name, , , inner] of tokens) {
    const isSection = kind === '#' || kind === '^';
    if (!isSection && kind !== 'name' && kind !== '&') continue;
    if (name === '.' && section) values.item(section);
    const [root = '', ...path] = splitName(name);
    const isRequired = !isSection && section === undefined;
    let value: UsedValue | undefined = values.variable(root);
    if (isVariableName.test(root)) variables.set(root, (variables.get(root) ?? false) || isRequired);
    for (const step of path) value = value && values.field(value, step);
    if (value && isRequired) requireValue(value);
    if (value && isSection) value.isUnknown = true;
    if (inner) collect(inner, { values, variables, section: value ?? section ?? values.variable(root) });
  }
}

/** Braces may also be around something else, such as JSON, which then is no variable. */
const isVariableName = /^[\p{L}\p{N}_$-]+( [\p{L}\p{N}_$-]+)*$/u;

function listReferences(text: string, tokens: Tokens): PartialReference[] {
  const sections = tokens.filter(([kind]) => kind === '#' || kind === '^');
  return listTags(text).map(({ name, label, start }) => ({
    name,
    label,
    bound: [],
    conditional: sections.some(([, , from, , , innerEnd = 0]) => from < start && start < innerEnd),
  }));
}

/** Each include once. */
function mergeReferences(references: PartialReference[]): PartialReference[] {
  const merged = new Map<string, PartialReference>();
  for (const reference of references) {
    const key = JSON.stringify([reference.name, reference.label]);
    const known = merged.get(key);
    merged.set(key, { ...reference, conditional: reference.conditional && (known?.conditional ?? true) });
  }
  return [...merged.values()];
}

function splitName(name: string): string[] {
  return name.indexOf('.') > 0 ? name.split('.') : [name];
}

/** Charges for every part of a template and every character that is produced. */
class ChargedWriter extends mustache.Writer {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    super();
    this.#budget = budget;
  }

  override renderTokens(...args: Parameters<mustache.Writer['renderTokens']>): string {
    const [tokens] = args;
    this.#budget.use(this.#budget.stepCost * (tokens.length + 1));
    return super.renderTokens(...args);
  }

  override rawValue(token: string[]): string {
    const text = super.rawValue(token);
    this.#budget.use(text.length);
    return text;
  }

  override unescapedValue([, name = '']: string[], context: mustache.Context): string {
    const value: unknown = context.lookup(name);
    if (value === undefined || value === null) return '';
    this.#budget.useValue(value);
    return String(value);
  }

  override escapedValue(token: string[], context: mustache.Context): string {
    return this.unescapedValue(token, context);
  }
}

/**
 * Security: finds only what the caller has sent. Mustache's own context also finds what every object inherits, such as `constructor`, and
 * calls it.
 */
class OwnContext extends mustache.Context {
  readonly #budget: Budget;

  constructor(view: unknown, parent: mustache.Context | undefined, budget: Budget) {
    super(view, parent);
    this.#budget = budget;
  }

  override push(view: unknown): OwnContext {
    return new OwnContext(view, this, this.#budget);
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view;
    const path = splitName(name);
    for (let context: mustache.Context | undefined = this; context; context = context.parent) {
      this.#budget.use(name.length + lookupCost);
      const found = findOwn(context.view, path);
      if (found) return found.value;
    }
    return undefined;
  }
}

const lookupCost = 10;

function findOwn(view: unknown, path: string[]): { value: unknown } | undefined {
  let value = view;
  for (const [index, name] of path.entries()) {
    // The length of a text is found, but only by a name with a dot, as mustache does.
    const hasFields = isPlainObject(value) || Array.isArray(value) || (typeof value === 'string' && index > 0);
    if (!hasFields || !Object.hasOwn(Object(value), name)) return undefined;
    // Checked above to be a property of its own.
    value = (value as unknown as Record<string, unknown>)[name];
  }
  return { value };
}

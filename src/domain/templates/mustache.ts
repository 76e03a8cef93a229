import { listTags } from '../../contract/composition.ts';
import { type Budget, isPlainObject } from './budget.ts';
import { parseMustache, type Token } from './mustache-parser.ts';
import type { ParsedTexts } from './render-texts.ts';
import { createUsedValues, requireValue, type UsedValue, type UsedValues } from './shapes.ts';
import { toTemplateError } from './template-errors.ts';
import type { AnalyzeResult, IncludeReference, Source, TemplateError } from './template-types.ts';

/** Parses templates. They render in the same way as in Langfuse's JavaScript SDK: nothing is escaped, and missing values are empty. */
export function parseMustacheTexts(sources: Source[]): ParsedTexts {
  const parsed: Extract<ParsedTexts, { ok: true }> = { ok: true, sources: [] };
  for (const source of sources) {
    try {
      const tokens = parseMustache(source.text);
      parsed.sources.push({ path: source.path, render: ({ variables, budget }) => renderTokens(tokens, { value: variables }, budget) });
    } catch (err) {
      return { ok: false, error: toMustacheError(err, source) };
    }
  }
  return parsed;
}

/** Finds the variables that templates use and the prompts they include, or all their errors. */
export function analyzeMustache(sources: Source[]): AnalyzeResult {
  const values = createUsedValues();
  const variables = new Map<string, boolean>();
  const partials: IncludeReference[] = [];
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

/** Lists the includes in text that mustache cannot parse. */
export function listIncludes(texts: string[]): IncludeReference[] {
  return mergeReferences(texts.flatMap((text) => listReferences(text, [])));
}

/** Converts a parser error. The parser states the position as the number of characters before it. */
function toMustacheError(err: unknown, { text, path }: Source): TemplateError {
  const error = toTemplateError(err, path);
  const place = / at (\d+)$/.exec(error.message);
  if (!place) return error;
  const before = text.slice(0, Number(place[1])).split('\n');
  const message = error.message.slice(0, place.index);
  return { path, message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

interface Collected {
  values: UsedValues;
  /** The variables, each with whether it is used outside sections. */
  variables: Map<string, boolean>;
  /** The value of the enclosing section. */
  section: UsedValue | undefined;
}

/**
 * Collects the names that templates use. Inside a section, a name may be a field of the section's value or a variable of the caller, so it
 * is optional.
 */
function collect(tokens: Token[], { values, variables, section }: Collected): void {
  for (const { kind, value: name, inner } of tokens) {
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
    collect(inner, { values, variables, section: value ?? section ?? values.variable(root) });
  }
}

/** Braces may also enclose text that is not a variable, such as JSON. */
const isVariableName = /^[\p{L}\p{N}_$-]+( [\p{L}\p{N}_$-]+)*$/u;

function listReferences(text: string, tokens: Token[]): IncludeReference[] {
  const sections = tokens.filter(({ kind }) => kind === '#' || kind === '^');
  return listTags(text).map(({ name, label, start }) => ({
    name,
    label,
    bound: [],
    conditional: sections.some((section) => section.start < start && start < section.innerEnd),
  }));
}

/** Removes duplicate includes. */
function mergeReferences(references: IncludeReference[]): IncludeReference[] {
  const merged = new Map<string, IncludeReference>();
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

/** The values in which names are looked up: first the value of a section, then the scope that encloses the section. */
interface Scope {
  value: unknown;
  outer?: Scope;
}

function renderTokens(tokens: Token[], scope: Scope, budget: Budget): string {
  budget.use(budget.stepCost * (tokens.length + 1));
  let output = '';
  for (const { kind, value, inner } of tokens) {
    if (kind === 'text') {
      budget.use(value.length);
      output += value;
    } else if (kind === 'name' || kind === '&') output += toText(findValue(value, scope, budget), budget);
    else if (kind === '#') output += renderSection(findValue(value, scope, budget), { inner, scope, budget });
    else if (kind === '^' && isEmpty(findValue(value, scope, budget))) output += renderTokens(inner, scope, budget);
  }
  return output;
}

function renderSection(value: unknown, { inner, scope, budget }: { inner: Token[]; scope: Scope; budget: Budget }): string {
  if (isEmpty(value)) return '';
  if (value === true) return renderTokens(inner, scope, budget);
  let output = '';
  for (const item of [value].flat()) output += renderTokens(inner, { value: item, outer: scope }, budget);
  return output;
}

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

function toText(value: unknown, budget: Budget): string {
  if (value === undefined || value === null) return '';
  budget.useValue(value);
  return String(value);
}

/** Finds a value. Only values that the caller sent are found, not properties that every object inherits, such as `constructor`. */
function findValue(name: string, scope: Scope, budget: Budget): unknown {
  if (name === '.') return scope.value;
  const path = splitName(name);
  for (let current: Scope | undefined = scope; current; current = current.outer) {
    budget.use(name.length + lookupCost);
    const found = findOwn(current.value, path);
    if (found) return found.value;
  }
  return undefined;
}

const lookupCost = 10;

function findOwn(view: unknown, path: string[]): { value: unknown } | undefined {
  let value = view;
  for (const [index, name] of path.entries()) {
    // As in mustache, the length of a string can be read only with a dotted name, such as `name.length`.
    const hasFields = isPlainObject(value) || Array.isArray(value) || (typeof value === 'string' && index > 0);
    if (!hasFields || !Object.hasOwn(Object(value), name)) return undefined;
    // The check above ensures that this is an own property.
    value = (value as unknown as Record<string, unknown>)[name];
  }
  return { value };
}

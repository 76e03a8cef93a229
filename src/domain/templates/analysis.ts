import { type Expression, ForTag, ParseError, TablerowTag, type Template, type Token, TypeGuards, Value, type ValueToken } from 'liquidjs';
import { applyFilter } from './filter-shapes.ts';
import { RenderTag } from './render-tag.ts';
import { createUsedValues, pathOf, requireValue, type UsedValue } from './shapes.ts';
import { childrenOf, type FilterParts, filterTokens, tagName } from './syntax.ts';
import type { Analysis, FieldPath, IncludeReference } from './template-types.ts';

interface Position {
  /** Whether the current position is inside a branch that might not be rendered. */
  conditional: boolean;
  /** The names that an enclosing tag defines, such as the item of a loop, each with the caller's value that it refers to. */
  scope: ReadonlyMap<string, UsedValue | undefined>;
}

const branchingTags = new Set(['if', 'unless', 'case']);
/** The maximum number of paths that a template passes to the prompts it includes. */
const maxPassedPaths = 500;

/**
 * Finds the variables that templates need from their caller, which of their fields they use, and the prompts they include. All added
 * templates are rendered with the same variables.
 */
export function createCollector() {
  const variables = new Map<string, boolean>();
  const values = createUsedValues();
  const partials = new Map<string, IncludeReference>();
  let passedPaths = 0;
  /** The assigned names, each with the caller's value that it refers to, if there is one. */
  const assigned = new Map<string, UsedValue | undefined>();
  const read = new Set<string>();
  const unused = new Set<string>();

  function visitAll(templates: Template[], position: Position): void {
    for (const template of templates) visit(template, position);
  }

  function visit(template: Template, position: Position): void {
    const tag = tagName(template);
    const isBranching = tag !== undefined && branchingTags.has(tag);
    const used = [...(template.arguments?.() ?? [])].map((argument) =>
      useArgument(argument, { ...position, conditional: position.conditional || isBranching }),
    );
    if (template instanceof RenderTag) addInclude(template, used, position);
    const children = childrenOf(template);
    if (children.length > 0) {
      const scope = new Map(position.scope);
      for (const name of template.blockScope?.() ?? []) scope.set(name, undefined);
      // The first argument of a loop is the list over which it iterates.
      if (used[0] && (template instanceof ForTag || template instanceof TablerowTag)) scope.set(template.variable, values.item(used[0]));
      const elseBranch = elseBranchOf(template);
      for (const child of children) visit(child, { conditional: position.conditional || isBranching || elseBranch.has(child), scope });
    }
    for (const name of template.localScope?.() ?? []) {
      assigned.set(name.content, tag === 'assign' ? used[0] : undefined);
      // These tags change the variable and also output it.
      if (tag === 'increment' || tag === 'decrement') read.add(name.content);
    }
  }

  function useArgument(argument: Value | ValueToken, position: Position): UsedValue | undefined {
    return argument instanceof Value ? useExpression(argument.initial, argument.filters, position) : useToken(argument, position);
  }

  /** Returns the caller's value that the expression refers to, if it refers to one. */
  function useExpression(initial: Expression, filters: FilterParts[], position: Position): UsedValue | undefined {
    assertComplete(initial);
    // With a default, neither the value nor the default is required: `{{ name | default: 'you' }}` renders without `name`, and `{{ name |
    // default: other }}` renders without `other`.
    const hasDefault = filters.some(({ name }) => name === 'default');
    const used = initial.postfix.map((token) => useToken(token, { ...position, conditional: position.conditional || hasDefault }));
    for (const [index, token] of initial.postfix.entries()) {
      const searched = used[index - 2];
      // The kind of the searched value is unknown, because both texts and lists can be searched.
      if (searched && TypeGuards.isOperatorToken(token) && token.operator === 'contains') searched.isUnknown = true;
    }
    let value = used.length === 1 ? used[0] : undefined;
    for (const filter of filters) {
      for (const token of filterTokens(filter.args))
        useToken(token, { ...position, conditional: position.conditional || filter.name === 'default' });
      value = value && applyFilter(values, value, filter);
      if (value && !position.conditional && !hasDefault) requireValue(value);
    }
    return value;
  }

  function useToken(token: Token, position: Position): UsedValue | undefined {
    if (TypeGuards.isRangeToken(token)) {
      useToken(token.lhs, position);
      useToken(token.rhs, position);
      return undefined;
    }
    if (TypeGuards.isFilteredValueToken(token)) return useExpression(token.initial, token.filters, position);
    if (!TypeGuards.isPropertyAccessToken(token)) return undefined;
    if (token.variable) {
      // The variable is a part of a literal, for example `n` in `(1..n).size`.
      useToken(token.variable, position);
      for (const part of token.props) useToken(part, position);
      return undefined;
    }
    const [root, ...path] = token.props;
    let value: UsedValue | undefined;
    if (root && TypeGuards.isPropertyAccessToken(root)) useToken(root, position);
    else if (root && 'content' in root) value = useName(String(root.content), position);
    for (const part of path) {
      value = usePart(value, part, position);
      if (value && !position.conditional) requireValue(value);
    }
    return value;
  }

  function usePart(value: UsedValue | undefined, part: Token, position: Position): UsedValue | undefined {
    useToken(part, position);
    if (!value) return undefined;
    if (!('content' in part)) {
      // The caller's values decide which field or item `prices[currency]` refers to.
      value.isUnknown = true;
      return undefined;
    }
    const name = String(part.content);
    return TypeGuards.isNumberToken(part) || /^\d+$/.test(name) ? values.item(value) : values.field(value, name);
  }

  function useName(name: string, { conditional, scope }: Position): UsedValue | undefined {
    if (scope.has(name)) return scope.get(name);
    read.add(name);
    if (assigned.has(name)) return assigned.get(name);
    variables.set(name, (variables.get(name) ?? false) || !conditional);
    return values.variable(name);
  }

  function addInclude({ prompt: name, label, bound }: RenderTag, used: (UsedValue | undefined)[], { conditional }: Position): void {
    const key = JSON.stringify([name, label, bound]);
    const known = partials.get(key);
    const passed = new Map(Object.entries(known?.passed ?? {}));
    for (const [index, variable] of bound.entries()) {
      const value = used[index];
      const path = value && pathOf(value);
      const paths = passed.get(variable) ?? [];
      if (!path || passedPaths >= maxPassedPaths || paths.some((each) => isSamePath(each, path))) continue;
      passedPaths += 1;
      passed.set(variable, [...paths, path]);
    }
    const reference = { name, label, bound, conditional: conditional && (known?.conditional ?? true) };
    partials.set(key, passed.size > 0 ? { ...reference, passed: Object.fromEntries(passed) } : reference);
  }

  return {
    add(templates: Template[]): void {
      // Each message is rendered separately, so assignments do not carry over to the next message.
      assigned.clear();
      visitAll(templates, { conditional: false, scope: new Map() });
      for (const name of assigned.keys()) if (!read.has(name)) unused.add(name);
    },
    result: (): Analysis => ({
      variables: [...variables].map(([name, required]) => ({ name, required, ...values.shapeOf(name) })),
      partials: [...partials.values()],
      unused: [...unused],
    }),
  };
}

/** Returns the branch that a loop renders for an empty list. */
function elseBranchOf(template: Template): ReadonlySet<Template> {
  // Only the tags of loops have this property. LiquidJS's Template type does not declare it.
  return new Set('elseTemplates' in template ? (template.elseTemplates as Template[]) : []);
}

function isSamePath(a: FieldPath, b: FieldPath): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}

/**
 * Rejects `{{ first second }}`, because LiquidJS would silently render only `first`. The author most likely forgot an operator or a filter.
 */
function assertComplete({ postfix }: Expression): void {
  let values = 0;
  for (const token of postfix) {
    const operands = TypeGuards.isOperatorToken(token) ? (token.operator === 'not' ? 1 : 2) : 0;
    if (values < operands) throw new ParseError(new Error(`"${token.getText()}" has no value`), token);
    values += 1 - operands;
  }
  const second = postfix.find((token, index) => index > 0 && !TypeGuards.isOperatorToken(token));
  if (values > 1 && second) throw new ParseError(new Error(`unexpected "${second.getText()}"`), second);
}

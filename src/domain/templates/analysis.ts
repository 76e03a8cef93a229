import { type Expression, ParseError, type Template, type Token, TypeGuards, Value, type ValueToken } from 'liquidjs';
import { PartialTag } from './partial-tag.ts';
import { childrenOf, type FilterParts, filterTokens, tagName } from './syntax.ts';
import type { Analysis, PartialReference } from './types.ts';

/** Collects the analysis of one or more templates that are rendered with the same variables. */
interface Collector {
  add(templates: Template[]): void;
  result(): Analysis;
}

interface Position {
  /** Inside a branch that might not be rendered. */
  conditional: boolean;
  /** Names that an enclosing tag defines, such as a loop's item. */
  scope: ReadonlySet<string>;
}

const branchingTags = new Set(['if', 'unless', 'case']);

/** Finds the variables a template needs from its caller and the prompts it includes. */
export function createCollector(): Collector {
  const variables = new Map<string, boolean>();
  const partials = new Map<string, PartialReference>();
  const assigned = new Set<string>();
  const read = new Set<string>();
  const unused = new Set<string>();

  function visitAll(templates: Template[], position: Position): void {
    for (const template of templates) visit(template, position);
  }

  function visit(template: Template, position: Position): void {
    const tag = tagName(template);
    const isBranching = tag !== undefined && branchingTags.has(tag);
    for (const argument of template.arguments?.() ?? [])
      useArgument(argument, { ...position, conditional: position.conditional || isBranching });
    if (template instanceof PartialTag) addPartial(template, position);
    const children = childrenOf(template);
    if (children.length > 0) {
      const scope = new Set([...position.scope, ...(template.blockScope?.() ?? [])]);
      const elseBranch = elseBranchOf(template);
      for (const child of children) visit(child, { conditional: position.conditional || isBranching || elseBranch.has(child), scope });
    }
    for (const name of template.localScope?.() ?? []) {
      assigned.add(name.content);
      // These tags also output the variable.
      if (tag === 'increment' || tag === 'decrement') read.add(name.content);
    }
  }

  function useArgument(argument: Value | ValueToken, position: Position): void {
    if (argument instanceof Value) useExpression(argument.initial, argument.filters, position);
    else useToken(argument, position);
  }

  function useExpression(initial: Expression, filters: FilterParts[], position: Position): void {
    assertComplete(initial);
    // `{{ name | default: 'you' }}` renders without `name`, and `{{ name | default: other }}` without `other`.
    const hasDefault = filters.some(({ name }) => name === 'default');
    for (const token of initial.postfix) useToken(token, { ...position, conditional: position.conditional || hasDefault });
    for (const { name, args } of filters) {
      for (const token of filterTokens(args)) useToken(token, { ...position, conditional: position.conditional || name === 'default' });
    }
  }

  function useToken(token: Token, position: Position): void {
    if (TypeGuards.isRangeToken(token)) {
      useToken(token.lhs, position);
      useToken(token.rhs, position);
    } else if (TypeGuards.isPropertyAccessToken(token)) {
      const [root, ...path] = token.props;
      if (root && TypeGuards.isPropertyAccessToken(root)) useToken(root, position);
      else if (root && 'content' in root) useName(String(root.content), position);
      for (const part of path) useToken(part, position);
    } else if (TypeGuards.isFilteredValueToken(token)) {
      useExpression(token.initial, token.filters, position);
    }
  }

  function useName(name: string, { conditional, scope }: Position): void {
    if (scope.has(name)) return;
    read.add(name);
    if (assigned.has(name)) return;
    variables.set(name, (variables.get(name) ?? false) || !conditional);
  }

  function addPartial({ prompt: name, label, hash }: PartialTag, { conditional }: Position): void {
    const bound = Object.keys(hash.hash);
    const key = JSON.stringify([name, label, bound]);
    const known = partials.get(key);
    partials.set(key, { name, label, bound, conditional: conditional && (known?.conditional ?? true) });
  }

  return {
    add(templates) {
      // Each message is rendered separately, so assignments do not carry over to the next one.
      assigned.clear();
      visitAll(templates, { conditional: false, scope: new Set() });
      for (const name of assigned) if (!read.has(name)) unused.add(name);
    },
    result: () => ({
      variables: [...variables].map(([name, required]) => ({ name, required })),
      partials: [...partials.values()],
      unused: [...unused],
    }),
  };
}

/** The branch that a loop renders for an empty list. */
function elseBranchOf(template: Template): ReadonlySet<Template> {
  // Only the loop's tag has this property, which is missing from LiquidJS's Template type.
  return new Set('elseTemplates' in template ? (template.elseTemplates as Template[]) : []);
}

/** Rejects `{{ first second }}`, of which LiquidJS silently renders only the first: most likely an operator or filter is missing. */
function assertComplete({ postfix }: Expression): void {
  let values = 0;
  for (const token of postfix) {
    const operands = TypeGuards.isOperatorToken(token) ? (token.operator === 'not' ? 1 : 2) : 0;
    if (values < operands) throw new ParseError(new Error(`"${token.getText()}" lacks a value`), token);
    values += 1 - operands;
  }
  const second = postfix.find((token, index) => index > 0 && !TypeGuards.isOperatorToken(token));
  if (values > 1 && second) throw new ParseError(new Error(`unexpected "${second.getText()}"`), second);
}

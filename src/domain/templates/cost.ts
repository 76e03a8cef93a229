import { type Template, type Token, TypeGuards, Value, type ValueToken } from 'liquidjs';
import { childrenOf, type FilterParts, filterTokens, tagName } from './syntax.ts';

/**
 * What rendering a template can cost. A `bounded` one does work that grows with its text and its variables, so it may run on
 * the main thread with a small budget. An `open` one might do more than a budget can count, so it runs in a child process.
 */
export type CostClass = 'bounded' | 'open';

/** How many steps each part of a template takes: one for itself and one for each value, property and filter it evaluates. */
const weights = new WeakMap<Template, number>();

/** The number of steps that one render of this part takes, without the parts inside of it. */
export function weightOf(template: Template): number {
  return weights.get(template) ?? 1;
}

const boundedTags = new Set([
  'if',
  'unless',
  'case',
  'for',
  'assign',
  'echo',
  'liquid',
  'render',
  'raw',
  'comment',
  '#',
  'break',
  'continue',
]);
/** Filters whose time grows with the length of their input, or does not grow. */
const boundedFilters = new Set(
  `abs append at_least at_most capitalize ceil compact concat default divided_by downcase escape first floor join json
   last lstrip minus modulo newline_to_br plus prepend reverse round rstrip size strip strip_newlines times truncate
   truncatewords uniq upcase url_encode`.split(/\s+/),
);
/** Filters that search for a text, whose time also grows with its length, so it must be short and known. */
const searchFilters = new Set(['remove', 'remove_first', 'replace', 'replace_first', 'split']);
const maxSearchCharacters = 64;
const maxWeight = 100;

/** Measures the weights of a parsed template and decides its class. */
export function measureCost(templates: Template[]): CostClass {
  let isBounded = true;

  function visit(template: Template, isInLoop: boolean): void {
    const tag = tagName(template);
    const isLoop = tag === 'for' || tag === 'tablerow';
    if ((tag !== undefined && !boundedTags.has(tag)) || (isLoop && isInLoop)) isBounded = false;
    let weight = 1;
    for (const argument of template.arguments?.() ?? []) {
      weight += weigh(argument);
      // Unlike operators, `when` compares without charging.
      if (tag === 'case' && !(argument instanceof Value) && !isLiteral(argument)) isBounded = false;
    }
    if (weight > maxWeight) isBounded = false;
    weights.set(template, weight);
    for (const child of childrenOf(template)) visit(child, isInLoop || isLoop);
  }

  function weigh(argument: Value | ValueToken): number {
    return argument instanceof Value ? weighExpression(argument.initial.postfix, argument.filters) : weighToken(argument);
  }

  function weighExpression(postfix: Token[], filters: FilterParts[]): number {
    let weight = 0;
    for (const [index, token] of postfix.entries()) {
      weight += weighToken(token);
      if (TypeGuards.isOperatorToken(token) && token.operator === 'contains' && !isShortText(postfix[index - 1])) isBounded = false;
    }
    for (const { name, args } of filters) {
      const tokens = filterTokens(args);
      const isAllowed =
        (name === 'json' ? tokens.length === 0 : boundedFilters.has(name)) ||
        (searchFilters.has(name) && isShortText(tokens[0])) ||
        (name === 'date' && tokens.length === 1 && isShortText(tokens[0]));
      if (!isAllowed) isBounded = false;
      weight += 1;
      for (const token of tokens) weight += weighToken(token);
    }
    return weight;
  }

  function weighToken(token: Token): number {
    if (TypeGuards.isRangeToken(token)) {
      isBounded = false;
      return 1 + weighToken(token.lhs) + weighToken(token.rhs);
    }
    if (TypeGuards.isPropertyAccessToken(token)) {
      return token.props.reduce((weight, prop) => weight + weighToken(prop), token.variable ? weighToken(token.variable) : 0);
    }
    if (TypeGuards.isFilteredValueToken(token)) return weighExpression(token.initial.postfix, token.filters);
    return 1;
  }

  for (const template of templates) visit(template, false);
  return isBounded ? 'bounded' : 'open';
}

function isLiteral(token: Token): boolean {
  return TypeGuards.isLiteralToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isQuotedToken(token);
}

function isShortText(token: Token | undefined): boolean {
  return token !== undefined && TypeGuards.isQuotedToken(token) && token.content.length <= maxSearchCharacters;
}

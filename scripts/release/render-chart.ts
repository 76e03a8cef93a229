/**
 * Renders the part of Helm's template language that the chart uses: values, `default`, `quote`, `eq`, `if`, `else` and `range`. Everything
 * else is an error, so that a chart that this file renders has the same meaning for Helm.
 */

interface Action {
  kind: 'action';
  code: string;
}
type Token = string | Action;

export type Values = Record<string, unknown>;

export function renderTemplate(text: string, data: Values): string {
  const tokens = tokenize(text);
  let position = 0;
  const output = render(data, true);
  if (position < tokens.length) throw new Error(`Unexpected {{ ${describe(tokens[position])} }}`);
  return output;

  /** Renders to the end of the text, or to the next `else` or `end` of the block around it. */
  function render(scope: Values, isActive: boolean): string {
    let result = '';
    for (; position < tokens.length; position += 1) {
      const token = tokens[position] ?? '';
      if (typeof token === 'string') {
        result += token;
        continue;
      }
      if (token.code === 'else' || token.code === 'end') return result;
      if (token.code.startsWith('if ')) result += renderIf(token.code.slice(3), scope, isActive);
      else if (token.code.startsWith('range ')) result += renderRange(token.code, scope, isActive);
      else if (isActive) result += String(evaluate(token.code, scope));
    }
    return result;
  }

  function renderIf(condition: string, scope: Values, isActive: boolean): string {
    position += 1;
    const isTrue = isActive && isTruthy(evaluate(condition, scope));
    const then = render(scope, isTrue);
    let otherwise = '';
    if (describe(tokens[position]) === 'else') {
      position += 1;
      otherwise = render(scope, isActive && !isTrue);
    }
    expectEnd();
    return isTrue ? then : otherwise;
  }

  function renderRange(code: string, scope: Values, isActive: boolean): string {
    const [, name = '', value = '', list = ''] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(code) ?? [];
    if (list === '') throw new Error(`Not supported: {{ ${code} }}`);
    const start = position + 1;
    // Helm goes through a map in alphabetical order of its keys.
    const entries = isActive ? Object.entries(evaluate(list, scope) as Values).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
    let result = '';
    for (const [key, item] of entries) {
      position = start;
      result += render({ ...scope, [name]: key, [value]: item }, true);
    }
    if (entries.length === 0) {
      position = start;
      render(scope, false);
    }
    expectEnd();
    return result;
  }

  function expectEnd(): void {
    if (describe(tokens[position]) !== 'end') throw new Error('A block has no end');
  }
}

/** In Helm, an empty map is false too. */
function isTruthy(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function describe(token: Token | undefined): string | undefined {
  return typeof token === 'object' ? token.code : undefined;
}

/** Splits a template. A hyphen in an action removes the white space on its side. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let rest = text;
  for (let match = find(rest); match; match = find(rest)) {
    const [action, left, code = '', right] = match;
    const before = rest.slice(0, match.index);
    tokens.push(left ? before.trimEnd() : before, { kind: 'action', code: code.trim() });
    rest = rest.slice(match.index + action.length);
    if (right) rest = rest.trimStart();
  }
  return [...tokens, rest];
}

function find(text: string): RegExpExecArray | null {
  return /\{\{(- )?(.*?)( -)?\}\}/.exec(text);
}

function evaluate(code: string, scope: Values): unknown {
  const [first = '', ...filters] = code.split('|').map((part) => part.trim());
  const equal = /^eq (\S+) (\S+)$/.exec(first);
  let value = equal ? evaluateTerm(equal[1] ?? '', scope) === evaluateTerm(equal[2] ?? '', scope) : evaluateTerm(first, scope);
  for (const filter of filters) {
    const fallback = /^default (\S+)$/.exec(filter)?.[1];
    if (fallback !== undefined) value ||= evaluateTerm(fallback, scope);
    else if (filter === 'quote') value = JSON.stringify(String(value));
    else throw new Error(`Not supported: {{ ${code} }}`);
  }
  return value;
}

function evaluateTerm(term: string, scope: Values): unknown {
  if (/^"[^"\\]*"$/.test(term)) return term.slice(1, -1);
  if (term.startsWith('$')) return scope[term];
  if (!/^(?:\.\w+)+$/.test(term)) throw new Error(`Not supported: ${term}`);
  const value = term
    .slice(1)
    .split('.')
    .reduce<unknown>((object, name) => (object as Values | undefined)?.[name], scope);
  if (value === undefined) throw new Error(`There is no ${term}`);
  return value;
}

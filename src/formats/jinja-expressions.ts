import { isAbsent, isPresent, NoLiquidForm, quote, type Tested, toLiquidPath } from './liquid-forms.ts';

/** The meaning of names in an expression of Jinja or Nunjucks. */
export interface JinjaNames {
  /** Finds the Liquid expression for a name that a loop defines. */
  find(name: string): string | undefined;
  isInLoop: boolean;
  typeOf(name: string): string | undefined;
  /** Words of the language that are not variables. */
  words: ReadonlySet<string>;
  /** Names that are methods of the language, not fields. */
  methods: ReadonlySet<string>;
}

const token = /\s*(?:("[^"\\]*"|'[^'\\]*')|(\d+(?:\.\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|(==|!=|<=|>=|[<>().,|[\]=-]))/uy;

interface Token {
  kind: 'text' | 'number' | 'name' | 'sign';
  value: string;
}

function tokenize(source: string): Token[] {
  const text = source.trim();
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match) throw new NoLiquidForm('Liquid does not support this expression');
    const [, string, number, name, sign] = match;
    if (string !== undefined) tokens.push({ kind: 'text', value: string.slice(1, -1) });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else tokens.push({ kind: 'sign', value: sign ?? '' });
  }
  return tokens;
}

/**
 * Parses expressions of Jinja and Nunjucks, and converts the expressions that Liquid supports. Throws a NoLiquidForm for all other
 * expressions.
 */
export function createExpression(source: string, names: JinjaNames) {
  const tokens = tokenize(source);
  let position = 0;
  const peek = (value: string) => tokens[position]?.kind !== 'text' && tokens[position]?.value === value;
  const take = (value: string) => {
    const isNext = peek(value);
    if (isNext) position += 1;
    return isNext;
  };
  const expect = (value: string) => {
    if (!take(value)) throw new NoLiquidForm('Liquid does not support this expression');
  };

  function readOperand(): Tested {
    const first = tokens[position];
    position += 1;
    if (first?.kind === 'text') return { liquid: quote(first.value) };
    if (first?.kind === 'number') return { liquid: first.value };
    if (first?.kind !== 'name') throw new NoLiquidForm('Liquid does not support this expression');
    const constant = Object.hasOwn(constants, first.value) ? constants[first.value] : undefined;
    if (constant !== undefined) return { liquid: constant, type: 'boolean' };
    const fields = readFields();
    if (first.value === 'loop' && names.isInLoop) return toLoopValue(fields);
    const known = names.find(first.value);
    if (known !== undefined) return { liquid: toLiquidPath(known, fields) };
    if (names.words.has(first.value)) throw new NoLiquidForm('Liquid does not support this keyword');
    return {
      liquid: toLiquidPath(undefined, [first.value, ...fields]),
      type: fields.length === 0 ? names.typeOf(first.value) : undefined,
    };
  }

  function readFields(): string[] {
    const fields: string[] = [];
    for (;;) {
      if (take('.')) {
        const field = tokens[position];
        if (field?.kind !== 'name' && field?.kind !== 'number') throw new NoLiquidForm('Liquid does not support this expression');
        fields.push(field.value);
        position += 1;
        if (names.methods.has(field.value) || peek('(')) throw new NoLiquidForm('Liquid does not support methods');
      } else if (take('[')) {
        const field = tokens[position];
        if (field?.kind !== 'text' && field?.kind !== 'number') throw new NoLiquidForm('Liquid does not support this expression');
        fields.push(field.value);
        position += 1;
        expect(']');
      } else return fields;
    }
  }

  /** Reads a value with filters. */
  function readValue(): Tested {
    let { liquid, type } = readOperand();
    while (take('|')) {
      const name = tokens[position]?.value ?? '';
      position += 1;
      liquid += toFilter(name, take('(') ? readArguments() : []);
      type = undefined;
    }
    return { liquid, type };
  }

  function readArguments(): string[] {
    const values: string[] = [];
    while (!take(')')) {
      if (values.length > 0) expect(',');
      values.push(readOperand().liquid);
    }
    return values;
  }

  /** Reads a value of a condition, where Liquid allows no filters. */
  function readCompared(): Tested {
    const operand = readOperand();
    if (!take('|')) return operand;
    if (!take('length') && !take('count')) throw new NoLiquidForm('Liquid does not support filters in conditions');
    return { liquid: `${operand.liquid}.size`, type: 'number' };
  }

  function readTerm(): string {
    if (take('not')) return isAbsent(readCompared());
    const value = readCompared();
    const sign = tokens[position];
    if (sign?.kind === 'sign' && ['==', '!=', '<', '>', '<=', '>='].includes(sign.value)) {
      position += 1;
      return `${value.liquid} ${sign.value} ${readCompared().liquid}`;
    }
    if (take('in')) return `${readCompared().liquid} contains ${value.liquid}`;
    if (!take('is')) return isPresent(value);
    const isNot = take('not');
    const isDefined = take('defined');
    if (!isDefined && !take('none') && !take('None')) throw new NoLiquidForm('Liquid does not support this test');
    return `${value.liquid} ${isDefined === isNot ? '==' : '!='} nil`;
  }

  function finish<T>(value: T): T {
    if (position < tokens.length) throw new NoLiquidForm('Liquid does not support this expression');
    return value;
  }

  return {
    /** Converts a value with filters, to be output. */
    value(): string {
      // Each language outputs these constants differently.
      if (tokens.length === 1 && Object.hasOwn(constants, tokens[0]?.value ?? '')) throw new NoLiquidForm('A constant');
      return finish(readValue().liquid);
    },

    /** Converts a list without filters. */
    list: () => finish(readOperand()),

    condition(): string {
      const terms = [readTerm()];
      const joined = peek('or') ? 'or' : 'and';
      while (take(joined)) terms.push(readTerm());
      // Liquid evaluates `and` and `or` from right to left, without precedence.
      const isMixed = terms.length > 1 && terms.some((term) => / (?:and|or) /.test(term.replaceAll(/"[^"]*"|'[^']*'/g, '')));
      if (isMixed) throw new NoLiquidForm('Liquid evaluates "and" and "or" in a different order');
      return finish(terms.join(` ${joined} `));
    },
  };
}

const constants: Record<string, string> = {
  ...{ true: 'true', True: 'true', false: 'false', False: 'false', none: 'nil', None: 'nil', null: 'nil' },
};

const loopFields: Record<string, Tested> = {
  index: { liquid: 'forloop.index', type: 'number' },
  index0: { liquid: 'forloop.index0', type: 'number' },
  first: { liquid: 'forloop.first', type: 'boolean' },
  last: { liquid: 'forloop.last', type: 'boolean' },
  length: { liquid: 'forloop.length', type: 'number' },
  revindex: { liquid: 'forloop.rindex', type: 'number' },
  revindex0: { liquid: 'forloop.rindex0', type: 'number' },
};

function toLoopValue([field = '', ...rest]: string[]): Tested {
  const value = rest.length === 0 && Object.hasOwn(loopFields, field) ? loopFields[field] : undefined;
  if (!value) throw new NoLiquidForm('Liquid does not have this loop variable');
  return value;
}

/** Filters that have an equivalent in Liquid, with their number of arguments. */
const filters: Record<string, [name: string, count: number]> = {
  upper: ['upcase', 0],
  lower: ['downcase', 0],
  trim: ['strip', 0],
  capitalize: ['capitalize', 0],
  length: ['size', 0],
  count: ['size', 0],
  first: ['first', 0],
  last: ['last', 0],
  abs: ['abs', 0],
  unique: ['uniq', 0],
  join: ['join', 1],
  replace: ['replace', 2],
  default: ['default', 1],
  d: ['default', 1],
  tojson: ['json', 0],
  dump: ['json', 0],
};

function toFilter(name: string, values: string[]): string {
  // The service does not escape text, so `safe` changes nothing.
  if (name === 'safe' && values.length === 0) return '';
  if (name === 'join' && values.length === 0) return ' | join: ""';
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (!filter || filter[1] !== values.length) throw new NoLiquidForm(`Liquid does not support the filter "${name}"`);
  return ` | ${filter[0]}${values.length > 0 ? `: ${values.join(', ')}` : ''}`;
}

import { chooseItemName, NoLiquidForm, type Tested, toLiquidPath } from './liquid-forms.ts';

/** Words that are not variables in dotprompt and Handlebars. */
export const handlebarsWords = new Set([
  ...['this', 'else', 'true', 'false', 'null', 'undefined', 'if', 'unless', 'each', 'with', 'lookup', 'log'],
  ...['json', 'role', 'history', 'section', 'media', 'ifEquals', 'unlessEquals'],
]);

/** The meaning of names at a position of a template. */
interface Scope {
  /** The Liquid expression for `this`, or undefined if `this` contains all variables of the template. */
  self: string | undefined;
  parameters: ReadonlyMap<string, string>;
  /** The Liquid expressions for names with `@` in a loop. */
  data: Readonly<Record<string, string>>;
  /** The generated name of the loop's items, if the template does not name them. */
  item?: string | undefined;
}

export type HandlebarsScopes = ReturnType<typeof createHandlebarsScopes>;

/** Tracks the scopes of a Handlebars template, in which `each` and `with` change the meaning of names. */
export function createHandlebarsScopes(text: string, typeOf: (name: string) => string | undefined) {
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  const scopes: Scope[] = [{ self: undefined, parameters: new Map(), data: {} }];

  function toPath(source: string): Tested {
    let path = source;
    let depth = 0;
    for (; path.startsWith('../'); path = path.slice(3)) depth += 1;
    const scope = scopes.at(-1 - depth);
    if (!scope || !pathPattern.test(path)) throw new NoLiquidForm('Liquid does not support this expression');
    if (path.startsWith('@root')) return toVariable(splitPath(path).slice(1));
    if (path.startsWith('@')) return toData(path, depth);
    const [first = '', ...rest] = splitPath(path.replace(/^\.\//, 'this.'));
    if (first === 'this' || first === '.') {
      if (scope.self === undefined && rest.length === 0) throw new NoLiquidForm('Liquid cannot output all variables at once');
      return scope.self === undefined ? toVariable(rest) : { liquid: toLiquidPath(scope.self, rest) };
    }
    const parameter = findParameter(first, depth);
    if (parameter !== undefined) return { liquid: toLiquidPath(parameter, rest) };
    if (handlebarsWords.has(first)) throw new NoLiquidForm('Liquid does not support this helper or keyword');
    return scope.self === undefined ? toVariable([first, ...rest]) : { liquid: toLiquidPath(scope.self, [first, ...rest]) };
  }

  function toVariable(fields: string[]): Tested {
    return { liquid: toLiquidPath(undefined, fields), type: fields.length === 1 ? typeOf(fields[0] ?? '') : undefined };
  }

  function toData(path: string, depth: number): Tested {
    // Liquid has these values only for the innermost loop.
    const data = depth === 0 ? scopes.at(-1)?.data : undefined;
    const liquid = data && Object.hasOwn(data, path) ? data[path] : undefined;
    if (liquid === undefined) throw new NoLiquidForm('Liquid has no equivalent for this value here');
    return { liquid, type: path === '@first' || path === '@last' ? 'boolean' : undefined };
  }

  /** Finds a block parameter of this block or of an outer block. */
  function findParameter(name: string, depth: number): string | undefined {
    return scopes
      .slice(0, scopes.length - depth)
      .findLast(({ parameters }) => parameters.has(name))
      ?.parameters.get(name);
  }

  return {
    /** Converts a path in the current scope. Throws if Liquid cannot express it. */
    toPath,

    /** Enters a block in which names are fields of a value. */
    enter(self: string, [name]: string[]): void {
      scopes.push({ self, parameters: new Map(name === undefined ? [] : [[name, self]]), data: scopes.at(-1)?.data ?? {} });
    },

    /** Enters a loop, and returns the name of its items. An item of an object has a key and a value. */
    enterLoop({ liquid, type }: Tested, [name, index]: string[]): string {
      const item = name === undefined ? chooseItemName(liquid, (each) => words.has(each)) : toLiquidPath(undefined, [name]);
      if (name === undefined) words.add(item);
      const isObject = type === 'object';
      const self = isObject ? `${item}[1]` : item;
      const key = isObject ? `${item}[0]` : 'forloop.index0';
      scopes.push({
        self,
        parameters: new Map([
          ...(name === undefined ? [] : [[name, self] as const]),
          ...(index === undefined ? [] : [[index, key] as const]),
        ]),
        // If the file does not declare the type of the loop's value, the key may be a name or a number, so `@key` is left out.
        data: {
          '@index': 'forloop.index0',
          '@first': 'forloop.first',
          '@last': 'forloop.last',
          ...(type !== undefined && { '@key': key }),
        },
        item: name === undefined ? item : undefined,
      });
      return item;
    },

    leave(): void {
      const left = scopes.pop();
      if (left?.item !== undefined) words.delete(left.item);
    },
  };
}

const pathPattern = /^(?:\.|(?:\.\/)?@?(?:[\p{L}_$][\p{L}\p{N}_$-]*|\[[^\]]+\])(?:[./](?:[\p{L}\p{N}_$-]+|\[[^\]]+\]))*)$/u;

function splitPath(path: string): string[] {
  if (path === '.') return ['.'];
  return [...path.matchAll(/\[([^\]]+)\]|[^./[\]]+/g)].map(
    ([field, inner], index) => inner ?? (field === 'length' && index > 0 ? 'size' : field),
  );
}

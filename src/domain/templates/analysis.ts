import { type Template, type Token, TypeGuards, Value, type ValueToken } from 'liquidjs';
import { PartialTag } from './partial-tag.ts';
import type { Analysis, PartialReference } from './types.ts';

/** Collects over any number of templates that are rendered with the same variables. */
export interface Collector {
  add(templates: Template[]): void;
  result(): Analysis;
}

interface Position {
  /** Inside a branch that may not be taken. */
  conditional: boolean;
  /** Names that a tag around this place provides, such as a loop's item. */
  scope: ReadonlySet<string>;
}

const branchingTags = new Set(['if', 'unless', 'case']);

/** Finds the variables a template needs from its caller, and the prompts it takes in. */
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
      visitAll(children, { conditional: position.conditional || isBranching, scope });
    }
    for (const name of template.localScope?.() ?? []) {
      assigned.add(name.content);
      // Counting is done for its output.
      if (tag === 'increment' || tag === 'decrement') read.add(name.content);
    }
  }

  function useArgument(argument: Value | ValueToken, position: Position): void {
    if (!(argument instanceof Value)) {
      useToken(argument, position);
      return;
    }
    // `{{ name | default: 'you' }}` renders without a name.
    const hasDefault = argument.filters.some(({ name }) => name === 'default');
    for (const token of argument.initial.postfix) useToken(token, { ...position, conditional: position.conditional || hasDefault });
    for (const filter of argument.filters) {
      for (const part of filter.args) {
        const token = Array.isArray(part) ? part[1] : part;
        if (token) useToken(token, position);
      }
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
      // What one message assigns, the next does not see.
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

function tagName({ token }: Template): string | undefined {
  return TypeGuards.isTagToken(token) ? token.name : undefined;
}

/** LiquidJS hands children out through a generator, because a partial might have to be loaded. Ours are loaded by then. */
function childrenOf(template: Template): Template[] {
  const step = template.children?.(false, true).next();
  return step?.done ? step.value : [];
}

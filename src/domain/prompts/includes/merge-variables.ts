import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { Variable } from '../../../contract/variables.ts';
import { type Analysis, includeKey } from '../../templates/template-types.ts';
import type { IncludeGraph } from './include-graph.ts';
import { createShapeMerger } from './merge-shapes.ts';

type Declared = Omit<Variable, 'name' | 'required' | 'inherited' | 'kind' | 'fields' | 'items'>;
type Node = Pick<Analysis, 'variables' | 'partials'>;

/**
 * The variables that a prompt and everything it includes need from the caller, and the declarations of these variables. There is one bit
 * for each name of the graph, and one bit for each declaration.
 */
interface Needs {
  all: Uint32Array;
  required: Uint32Array;
  declared: Uint32Array;
}

/**
 * Returns a function that lists the variables of a template and of all prompts it includes: the template's own variables first, then the
 * variables of included prompts by name. A graph of a hundred prompts can have thousands of includes. Therefore, each included prompt is
 * visited once for all templates, and each include costs only one pass over a row of bits.
 */
export function createVariableMerger(graph: IncludeGraph): (template: Node) => Variable[] {
  const { partials } = graph;
  const mergeShapes = createShapeMerger(graph);
  const ids = new Map<string, number>();
  for (const { variables } of partials.values()) for (const { name } of variables) if (!ids.has(name)) ids.set(name, ids.size);
  const visited = new Map<string, Needs>();
  const declarations = listDeclarations(graph);
  const declarationIds = new Map<string, number[]>();
  for (const [id, { name }] of declarations.entries()) declarationIds.set(name, [...(declarationIds.get(name) ?? []), id]);
  const createNeeds = (): Needs => ({
    all: createBits(ids.size),
    required: createBits(ids.size),
    declared: createBits(declarations.length),
  });

  function needsOf(key: string): Needs {
    const known = visited.get(key);
    if (known) return known;
    const needs = createNeeds();
    // The entry is added before the prompt is visited, because a prompt may include itself. Such a prompt cannot be rendered, and adds
    // nothing here.
    visited.set(key, needs);
    const partial = partials.get(key);
    if (!partial) return needs;
    collect(partial, needs);
    for (const { name } of partial.variables) {
      const own = declarationIds.get(name)?.find((id) => declarations[id]?.key === key);
      if (own !== undefined) setBit(needs.declared, own);
    }
    return needs;
  }

  function collect(node: Node, needs: Needs): void {
    for (const { name, required } of node.variables) {
      const id = ids.get(name);
      if (id === undefined) continue;
      setBit(needs.all, id);
      if (required) setBit(needs.required, id);
    }
    addIncludes(node, needs);
  }

  function addIncludes(node: Node, needs: Needs): void {
    for (const reference of node.partials) {
      const included = needsOf(includeKey(reference));
      const bound = reference.bound.flatMap((name) => ids.get(name) ?? []);
      addExcept(needs.all, included.all, bound);
      if (!reference.conditional) addExcept(needs.required, included.required, bound);
      addExcept(
        needs.declared,
        included.declared,
        reference.bound.flatMap((name) => declarationIds.get(name) ?? []),
      );
    }
  }

  /**
   * If several included prompts declare the variable, the prompt whose name sorts first decides, so that the result does not depend on the
   * order in which prompts were loaded.
   */
  function inheritedOf(name: string, needs: Needs): (Declared & { inherited: true }) | undefined {
    const id = declarationIds.get(name)?.find((each) => hasBit(needs.declared, each));
    const found = id === undefined ? undefined : declarations[id];
    return found && { ...found.declared, inherited: true };
  }

  return (template) => {
    const needs = createNeeds();
    addIncludes(template, needs);
    const isRequired = (name: string) => {
      const id = ids.get(name);
      return id !== undefined && hasBit(needs.required, id);
    };
    const shapeOf = mergeShapes(template);
    const describe = (name: string, isNeeded: boolean, own?: Variable): Variable => {
      const declared = own && isDeclared(own) ? declarationOf(own) : inheritedOf(name, needs);
      return { name, required: isNeeded && declared?.default === undefined, ...declared, ...shapeOf(name) };
    };
    const own = template.variables.map((variable) => describe(variable.name, variable.required || isRequired(variable.name), variable));
    const ownNames = new Set(own.map(({ name }) => name));
    const included: Variable[] = [];
    for (const [name, id] of ids) {
      // One variable more than the limit is enough to detect that there are too many.
      if (own.length + included.length > maxTemplateVariables) break;
      if (hasBit(needs.all, id) && !ownNames.has(name)) included.push(describe(name, hasBit(needs.required, id)));
    }
    included.sort((a, b) => (a.name < b.name ? -1 : 1));
    return [...own, ...included];
  };
}

interface Declaration {
  /** The includeKey of the prompt that has the declaration. */
  key: string;
  name: string;
  declared: Declared;
}

/** Lists the declarations of the prompts of a graph, sorted by prompt. */
function listDeclarations({ partials }: IncludeGraph): Declaration[] {
  const sorted = [...partials].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([key, { variables }]) =>
    variables.filter(isDeclared).map((variable) => ({ key, name: variable.name, declared: declarationOf(variable) })),
  );
}

/** Returns whether the template declares this variable. Otherwise, the declaration of an included prompt applies. */
function isDeclared({ type, description, default: value, example }: Variable): boolean {
  return type !== undefined || description !== undefined || value !== undefined || example !== undefined;
}

function declarationOf({ type, description, default: value, example, values }: Variable): Declared {
  return {
    ...(type && { type }),
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
    ...(values && { values }),
  };
}

function createBits(size: number): Uint32Array {
  return new Uint32Array(Math.ceil(size / 32));
}

/** Adds the bits of `source`, except those that are excluded. */
function addExcept(target: Uint32Array, source: Uint32Array, excluded: number[]): void {
  const missing = excluded.filter((id) => !hasBit(target, id));
  for (let index = 0; index < target.length; index += 1) target[index] = (target[index] ?? 0) | (source[index] ?? 0);
  for (const id of missing) target[id >>> 5] = (target[id >>> 5] ?? 0) & ~(1 << (id & 31));
}

function setBit(bits: Uint32Array, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31));
}

function hasBit(bits: Uint32Array, id: number): boolean {
  return ((bits[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0;
}

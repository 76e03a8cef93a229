import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { Variable } from '../../../contract/variables.ts';
import { type Analysis, includeKey } from '../../templates/template-types.ts';
import type { IncludeGraph } from './include-graph.ts';
import { createShapeMerger } from './merge-shapes.ts';

type Declared = Omit<Variable, 'name' | 'required' | 'inherited' | 'kind' | 'fields' | 'items'>;
type Node = Pick<Analysis, 'variables' | 'partials'>;

/** The variables that a prompt and everything it includes need from the caller, with one bit for each name of the graph. */
interface Needs {
  all: Uint32Array;
  required: Uint32Array;
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
  const declarations = new Map<string, Declared>();
  for (const { variables } of partials.values()) {
    for (const variable of variables) {
      if (isDeclared(variable) && !declarations.has(variable.name)) declarations.set(variable.name, declarationOf(variable));
    }
  }

  function needsOf(key: string): Needs {
    const known = visited.get(key);
    if (known) return known;
    const needs = createNeeds(ids.size);
    // The entry is set before the visit. A prompt that includes itself cannot be rendered, and adds nothing here.
    visited.set(key, needs);
    const partial = partials.get(key);
    if (partial) collect(partial, needs);
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
    }
  }

  return (template) => {
    const needs = createNeeds(ids.size);
    addIncludes(template, needs);
    const isRequired = (name: string) => {
      const id = ids.get(name);
      return id !== undefined && hasBit(needs.required, id);
    };
    const shapeOf = mergeShapes(template);
    const describe = (name: string, isNeeded: boolean, own?: Variable): Variable => {
      const isOwn = own !== undefined && isDeclared(own);
      const declared = isOwn ? declarationOf(own) : declarations.get(name);
      const inherited = !isOwn && declared !== undefined;
      const required = isNeeded && declared?.default === undefined;
      return { name, required, ...declared, ...(inherited && { inherited }), ...shapeOf(name) };
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

/** A variable of the template keeps its own declaration. Otherwise the first included prompt that declares it decides. */
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

function createNeeds(size: number): Needs {
  const words = Math.ceil(size / 32);
  return { all: new Uint32Array(words), required: new Uint32Array(words) };
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

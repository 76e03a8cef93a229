import { maxFieldDepth, maxTemplateFields } from '../../contract/limits.ts';
import type { Shape, Variable } from '../../contract/versions.ts';
import { countFields, limitDepth, mergeShapes, withoutRequired } from '../templates/shapes.ts';
import { type Analysis, type FieldPath, type PartialReference, partialKey } from '../templates/types.ts';
import type { PartialGraph } from './partials.ts';

type Node = Pick<Analysis, 'variables' | 'partials'>;
/** By variable, without those that are only used as a whole. */
type Shapes = Map<string, Shape>;

/** The work for one response, in fields that are merged: far more than ordinary prompts need. */
const maxSteps = 5000;

/**
 * Returns a function that finds how a template and all prompts it includes use a variable. Each partial is visited once for all
 * templates. Beyond the limits, shapes are left out: they only describe variables, and nothing depends on them.
 */
export function createShapeMerger({ partials }: PartialGraph): (template: Node) => (name: string) => Shape {
  const visited = new Map<string, Shapes>();
  let steps = 0;

  function shapesOf(reference: PartialReference): Shapes {
    const key = partialKey(reference);
    const known = visited.get(key);
    if (known) return known;
    const partial = partials.get(key);
    if (!partial) return none;
    const shapes: Shapes = new Map();
    // Set before the visit, for a partial that includes itself.
    visited.set(key, shapes);
    collect(partial, shapes);
    return shapes;
  }

  function collect({ variables, partials: references }: Node, shapes: Shapes): void {
    for (const variable of variables) if (variable.kind !== 'text') add(shapes, variable.name, shapeOf(variable));
    // Versions of earlier releases may have thousands of includes.
    if (partials.size > 0) for (const reference of references) addInclude(reference, shapes);
  }

  function addInclude(reference: PartialReference, shapes: Shapes): void {
    const included = shapesOf(reference);
    if (included.size === 0) return;
    const bound = new Set(reference.bound);
    const passed = new Map(Object.entries(reference.passed ?? {}));
    for (const [name, used] of included) {
      if (steps > maxSteps) return;
      const shape = reference.conditional ? withoutRequired(used) : used;
      if (!bound.has(name)) add(shapes, name, shape);
      for (const [variable = '', ...path] of passed.get(name) ?? []) {
        add(shapes, String(variable), limitDepth(nest(path, shape), maxFieldDepth));
      }
    }
  }

  function add(shapes: Shapes, name: string, shape: Shape): void {
    const known = shapes.get(name);
    steps += 1 + (known === shape ? 0 : countFields(shape));
    if (steps <= maxSteps) shapes.set(name, known ? mergeShapes(known, shape) : shape);
  }

  return (template) => {
    const shapes: Shapes = new Map();
    collect(template, shapes);
    let fields = 0;
    return (name) => {
      const shape = shapes.get(name);
      // Not known to be text if the work ended early.
      if (!shape) return steps > maxSteps ? {} : { kind: 'text' };
      fields += countFields(shape);
      return fields > maxTemplateFields ? {} : shape;
    };
  };
}

const none: Shapes = new Map();
const unknown: Shape = {};

function shapeOf({ kind, fields, items }: Variable): Shape {
  if (kind === 'object' && fields) return { kind, fields };
  return kind === 'list' && items ? { kind, items } : unknown;
}

/** The shape of a variable that has a value of this shape at the end of the path. */
function nest([step, ...rest]: FieldPath, shape: Shape): Shape {
  if (step === undefined) return shape;
  const inner = nest(rest, shape);
  return step === 0 ? { kind: 'list', items: inner } : { kind: 'object', fields: [{ name: step, required: false, ...inner }] };
}

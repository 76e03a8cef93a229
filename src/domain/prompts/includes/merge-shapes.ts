import { maxFieldDepth, maxTemplateFields } from '../../../contract/limits.ts';
import type { Shape, Variable } from '../../../contract/variables.ts';
import { countFields, limitDepth, mergeShapes, withoutRequired } from '../../templates/shapes.ts';
import { type Analysis, type FieldPath, type IncludeReference, includeKey } from '../../templates/template-types.ts';
import type { IncludeGraph } from './include-graph.ts';

type Node = Pick<Analysis, 'variables' | 'partials'>;
/** The shapes by variable, except variables that are only used as a whole. */
type Shapes = Map<string, Shape>;

/** The number of fields that may still be merged. */
interface Work {
  left: number;
}

/** The limits for one template, and for all included prompts of a response together. They are far more than ordinary prompts need. */
const templateWork = 1000;
const includesWork = 20_000;

/**
 * Returns a function that finds how a template and all prompts it includes use a variable. Each included prompt is visited once for all
 * templates. Shapes beyond the limits are left out. This is harmless, because shapes only describe variables.
 */
export function createShapeMerger({ partials }: IncludeGraph): (template: Node) => (name: string) => Shape {
  const visited = new Map<string, Shapes>();
  const workOnIncludes: Work = { left: includesWork };

  function shapesOf(reference: IncludeReference): Shapes {
    const key = includeKey(reference);
    const known = visited.get(key);
    if (known) return known;
    const partial = partials.get(key);
    if (!partial) return none;
    const shapes: Shapes = new Map();
    // The entry is added before the prompt is visited, because a prompt may include itself.
    visited.set(key, shapes);
    collect(partial, shapes, workOnIncludes);
    return shapes;
  }

  function collect({ variables, partials: references }: Node, shapes: Shapes, work: Work): void {
    for (const variable of variables) if (variable.kind !== 'text') shapes.set(variable.name, shapeOf(variable));
    // If no included prompt was found, the loop is skipped, because a version saved by an earlier release may have thousands of includes.
    if (partials.size === 0) return;
    for (const reference of references) {
      // At the limit, nothing more is merged, because the time to visit an include grows with the size of its shapes.
      if (work.left < 0) return;
      addInclude(reference, shapes, work);
    }
  }

  function addInclude(reference: IncludeReference, shapes: Shapes, work: Work): void {
    const included = shapesOf(reference);
    if (included.size === 0) return;
    const bound = new Set(reference.bound);
    const passed = new Map(Object.entries(reference.passed ?? {}));
    for (const [name, used] of included) {
      const paths = passed.get(name) ?? [];
      if (bound.has(name) && paths.length === 0) continue;
      const shape = reference.conditional ? withoutRequired(used) : used;
      if (!bound.has(name)) add(shapes, name, shape, work);
      for (const [variable = '', ...path] of paths) {
        add(shapes, String(variable), limitDepth(nest(path, shape), maxFieldDepth), work);
        if (work.left < 0) return;
      }
      if (work.left < 0) return;
    }
  }

  function add(shapes: Shapes, name: string, shape: Shape, work: Work): void {
    const known = shapes.get(name);
    work.left -= 1 + (known === shape ? 0 : countFields(shape));
    if (work.left >= 0) shapes.set(name, known ? mergeShapes(known, shape) : shape);
  }

  return (template) => {
    const shapes: Shapes = new Map();
    const work: Work = { left: templateWork };
    collect(template, shapes, work);
    const isComplete = work.left >= 0 && workOnIncludes.left >= 0;
    let fields = 0;
    return (name) => {
      const shape = shapes.get(name);
      if (!shape) return isComplete ? { kind: 'text' } : unknown;
      fields += countFields(shape);
      return fields > maxTemplateFields ? unknown : shape;
    };
  };
}

const none: Shapes = new Map();
const unknown: Shape = {};

function shapeOf({ kind, fields, items }: Variable): Shape {
  if (kind === 'object' && fields) return { kind, fields };
  return kind === 'list' && items ? { kind, items } : unknown;
}

/** Returns the shape of a variable that has a value of this shape at the end of the path. */
function nest([step, ...rest]: FieldPath, shape: Shape): Shape {
  if (step === undefined) return shape;
  const inner = nest(rest, shape);
  return step === 0 ? { kind: 'list', items: inner } : { kind: 'object', fields: [{ name: step, required: false, ...inner }] };
}

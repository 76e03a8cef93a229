import { maxFieldDepth, maxTemplateFields, maxVariableNameLength } from '../../contract/limits.ts';
import type { Shape } from '../../contract/variables.ts';
import type { FieldPath } from './template-types.ts';

/** A value that a template uses: a variable of the caller, a field of a value, or an item of a list. */
export interface UsedValue {
  /** The name of the variable or field, 0 for the item of a list, or undefined for a value that the template created. */
  step: string | 0 | undefined;
  parent: UsedValue | undefined;
  depth: number;
  /** Whether the value is used outside conditions. */
  isRequired: boolean;
  isList: boolean;
  /** Whether the value is used in a way that is possible for values of any kind. */
  isUnknown: boolean;
  fields: Map<string, UsedValue>;
  item: UsedValue | undefined;
}

/** Collects how a template uses its variables. Fields beyond the limits are left out. */
export function createUsedValues() {
  const variables = new Map<string, UsedValue>();
  let fields = 0;

  function createChild(parent: UsedValue, step: string | 0): UsedValue | undefined {
    if (fields >= maxTemplateFields || parent.depth >= maxFieldDepth || (step !== 0 && step.length > maxVariableNameLength)) {
      parent.isUnknown = true;
      return undefined;
    }
    fields += 1;
    return createValue(step, parent);
  }

  return {
    variable(name: string): UsedValue {
      const value = variables.get(name) ?? createValue(name, undefined);
      variables.set(name, value);
      return value;
    },

    field(value: UsedValue, name: string): UsedValue | undefined {
      const field = value.fields.get(name) ?? createChild(value, name);
      if (field) value.fields.set(name, field);
      return field;
    },

    /** Returns the item of a list, which represents all items. */
    item(value: UsedValue): UsedValue | undefined {
      value.isList = true;
      value.item ??= createChild(value, 0);
      return value.item;
    },

    shapeOf(name: string): Shape {
      const value = variables.get(name);
      return value ? toShape(value) : {};
    },
  };
}

export type UsedValues = ReturnType<typeof createUsedValues>;

/** Returns a list that a filter created from these items. */
export function listOfItems(item: UsedValue): UsedValue {
  return { ...createValue(undefined, undefined), depth: item.depth, isList: true, item };
}

/** Marks a value, and everything that contains it, as used outside conditions. */
export function requireValue(value: UsedValue): void {
  for (let part: UsedValue | undefined = value; part && !part.isRequired; part = part.parent) part.isRequired = true;
  // A list that a filter created contains the items of another list.
  if (value.step === undefined && value.item) requireValue(value.item);
}

/** Returns the path from a variable of the caller to this value, or undefined if the value does not come from a variable. */
export function pathOf(value: UsedValue): FieldPath | undefined {
  const { step, parent } = value;
  if (step === undefined) return undefined;
  if (!parent) return [step];
  const path = pathOf(parent);
  return path && [...path, step];
}

function createValue(step: UsedValue['step'], parent: UsedValue | undefined): UsedValue {
  return {
    step,
    parent,
    depth: parent ? parent.depth + 1 : 0,
    isRequired: false,
    isList: false,
    isUnknown: false,
    fields: new Map(),
    item: undefined,
  };
}

/** The fields that lists also have, as in `items.size` and `items.first`. */
const listFields = new Set(['size', 'first', 'last']);

function toShape({ isList, isUnknown, fields, item }: UsedValue): Shape {
  const names = [...fields.keys()];
  const ends = [fields.get('first'), fields.get('last')].flatMap((value) => value ?? []);
  // `users.first.name` refers to the first item of a list, but `name.first` looks like a field.
  const isListOrEnds = isList || ends.some((end) => end.fields.size > 0 || end.isList);
  const isObject = names.some((name) => !listFields.has(name)) || (!isListOrEnds && ends.length > 0);
  if (isObject) {
    return { kind: 'object', fields: [...fields].map(([name, field]) => ({ name, required: field.isRequired, ...toShape(field) })) };
  }
  if (isListOrEnds) {
    const items = [...(item ? [item] : []), ...ends].map(toShape);
    return { kind: 'list', items: items.reduce(mergeShapes, isUnknown && !item ? {} : { kind: 'text' }) };
  }
  // Text, a list and an object all have a size.
  return isUnknown || fields.has('size') ? {} : { kind: 'text' };
}

/** Returns a shape that combines the uses of both shapes. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  if (a === b) return a;
  if (a.kind !== b.kind) return strength(a) >= strength(b) ? a : b;
  if (a.kind === 'list') return { kind: 'list', items: mergeShapes(a.items ?? {}, b.items ?? {}) };
  if (a.kind !== 'object') return a;
  const fields = new Map((a.fields ?? []).map((field) => [field.name, field]));
  for (const field of b.fields ?? []) {
    const { name, required } = field;
    const known = fields.get(name);
    fields.set(name, known ? { ...mergeShapes(known, field), name, required: known.required || required } : field);
  }
  return { kind: 'object', fields: [...fields.values()] };
}

/** Removes all fields and items that are nested deeper than the given number of levels. */
export function limitDepth({ kind, fields, items }: Shape, levels: number): Shape {
  if (kind === 'object' && levels > 0) {
    return {
      kind,
      fields: (fields ?? []).map((field) => ({ name: field.name, required: field.required, ...limitDepth(field, levels - 1) })),
    };
  }
  if (kind === 'list' && levels > 0) return { kind, items: limitDepth(items ?? {}, levels - 1) };
  return kind === 'text' ? { kind } : {};
}

/** Returns the shape of a value that is used only under a condition. */
export function withoutRequired({ kind, fields, items }: Shape): Shape {
  return {
    ...(kind && { kind }),
    ...(fields && { fields: fields.map((field) => ({ name: field.name, required: false, ...withoutRequired(field) })) }),
    ...(items && { items: withoutRequired(items) }),
  };
}

/**
 * Ranks kinds by how much they reveal about a value. Using a value as a whole reveals the least, because any value can be used in that way.
 */
function strength({ kind }: Shape): number {
  return kind === 'object' ? 3 : kind === 'list' ? 2 : kind === undefined ? 1 : 0;
}

/** Counts the fields and items at all levels. */
export function countFields({ fields = [], items }: Shape): number {
  return fields.reduce((count, field) => count + 1 + countFields(field), items ? 1 + countFields(items) : 0);
}

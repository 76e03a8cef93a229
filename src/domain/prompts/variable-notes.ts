import { isPlainObject } from '../templates/budget.ts';

/** Descriptions of variables in a prompt's config, under `variables`: `{"tone": {"description": "…", "enum": ["formal", "warm"]}}`. */
type VariableNotes = ReadonlyMap<string, VariableNote>;

interface VariableNote {
  description?: string;
  /** The allowed values, as text. */
  values: string[];
}

const maxDescriptionLength = 500;

/** Reads the descriptions of variables from a config. Everything else is ignored, because a config can contain any JSON. */
export function readVariableNotes(config: unknown): VariableNotes {
  if (!isPlainObject(config) || !isPlainObject(config.variables)) return new Map();
  return new Map(
    Object.entries(config.variables).flatMap(([name, note]): [string, VariableNote][] =>
      isPlainObject(note) ? [[name, toNote(note)]] : [],
    ),
  );
}

function toNote({ description, enum: values }: Record<string, unknown>): VariableNote {
  return {
    ...(typeof description === 'string' && { description: description.slice(0, maxDescriptionLength) }),
    values: Array.isArray(values) ? values.flatMap(toText) : [],
  };
}

function toText(value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

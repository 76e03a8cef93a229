import { findValueProblem } from '../../../../src/contract/variable-values.ts';
import type { DeclaredVariable } from '../../lib/types.ts';
import { parseJson } from './preview-values.ts';

type VariableType = NonNullable<DeclaredVariable['type']>;

/** A declaration in the form in which the user types it. */
export interface DeclarationForm {
  type: VariableType | '';
  description: string;
  /** The values, one per line. */
  values: string;
  default: string;
  example: string;
}

export const typeNames: Record<VariableType | '', string> = {
  '': 'Not declared',
  text: 'Text',
  number: 'Number',
  boolean: 'True or false',
  enum: 'One of several values',
  list: 'List',
  object: 'Object',
  image: 'Image',
};

export const typeHints: Record<VariableType | '', string> = {
  '': 'Any value is accepted.',
  text: 'Text, a number, or true or false.',
  number: 'Text such as "12" is rejected.',
  boolean: 'Used in conditions, such as {% if urgent %}.',
  enum: 'The caller must send one of the values below.',
  list: 'Used in loops, such as {% for item in items %}.',
  object: 'Values with names, such as {{ customer.name }}.',
  image: 'The URL of an image, or its content as a data URL.',
};

export function formOf({ type, description = '', values = [], ...rest }: DeclaredVariable): DeclarationForm {
  return { type: type ?? '', description, values: values.join('\n'), default: toText(rest.default), example: toText(rest.example) };
}

export type FormProblems = Partial<Record<keyof DeclarationForm, string>>;

/** Returns the declaration, or why it is not valid, by field. A value that was not changed stays as it was. */
export function parseForm(form: DeclarationForm, before: DeclaredVariable): { declared: DeclaredVariable; problems: FormProblems } {
  const { type } = form;
  const values = [...new Set(form.values.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const declared: DeclaredVariable = {
    name: before.name,
    ...(type !== '' && { type }),
    ...(form.description.trim() !== '' && { description: form.description.trim() }),
    ...(type === 'enum' && { values }),
  };
  const problems: FormProblems = {};
  if (type === 'enum' && values.length === 0) problems.values = 'Enter at least one value.';
  if (values.length > 100) problems.values = 'Enter at most 100 values.';
  if (values.some((value) => value.length > 200)) problems.values = 'Use at most 200 characters for each value.';
  for (const field of ['default', 'example'] as const) {
    const [text, old] = [form[field], before[field]];
    const parsed = text === toText(old) ? { value: old } : parseValue(type, text);
    if (parsed.value === undefined && parsed.problem === undefined) continue;
    const problem = parsed.problem ?? findValueProblem(declared, parsed.value);
    if (problem !== undefined) problems[field] = `${problem}.`;
    else declared[field] = parsed.value;
  }
  return { declared, problems };
}

function parseValue(type: DeclarationForm['type'], text: string): { value?: unknown; problem?: string } {
  if (text.trim() === '') return {};
  if (type === 'number') return { value: Number(text) };
  if (type === 'boolean') return { value: text === 'true' };
  if (type !== 'list' && type !== 'object') return { value: text };
  const parsed = parseJson(text);
  return parsed.ok ? { value: parsed.value } : { problem: `Not valid JSON: ${parsed.error}` };
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

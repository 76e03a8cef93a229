import type { Output, Tool } from '../contract/tools.ts';
import type { VariableType } from '../contract/variables.ts';
import { isPlainObject } from './json-values.ts';

// Other programs, and versions that were saved before these were fields of their own, have tools, the output format and descriptions of
// variables in the config, in the form of OpenAI's chat completions. These functions move them out of a config and back.

/** A declared variable, without what follows from the templates. */
export interface DeclaredVariable {
  name: string;
  type?: VariableType;
  description?: string;
  default?: unknown;
  example?: unknown;
  values?: string[];
}

export interface ConfigParts {
  variables?: DeclaredVariable[] | undefined;
  tools?: Tool[] | undefined;
  output?: Output | undefined;
}

const defaultOutputName = 'output';
const toolName = /^[A-Za-z0-9_-]{1,64}$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Returns a config with the parts in it, in the form that model APIs and Langfuse's programs expect. Only an object can have them. */
export function addToConfig(config: unknown, { variables, tools, output }: ConfigParts): unknown {
  if (!isPlainObject(config)) return config;
  return {
    ...config,
    ...toToolsParameter(tools),
    ...(output && { response_format: toResponseFormat(output) }),
    ...(variables && {
      variables: {
        ...(isPlainObject(config.variables) && config.variables),
        ...Object.fromEntries(variables.map(({ name, values, ...rest }) => [name, { ...rest, ...(values && { enum: values }) }])),
      },
    }),
  };
}

/** Returns the tools as a field of a request to a model. */
export function toToolsParameter(tools: Tool[] | undefined): { tools?: unknown[] } {
  return tools ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) } : {};
}

/** Returns the value of `response_format` for an output schema. */
export function toResponseFormat({ schema, name = defaultOutputName, strict }: Output): Record<string, unknown> {
  return { type: 'json_schema', json_schema: { name, schema, ...(strict !== undefined && { strict }) } };
}

/** Moves the parts out of a config. What has another form stays there, so nothing is lost. */
export function takeFromConfig(config: unknown): { config: unknown } & ConfigParts {
  if (!isPlainObject(config)) return { config };
  const { tools: givenTools, response_format: format, variables: notes, ...rest } = config;
  const tools = readTools(givenTools);
  const output = readOutput(format);
  const { variables, left } = readNotes(notes);
  return {
    config: {
      ...rest,
      ...(givenTools !== undefined && !tools && { tools: givenTools }),
      ...(format !== undefined && !output && { response_format: format }),
      ...(left !== undefined && { variables: left }),
    },
    ...(variables.length > 0 && { variables }),
    ...(tools && { tools }),
    ...(output && { output }),
  };
}

function readTools(value: unknown): Tool[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const tools = value.map(readTool);
  const isComplete = tools.every((tool) => tool !== undefined);
  return isComplete && new Set(tools.map(({ name }) => name)).size === tools.length ? tools : undefined;
}

function readTool(value: unknown): Tool | undefined {
  if (!isPlainObject(value) || !hasOnly(value, ['type', 'function']) || value.type !== 'function') return undefined;
  const { function: tool } = value;
  if (!isPlainObject(tool) || !hasOnly(tool, ['name', 'description', 'parameters', 'strict'])) return undefined;
  const { name, description, parameters, strict } = tool;
  if (typeof name !== 'string' || !toolName.test(name)) return undefined;
  if (description !== undefined && typeof description !== 'string') return undefined;
  if (parameters !== undefined && !(isPlainObject(parameters) && parameters.type === 'object')) return undefined;
  if (strict !== undefined && typeof strict !== 'boolean') return undefined;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(strict !== undefined && { strict }),
  };
}

function readOutput(value: unknown): Output | undefined {
  if (!isPlainObject(value) || !hasOnly(value, ['type', 'json_schema']) || value.type !== 'json_schema') return undefined;
  const { json_schema: format } = value;
  if (!isPlainObject(format) || !hasOnly(format, ['name', 'schema', 'strict']) || !isPlainObject(format.schema)) return undefined;
  const { name, schema, strict } = format;
  if (typeof name !== 'string' || !toolName.test(name) || (strict !== undefined && typeof strict !== 'boolean')) return undefined;
  return { schema, ...(name !== defaultOutputName && { name }), ...(strict !== undefined && { strict }) };
}

/** The types of JSON schemas, with which other formats describe variables, and ours. */
const types: Record<string, VariableType> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  text: 'text',
  enum: 'enum',
  list: 'list',
  image: 'image',
};
const noteKeys = ['type', 'description', 'default', 'example', 'enum', 'optional'];

function readNotes(notes: unknown): { variables: DeclaredVariable[]; left: unknown } {
  if (!isPlainObject(notes)) return { variables: [], left: notes };
  const variables: DeclaredVariable[] = [];
  const left = Object.entries(notes).filter(([name, note]) => {
    const variable = readNote(name, note);
    if (variable) variables.push(variable);
    return !variable;
  });
  return { variables, left: left.length > 0 ? Object.fromEntries(left) : undefined };
}

/** Reads the description of a variable. `optional` is left out, because the templates and the default decide that. */
function readNote(name: string, note: unknown): DeclaredVariable | undefined {
  if (!isPlainObject(note) || !variableName.test(name) || !hasOnly(note, noteKeys)) return undefined;
  const { type: given, description, default: value, example, enum: values } = note;
  const isValues = Array.isArray(values) && values.length > 0 && values.every((each) => typeof each === 'string' && each !== '');
  const type = isValues ? 'enum' : typeof given === 'string' && Object.hasOwn(types, given) ? types[given] : undefined;
  const isUnknown =
    (given !== undefined && type === undefined) ||
    (description !== undefined && typeof description !== 'string') ||
    (type === 'enum') !== isValues ||
    (values !== undefined && !isValues);
  if (isUnknown) return undefined;
  return {
    name,
    ...(type && { type }),
    ...(typeof description === 'string' && description !== '' && { description: description.slice(0, 500) }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
    ...(isValues && { values: values as string[] }),
  };
}

function hasOnly(value: Record<string, unknown>, keys: string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

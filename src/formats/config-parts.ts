import { maxDeclarationBytes, maxTemplateVariables, maxTools } from '../contract/limits.ts';
import { isPlainText } from '../contract/plain-text.ts';
import type { Output, Tool } from '../contract/tools.ts';
import { findValueProblem } from '../contract/variable-values.ts';
import type { VariableType } from '../contract/variables.ts';
import { findSchemaProblem, type PatternBudget } from './json-schema.ts';
import { isPlainObject } from './json-values.ts';

// Other programs, and versions that were saved before separate fields existed, have tools, the output format and descriptions of variables
// in the config, in the form of OpenAI's chat completions. The functions in this file move these parts out of a config and back.

/** A declared variable, without the properties that are inferred from the templates. */
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
export const toolName = /^[A-Za-z0-9_-]{1,64}$/;
export const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/**
 * Returns a config with the parts in it, in the form that model APIs and Langfuse's programs expect. Only a config that is an object can
 * contain the parts.
 */
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

/**
 * The maximum length of all patterns in the schemas of a config. The service processes configs of Langfuse's programs while other requests
 * wait, and compiling this many characters takes at most about 20 ms.
 */
const maxPatternCharacters = 2000;

/**
 * Moves the parts out of a config. Parts that have another form, or that the service would refuse, stay in the config, so nothing is lost.
 */
export function takeFromConfig(config: unknown): { config: unknown } & ConfigParts {
  if (!isPlainObject(config)) return { config };
  const { tools: givenTools, response_format: format, variables: notes, ...rest } = config;
  const budget = { characters: maxPatternCharacters };
  const output = readOutput(format, budget);
  const found = readTools(givenTools, budget);
  const tools = isSmall({ tools: found, output }) ? found : undefined;
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

function readTools(value: unknown, budget: PatternBudget): Tool[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxTools) return undefined;
  const tools = value.map((tool) => readTool(tool, budget));
  const isComplete = tools.every((tool) => tool !== undefined);
  return isComplete && new Set(tools.map(({ name }) => name)).size === tools.length ? tools : undefined;
}

function readTool(value: unknown, budget: PatternBudget): Tool | undefined {
  if (!isPlainObject(value) || !hasOnly(value, ['type', 'function']) || value.type !== 'function') return undefined;
  const { function: tool } = value;
  if (!isPlainObject(tool) || !hasOnly(tool, ['name', 'description', 'parameters', 'strict'])) return undefined;
  const { name, description, parameters, strict } = tool;
  if (typeof name !== 'string' || !toolName.test(name)) return undefined;
  if (description !== undefined && typeof description !== 'string') return undefined;
  if (parameters !== undefined && !(isPlainObject(parameters) && parameters.type === 'object' && isSchema(parameters, budget)))
    return undefined;
  if (strict !== undefined && typeof strict !== 'boolean') return undefined;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(strict !== undefined && { strict }),
  };
}

function readOutput(value: unknown, budget: PatternBudget): Output | undefined {
  if (!isPlainObject(value) || !hasOnly(value, ['type', 'json_schema']) || value.type !== 'json_schema') return undefined;
  const { json_schema: format } = value;
  if (!isPlainObject(format) || !hasOnly(format, ['name', 'schema', 'strict']) || !isPlainObject(format.schema)) return undefined;
  const { name, schema, strict } = format;
  if (!isSchema(schema, budget) || !isSmall({ schema })) return undefined;
  if (typeof name !== 'string' || !toolName.test(name) || (strict !== undefined && typeof strict !== 'boolean')) return undefined;
  return { schema, ...(name !== defaultOutputName && { name }), ...(strict !== undefined && { strict }) };
}

/** Maps the types in descriptions to the service's types of variables. Other formats use the types of JSON Schema. */
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
  if (!isPlainObject(notes) || !isSmall(notes)) return { variables: [], left: notes };
  const variables: DeclaredVariable[] = [];
  const left = Object.entries(notes).filter(([name, note]) => {
    const variable = readNote(name, note);
    // The service leaves out variables that have no declaration.
    if (variable && Object.keys(variable).length > 1) variables.push(variable);
    return !variable;
  });
  // Declarations have one more key than descriptions, so they can be too large although the descriptions are not.
  if (variables.length > maxTemplateVariables || !isSmall(variables)) return { variables: [], left: notes };
  return { variables, left: left.length > 0 ? Object.fromEntries(left) : undefined };
}

/**
 * Reads the description of a variable. `optional` is left out, because the templates and the default decide whether a variable is optional.
 */
function readNote(name: string, note: unknown): DeclaredVariable | undefined {
  if (!isPlainObject(note) || !variableName.test(name) || !hasOnly(note, noteKeys)) return undefined;
  const { type: given, description, default: value, example, enum: values } = note;
  const isValues = Array.isArray(values) && isEnum(values);
  const type = isValues ? 'enum' : typeof given === 'string' && Object.hasOwn(types, given) ? types[given] : undefined;
  const isUnknown =
    (given !== undefined && type === undefined) ||
    !(description === undefined || isDescription(description)) ||
    (type === 'enum') !== isValues ||
    (values !== undefined && !isValues);
  if (isUnknown) return undefined;
  const declared = { ...(type && { type }), ...(isValues && { values }) };
  if ([value, example].some((each) => each !== undefined && findValueProblem(declared, each) !== undefined)) return undefined;
  return {
    name,
    ...declared,
    ...(description !== undefined && description !== '' && { description }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
  };
}

const maxValues = 100;
const maxValueLength = 200;
const maxNoteLength = 500;

/** Returns whether a list can be the values of an enum. */
export function isEnum(values: unknown[]): values is string[] {
  const isText = (each: unknown) => typeof each === 'string' && each !== '' && each.length <= maxValueLength;
  return values.length > 0 && values.length <= maxValues && new Set(values).size === values.length && values.every(isText);
}

/** Returns whether a value can be the description of a variable. */
export function isDescription(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxNoteLength && isPlainText(value);
}

function isSchema(value: unknown, budget: PatternBudget): boolean {
  return findSchemaProblem(value, budget) === undefined;
}

/** Returns whether the service accepts declarations of this size. */
export function isSmall(value: unknown): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length <= maxDeclarationBytes;
}

function hasOnly(value: Record<string, unknown>, keys: string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

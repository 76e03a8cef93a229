import { maxTemplateVariables, maxTools } from '../contract/limits.ts';
import type { Output, Tool } from '../contract/tools.ts';
import { findValueProblem } from '../contract/variable-values.ts';
import type { VariableType } from '../contract/variables.ts';
import { type ConfigParts, type DeclaredVariable, isDescription, isEnum, isSmall, toolName, variableName } from './config-parts.ts';
import { FileProblem } from './file-problem.ts';
import { findSchemaProblem } from './json-schema.ts';
import { isPlainObject } from './json-values.ts';

/** Reads the keys `variables`, `tools` and `output` of a file, or throws a FileProblem that says what to write. */
export function readDeclarations(fields: Record<string, unknown>): ConfigParts {
  const variables = readVariables(fields.variables);
  const tools = readTools(fields.tools);
  const output = readOutput(fields.output);
  if (!isSmall(variables)) throw new FileProblem('"variables" must be at most 64 KiB as JSON');
  if (!isSmall({ tools, output })) throw new FileProblem('"tools" and "output" must together be at most 64 KiB as JSON');
  return { ...(variables.length > 0 && { variables }), ...(tools.length > 0 && { tools }), ...(output && { output }) };
}

/** Lists the variables that a file names, whether or not it describes them. */
export function listNames(variables: unknown): string[] {
  return listEntries(variables).map(({ name }) => name);
}

const types: VariableType[] = ['text', 'number', 'boolean', 'enum', 'list', 'object', 'image'];
const variableKeys = ['type', 'description', 'values', 'default', 'example'];

/** Reads variables, sorted by name. A variable with only a name declares nothing and is left out. */
function readVariables(value: unknown): DeclaredVariable[] {
  const entries = listEntries(value);
  if (entries.length > maxTemplateVariables) throw new FileProblem(`"variables" has more than ${maxTemplateVariables} names`);
  const twice = entries.find(({ name }, index) => entries.findIndex((other) => other.name === name) !== index);
  if (twice) throw new FileProblem(`variables: "${twice.name}" is listed twice`);
  return entries
    .map(readVariable)
    .filter((variable) => Object.keys(variable).length > 1)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Lists the entries of a map by name, or of a list in the API's form. Unlike a map, a list can contain every name. */
function listEntries(value: unknown): { name: string; fields: unknown }[] {
  if (value === undefined || value === null) return [];
  if (isPlainObject(value)) return Object.entries(value).map(([name, fields]) => ({ name, fields }));
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      if (!isPlainObject(item) || typeof item.name !== 'string') throw new FileProblem(`variables/${index}: Add a "name"`);
      const { name, ...fields } = item;
      return { name, fields };
    });
  }
  throw new FileProblem('"variables" must have variable names as keys, such as "tone: { type: text }"');
}

function readVariable({ name, fields }: { name: string; fields: unknown }): DeclaredVariable {
  const path = `variables/${name}`;
  if (!variableName.test(name)) throw new FileProblem(`${path}: use up to 100 letters, digits and underscores, not starting with a digit`);
  if (fields === null) return { name };
  if (!isPlainObject(fields)) throw new FileProblem(`${path}: must have keys such as ${variableKeys.join(', ')}`);
  assertKeys(fields, variableKeys, path);
  const { type: given, description = '', values, default: value, example } = fields;
  const type = types.find((each) => each === given);
  if (given !== undefined && !type) throw new FileProblem(`${path}/type: must be one of ${types.join(', ')}`);
  if (!isDescription(description)) throw new FileProblem(`${path}/description: must be a string of up to 500 characters`);
  const declared = { name, ...(type && { type }), ...(description !== '' && { description }), ...readValues(values, type, path) };
  for (const [key, each] of Object.entries({ default: value, example })) {
    const problem = each === undefined ? undefined : findValueProblem(declared, each);
    if (problem !== undefined) throw new FileProblem(`${path}/${key}: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`);
  }
  return { ...declared, ...(value !== undefined && { default: value }), ...(example !== undefined && { example }) };
}

function readValues(values: unknown, type: VariableType | undefined, path: string): { values?: string[] } {
  if (values === undefined && type !== 'enum') return {};
  if (type !== 'enum') throw new FileProblem(`${path}/values: only a variable with "type: enum" has values`);
  if (Array.isArray(values) && isEnum(values)) return { values };
  throw new FileProblem(`${path}/values: list up to 100 different strings, such as [warm, dry]. Put numbers in quotes`);
}

const toolKeys = ['name', 'description', 'parameters', 'strict'];

function readTools(value: unknown): Tool[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > maxTools) throw new FileProblem(`"tools" must be a list of up to ${maxTools} tools`);
  const tools = value.map(readTool);
  const twice = tools.findIndex(({ name }, index) => tools.findIndex((other) => other.name === name) !== index);
  if (twice !== -1) throw new FileProblem(`tools/${twice}/name: another tool has this name`);
  return tools;
}

function readTool(tool: unknown, index: number): Tool {
  const path = `tools/${index}`;
  if (!isPlainObject(tool)) throw new FileProblem(`${path}: a tool must have keys: ${toolKeys.join(', ')}`);
  assertKeys(tool, toolKeys, path);
  const { name, description, parameters, strict } = tool;
  if (typeof name !== 'string' || !toolName.test(name)) {
    throw new FileProblem(`${path}/name: must have up to 64 letters, digits, _ and -`);
  }
  if (description !== undefined && typeof description !== 'string') throw new FileProblem(`${path}/description: must be a string`);
  const schema = parameters === undefined ? undefined : readSchema(parameters, `${path}/parameters`);
  if (schema && schema.type !== 'object') {
    throw new FileProblem(`${path}/parameters/type: must be object, because a model sends arguments by name`);
  }
  return {
    name,
    ...(description !== undefined && { description }),
    ...(schema && { parameters: schema }),
    ...readStrict(strict, path),
  };
}

const outputKeys = ['schema', 'name', 'strict'];

function readOutput(value: unknown): Output | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isPlainObject(value)) throw new FileProblem('"output" must have the key "schema" with a JSON Schema');
  assertKeys(value, outputKeys, 'output');
  const { schema, name, strict } = value;
  if (name !== undefined && !(typeof name === 'string' && toolName.test(name))) {
    throw new FileProblem('output/name: must have up to 64 letters, digits, _ and -');
  }
  return { schema: readSchema(schema, 'output/schema'), ...(name !== undefined && { name }), ...readStrict(strict, 'output') };
}

function readSchema(value: unknown, path: string): Record<string, unknown> {
  if (!isPlainObject(value)) throw new FileProblem(`${path}: must be a JSON Schema, such as "type: object" with "properties"`);
  const problem = findSchemaProblem(value);
  if (problem !== undefined) throw new FileProblem(`${path}${problem}: not valid in a JSON Schema`);
  return value;
}

function readStrict(strict: unknown, path: string): { strict?: boolean } {
  if (strict === undefined || typeof strict === 'boolean') return strict === undefined ? {} : { strict };
  throw new FileProblem(`${path}/strict: must be true or false`);
}

function assertKeys(fields: Record<string, unknown>, keys: string[], path: string): void {
  const unknown = Object.keys(fields).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new FileProblem(`${path}: unknown key "${unknown}". Use ${keys.join(', ')}`);
}

import { maxDeclarationBytes } from '../../../contract/limits.ts';
import { isPlainText } from '../../../contract/plain-text.ts';
import type { Output, Tool } from '../../../contract/tools.ts';
import { findValueProblem } from '../../../contract/variable-values.ts';
import type { NewVersion, Version } from '../../../contract/versions.ts';
import { invalidField } from '../../../errors.ts';
import { findSchemaProblem } from '../../templates/find-rule-problem.ts';
import type { WithTemplates } from '../../templates/templates.ts';
import type { Declaration, Declarations } from '../render/rendered.ts';

/** The declarations in a request. `variables` may also have the properties that a response adds to them. */
export type DeclarationInput = Pick<NewVersion, 'variables' | 'tools' | 'output'>;

/**
 * Validates the declarations of a version. Empty lists are left out, variables are sorted and keys are put in order, so that the same
 * declarations count as the same content.
 */
export function parseDeclarations({ variables = [], tools = [], output }: DeclarationInput): Declarations {
  const declared = parseVariables(variables);
  for (const [index, tool] of tools.entries()) assertTool(tool, tools.slice(0, index), `/tools/${index}`);
  assertSize('/tools', { tools, output });
  return {
    ...(declared.length > 0 && { variables: declared }),
    ...(tools.length > 0 && { tools: tools.map(orderTool) }),
    ...(output && { output: orderOutput(output) }),
  };
}

function orderTool({ name, description, parameters, strict }: Tool): Tool {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
    ...(strict !== undefined && { strict }),
  };
}

function orderOutput({ schema, name, strict }: Output): Output {
  return { schema, ...(name !== undefined && { name }), ...(strict !== undefined && { strict }) };
}

/** Returns only the declarations that the author wrote, from a version in the shape of the API. */
export function declarationsOf({ variables, tools, output }: Pick<Version, 'variables' | 'tools' | 'output'>): Declarations {
  return parseDeclarations({ variables, ...(tools && { tools }), ...(output && { output }) });
}

/**
 * Returns the variables that the author has declared. Variables that are inferred from the templates or declared by included prompts are
 * left out.
 */
function parseVariables(variables: NonNullable<DeclarationInput['variables']>): Declaration[] {
  const declared = variables.flatMap(({ name, type, description, default: value, example, values, inherited = false }, index) => {
    if (inherited) return [];
    const declaration: Declaration = {
      name,
      ...(type && { type }),
      ...(description !== undefined && description !== '' && { description }),
      ...(value !== undefined && { default: value }),
      ...(example !== undefined && { example }),
      ...(values && { values }),
    };
    assertDeclaration(declaration, `/variables/${index}`);
    return Object.keys(declaration).length > 1 ? [declaration] : [];
  });
  const names = variables.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice !== -1) throw invalidField(`/variables/${twice}/name`, 'Is listed twice');
  assertSize('/variables', declared);
  // The order has no meaning: a response lists variables in the order in which templates use them.
  return declared.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function assertDeclaration(declaration: Declaration, path: string): void {
  const { type, values, description = '' } = declaration;
  if (!isPlainText(description)) throw invalidField(`${path}/description`, 'Control characters and invalid Unicode are not allowed');
  if (type === 'enum' && !values) throw invalidField(`${path}/values`, 'List the values that are allowed');
  if (type !== 'enum' && values) throw invalidField(`${path}/values`, 'Only a variable of type “enum” has values');
  for (const field of ['default', 'example'] as const) {
    const problem = declaration[field] === undefined ? undefined : findValueProblem(declaration, declaration[field]);
    if (problem !== undefined) throw invalidField(`${path}/${field}`, problem);
  }
}

function assertTool({ name, parameters }: Tool, others: Tool[], path: string): void {
  if (others.some((other) => other.name === name)) throw invalidField(`${path}/name`, 'Another tool has this name');
  if (parameters && parameters.type !== 'object') {
    throw invalidField(`${path}/parameters/type`, 'Must be “object”, because a model sends arguments by name');
  }
}

/** Checks that the schemas of a version are JSON Schemas. The service never evaluates these schemas. It only sends them to model APIs. */
export async function assertSchemas(ctx: WithTemplates, workspaceId: string, { tools = [], output }: Declarations): Promise<void> {
  const parameters = tools.flatMap((tool) => (tool.parameters ? [[tool.name, tool.parameters]] : []));
  if (parameters.length > 0) await assertDefinitions(ctx, workspaceId, '/tools', Object.fromEntries(parameters));
  if (output) await assertDefinitions(ctx, workspaceId, '/output', { schema: output.schema });
}

async function assertDefinitions(ctx: WithTemplates, workspaceId: string, path: string, schemas: Record<string, unknown>): Promise<void> {
  const problem = await findSchemaProblem(ctx, workspaceId, { $defs: schemas });
  if (problem === undefined) return;
  // It is easy to leave a list of values empty, and the validator's own message for an empty list is hard to understand.
  const text = problem.replace('/$defs', '').replace(/must not have fewer than 1 items$/, 'must have at least one value');
  throw invalidField(path, `Not a valid JSON Schema: ${text}`);
}

function assertSize(path: string, value: unknown): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxDeclarationBytes) throw invalidField(path, 'Use at most 64 KiB');
}

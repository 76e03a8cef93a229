import { isPublic, repeatable } from '../../client/src/http/operations.ts';
import { operations as knownOperations } from '../../client/src/types.ts';
import { placeOf, toPascalCase, toSnakeCase } from './names.ts';
import {
  firstSchema,
  listOperations,
  type NamedOperation,
  nameOfReference,
  type OpenApi,
  type Parameter,
  requiredFields,
  resolveSchema,
  type Schema,
  successOf,
} from './openapi.ts';
import { documentation, literal, TypeWriter, typeName } from './types.ts';

/** The kind of client for which a method is written: the blocking one, or the one for asyncio. */
export type Mode = 'sync' | 'async';

/** A parameter of a method. */
interface Argument {
  name: string;
  /** The name in the request. */
  key: string;
  place: 'path' | 'query' | 'body';
  type: string;
  isRequired: boolean;
  description: string | undefined;
  /** Whether null is a value, so that it differs from an omitted argument. */
  isNullable: boolean;
}

/** Streams have methods of their own in the client. */
const handWritten = new Set(['streamEvents']);
/** The parameters for CSV responses. The methods do not have them, because they return the same numbers as objects. */
const csvParameters = new Set(['format', 'by']);

/** Returns the module with the method, path and properties of each operation. */
export function writeOperations(document: OpenApi): string {
  const lines = listOperations(document).map(({ id, method, path, operation }) => {
    const [field] = requiredFields(firstSchema(successOf(operation)), document.components.schemas);
    const flags = [
      ...(field === undefined || isTextResponse(operation) ? [] : [`expects=${literal(field)}`]),
      ...(has(repeatable, id) ? ['repeatable=True'] : []),
      ...(has(isPublic, id) ? ['public=True'] : []),
      ...(isTextResponse(operation) ? ['text=True'] : []),
    ];
    return `    "${id}": Operation(${[literal(method), literal(path), ...flags].join(', ')}),`;
  });
  return `${moduleHeader('The operations of the API.')}
from typing import NamedTuple


class Operation(NamedTuple):
    """The method and path of an operation."""

    method: str
    path: str
    expects: str | None = None
    repeatable: bool = False
    public: bool = False
    text: bool = False


OPERATIONS: dict[str, Operation] = {
${lines.join('\n')}
}
`;
}

function has(set: ReadonlySet<string>, id: string): boolean {
  if (!(id in knownOperations)) throw new Error(`client/src/types.ts has no operation ${id}. Run: npm run openapi`);
  return set.has(id);
}

/** Returns the module with a class for each resource. */
export function writeApi(document: OpenApi, mode: Mode): string {
  const resources = new Map<string, string[]>();
  const taken = new Set<string>();
  for (const named of listOperations(document)) {
    if (handWritten.has(named.id)) continue;
    const { resource, method } = placeOf(named.id, named.operation.tags?.[0] ?? 'other');
    const unique = taken.has(`${resource}.${method}`) ? toSnakeCase(named.id) : method;
    taken.add(`${resource}.${unique}`);
    resources.set(resource, [...(resources.get(resource) ?? []), writeMethod(unique, named, document, mode)]);
  }
  const names = [...resources.keys()].sort();
  const [base, page] = mode === 'sync' ? ['Resource', 'Page'] : ['AsyncResource', 'AsyncPage'];
  return [
    '# mypy: disable-error-code="no-any-return"',
    moduleHeader(mode === 'sync' ? 'The methods of the client.' : 'The methods of the client for asyncio.'),
    'from collections.abc import Mapping, Sequence\nfrom typing import TYPE_CHECKING, Any, Literal\n',
    `from .caller import OMIT, ${base}, Omit\n\nif TYPE_CHECKING:\n    from .. import types as t\n    from .pages import ${page}\n`,
    ...names.map(
      (name) => `\nclass ${className(name, mode)}(${base}):\n    """\`ph.${name}\`."""\n\n${(resources.get(name) ?? []).join('\n')}`,
    ),
    `\nRESOURCES: dict[str, type[${base}]] = {\n${names.map((name) => `    "${name}": ${className(name, mode)},\n`).join('')}}\n`,
    `\nclass ${className('client_resources', mode)}:\n    """The resources of a client."""\n\n${names.map((name) => `    ${name}: ${className(name, mode)}\n`).join('')}`,
  ].join('\n');
}

function className(resource: string, mode: Mode): string {
  return `${mode === 'async' ? 'Async' : ''}${toPascalCase(resource)}`;
}

function writeMethod(name: string, { id, operation }: NamedOperation, document: OpenApi, mode: Mode): string {
  const schemas = document.components.schemas;
  const { list, hasBody } = argumentsOf(operation, schemas);
  const item = pageItemOf(firstSchema(successOf(operation)), schemas);
  const isList = item !== undefined && list.some(({ key, place }) => key === 'cursor' && place === 'query');
  const given = list.filter(({ key, place }) => !(isList && key === 'cursor' && place === 'query'));
  const positional = given.filter(({ place }) => place === 'path');
  const named = given.filter(({ place }) => place !== 'path').sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const parameters = ['self', ...positional.map(declare), ...(named.length > 0 ? ['*', ...named.map(declare)] : [])];
  const result = isTextResponse(operation) ? 'str' : resultOf(firstSchema(successOf(operation)));
  const returned = isList ? `${mode === 'sync' ? 'Page' : 'AsyncPage'}[${item}]` : result;
  const call = [`"${id}"`, toDictionary(given, 'path'), toDictionary(given, 'query'), ...(hasBody ? [toDictionary(given, 'body')] : [])];
  const prefix = isList ? 'return self._list' : `${returned === 'None' ? '' : 'return '}${mode === 'async' ? 'await ' : ''}self._call`;
  return [
    `    ${mode === 'async' && !isList ? 'async ' : ''}def ${name}${enclose(parameters, '    ')} -> ${returned}:`,
    documentation(describe(operation, given), '        ').trimEnd(),
    `        ${prefix}${enclose(call, '        ')}\n`,
  ].join('\n');
}

/** Returns parameters or arguments in parentheses, on one line if they are short. */
function enclose(items: string[], indent: string): string {
  const line = items.join(', ');
  if (line.length <= 60 && !line.includes('\n')) return `(${line})`;
  return `(\n${items.map((each) => `${indent}    ${each},\n`).join('')}${indent})`;
}

/** Lists the parameters of an operation. The fields of a body are parameters too, if the body is an object. */
function argumentsOf(operation: ApiOperation, schemas: Record<string, Schema>): { list: Argument[]; hasBody: boolean } {
  const parameters = (operation.parameters ?? []).filter(({ in: place, name }) => isArgument(operation, place, name));
  const list = parameters.map((parameter) => fromParameter(parameter));
  if (list.some(({ key, place }) => key === 'key' && place === 'query')) list.push(contextArgument);
  if (!operation.requestBody) return { list, hasBody: false };
  const given = firstSchema(operation.requestBody.content) ?? {};
  const body = resolveSchema(given, schemas) ?? {};
  if (!body.properties || Object.keys(body.properties).length === 0) {
    const isText = body.type === 'string';
    list.push({
      name: 'body',
      key: '',
      place: 'body',
      type: isText ? 'str' : 'Any',
      isRequired: true,
      description: undefined,
      isNullable: false,
    });
    return { list, hasBody: true };
  }
  for (const [key, schema] of Object.entries(body.properties)) {
    const snake = toSnakeCase(key);
    const name = list.some((each) => each.name === snake) ? `new_${snake}` : snake;
    const isRequired = body.required?.includes(key) ?? false;
    const title = given.$ref === undefined ? 'Body' : typeName(nameOfReference(given.$ref));
    const type = inputType(schema, `${title}${toPascalCase(key)}`);
    list.push({ name, key, place: 'body', type, isRequired, description: schema.description, isNullable: / \| None$|^None \|/.test(type) });
  }
  return { list, hasBody: true };
}

type ApiOperation = NamedOperation['operation'];

const contextArgument: Argument = {
  name: 'context',
  key: 'context',
  place: 'query',
  type: 'Mapping[str, str | int | float | bool]',
  isRequired: false,
  description: 'Attributes that the rules of a release use.',
  isNullable: false,
};

function isArgument(operation: ApiOperation, place: string | undefined, name: string): boolean {
  if (place === 'path') return true;
  return place === 'query' && !(csvParameters.has(name) && 'text/csv' in successOf(operation));
}

function fromParameter({ name, in: place, required = false, schema, description }: Parameter): Argument {
  const type = schema.const === 'true' ? 'bool' : inputType(schema, '');
  return {
    name: toSnakeCase(name),
    key: name,
    place: place === 'path' ? 'path' : 'query',
    type,
    isRequired: place === 'path' || required,
    description,
    isNullable: false,
  };
}

/** Returns the annotation of a parameter. Classes come from the module `types`. */
function inputType(schema: Schema, name: string): string {
  return qualify(new TypeWriter().toType(schema, name)).replaceAll('list[', 'Sequence[').replaceAll('dict[', 'Mapping[');
}

const plainTypes = new Set(['Any', 'None', 'Literal', 'NotRequired', 'True', 'False', 'Mapping', 'Sequence']);

function qualify(type: string): string {
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (name) => (name.startsWith('"') || plainTypes.has(name) ? name : `t.${name}`));
}

function declare({ name, type, isRequired, isNullable, place }: Argument): string {
  if (place === 'path') return `${name}: ${type === 'int' ? 'int' : 'str'}`;
  if (isRequired) return `${name}: ${type}`;
  if (type === 'Any') return `${name}: Any = OMIT`;
  return isNullable ? `${name}: ${type} | Omit = OMIT` : `${name}: ${type} | None = None`;
}

function toDictionary(list: Argument[], place: Argument['place']): string {
  const own = list.filter((each) => each.place === place);
  const [whole] = own;
  if (whole?.key === '') return 'body';
  const entries = own.map(({ key, name, isRequired, isNullable, type }) => {
    const value = isRequired || isNullable || type === 'Any' || place !== 'body' ? name : `OMIT if ${name} is None else ${name}`;
    return `${literal(key)}: ${value}`;
  });
  return entries.length <= 3
    ? `{${entries.join(', ')}}`
    : `{\n${entries.map((each) => `                ${each},\n`).join('')}            }`;
}

function describe({ summary = '', description }: ApiOperation, list: Argument[]): string {
  const text = [`${summary}.`.replace(/([.?!])\.$/, '$1'), ...(description === undefined ? [] : [description])].join('\n\n');
  const described = list.filter((each) => each.description !== undefined);
  if (described.length === 0) return text;
  const lines = described.map(({ name, description: own = '' }) => `    ${name}: ${own.replaceAll(/\s+/g, ' ')}`);
  return `${text}\n\nArgs:\n${lines.join('\n')}`;
}

function isTextResponse(operation: ApiOperation): boolean {
  const types = Object.keys(successOf(operation));
  return types.length > 0 && !types.some((type) => type.includes('json') && !type.includes('ndjson'));
}

function pageItemOf(schema: Schema | undefined, schemas: Record<string, Schema>): string | undefined {
  const resolved = resolveSchema(schema, schemas);
  const items = resolved?.properties?.nextCursor && resolved.properties.data?.items;
  if (!items || !schema?.$ref) return undefined;
  return qualify(new TypeWriter().toType(items, `${typeName(nameOfReference(schema.$ref))}DataItem`));
}

function resultOf(schema: Schema | undefined): string {
  return schema === undefined || (schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0)
    ? 'None'
    : qualify(new TypeWriter().toType(schema, 'Response'));
}

function moduleHeader(text: string): string {
  return `# Generated from openapi.json by scripts/python-client.ts. Run \`npm run openapi\` to write it anew.\n"""${text}"""\n\nfrom __future__ import annotations\n`;
}

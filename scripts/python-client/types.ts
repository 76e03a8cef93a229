import { isKeyword, toPascalCase } from './names.ts';
import { nameOfReference, type Schema } from './openapi.ts';

/** openapi.json cannot express recursive shapes, or messages whose fields depend on their role. */
const givenTypes = `class Shape(TypedDict):
    """How a template uses a value."""

    kind: NotRequired[Literal["text", "list", "object"]]
    fields: NotRequired[list[Field]]
    items: NotRequired[Shape]


class Field(Shape):
    """A field of an object. \`required\` says whether the value is used outside conditions."""

    name: str
    required: bool


class Variable(Field):
    """A variable that a version declares or that its templates use."""

    type: NotRequired[Literal["text", "number", "boolean", "enum", "list", "object", "image"]]
    description: NotRequired[str]
    default: NotRequired[Any]
    example: NotRequired[Any]
    values: NotRequired[list[str]]
    inherited: NotRequired[bool]


class RenderedMessage(TypedDict):
    """A rendered message, in the form of OpenAI's chat completions."""

    role: str
    content: NotRequired[str | list[dict[str, Any]] | None]
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]
`;

const ownTypes = ['Variable', 'RenderedMessage'];

const header = `# Generated from openapi.json by scripts/python-client.ts. Run \`npm run openapi\` to write it anew.
"""The shapes of the API. They are typed dictionaries with the names of the API."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
if TYPE_CHECKING:
    from typing_extensions import TypeAlias
`;

/** Collects the classes of a module. Objects inside objects become classes of their own. */
export class TypeWriter {
  readonly #classes: string[] = [];

  /** Returns the annotation of a schema. `name` is the name that the class of an object gets. */
  toType(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return typeName(nameOfReference(schema.$ref));
    if (schema.const !== undefined) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    if (schema.anyOf) return union(schema.anyOf.map((option, index) => this.toType(option, index === 0 ? name : `${name}${index + 1}`)));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.toType({ ...schema, type }, name)));
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${this.toType(schema.items ?? {}, `${name}Item`)}]`;
      case 'object':
        return this.#toObject(schema, name);
      default:
        return 'Any';
    }
  }

  #toObject(schema: Schema, name: string): string {
    if (Object.keys(schema.properties ?? {}).length > 0) {
      this.addClass(schema, name);
      return name;
    }
    const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
    return `dict[str, ${typeof values === 'object' ? this.toType(values, `${name}Value`) : 'Any'}]`;
  }

  addClass({ properties = {}, required = [], description }: Schema, name: string): void {
    const fields = Object.entries(properties).map(([key, property]) => {
      const type = this.toType(property, `${name}${toPascalCase(key)}`);
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, description: property.description };
    });
    const isPlain = fields.every(({ key }) => /^[A-Za-z_]\w*$/.test(key) && !isKeyword(key));
    if (!isPlain) {
      const entries = fields.map(({ key, type }) => `        ${literal(key)}: "${type.replaceAll('"', "'")}",\n`);
      this.#classes.push(`${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`);
      return;
    }
    const lines = fields.map((field) => `    ${field.key}: ${field.type}\n${documentation(field.description, '    ')}`);
    this.#classes.push(
      `class ${name}(TypedDict):\n${description === undefined ? '' : `${documentation(description, '    ')}\n`}${lines.join('')}`,
    );
  }

  addAlias(schema: Schema, name: string): void {
    const type = this.toType(schema, `${name}Option`);
    if (type !== name) this.#classes.push(`${name}: TypeAlias = "${type.replaceAll('"', "'")}"\n`);
  }

  toString(): string {
    return [header, givenTypes, ...this.#classes].join('\n\n');
  }
}

/** Returns the module with all shapes of the API. */
export function writeTypes(schemas: Record<string, Schema>): string {
  const writer = new TypeWriter();
  for (const [title, schema] of Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (ownTypes.includes(title)) continue;
    const name = typeName(title);
    if (schema.properties && Object.keys(schema.properties).length > 0 && !schema.anyOf) writer.addClass(schema, name);
    else writer.addAlias(schema, name);
  }
  return writer.toString();
}

/** `Error` is the body of an error response. */
export function typeName(title: string): string {
  return title === 'Error' ? 'ErrorBody' : title;
}

export function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

export function union(types: string[]): string {
  const different = [...new Set(types)];
  return different.includes('Any') ? 'Any' : different.join(' | ');
}

const maxWidth = 99;

/** Returns a docstring. */
export function documentation(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const oneLine = `${indent}"""${escaped}"""`;
  if (oneLine.length <= maxWidth && !escaped.includes('\n') && !escaped.endsWith('"')) return `${oneLine}\n`;
  return `${indent}"""${wrap(escaped, indent).trimStart()}\n${indent}"""\n`;
}

/** Breaks text into lines. The lines of a paragraph that starts with spaces are indented further than its first line. */
function wrap(text: string, indent: string): string {
  return text
    .split('\n')
    .flatMap((paragraph) => wrapParagraph(paragraph, indent))
    .join('\n');
}

function wrapParagraph(paragraph: string, indent: string): string[] {
  const own = indent + (/^ +/.exec(paragraph)?.[0] ?? '');
  const lines: string[] = [];
  let line = own;
  for (const word of paragraph.split(/\s+/).filter((each) => each !== '')) {
    if (line.trim() !== '' && line.length + word.length > maxWidth - 4) {
      lines.push(line.trimEnd());
      line = own === indent ? indent : `${own}    `;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

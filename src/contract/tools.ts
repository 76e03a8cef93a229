import { type Static, Type } from 'typebox';
import { maxTools } from './limits.ts';
import { bodyOf } from './shapes.ts';

// Besides its messages, a version can declare two things for model APIs: the tools that the model may call, and the schema of its output.

export const toolNamePattern = '^[A-Za-z0-9_-]{1,64}$';

const Schema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'A JSON Schema (2020-12). Descriptions in it may be templates.',
});
const strict = Type.Optional(
  Type.Boolean({ description: 'Whether the model must follow the schema exactly, where the model API supports it.' }),
);

export const Tool = bodyOf(
  'Tool',
  { name: 'find_order', description: 'Finds an order by its number.' },
  {
    name: Type.String({ pattern: toolNamePattern, description: 'Up to 64 letters, digits, `_` and `-`.' }),
    description: Type.Optional(Type.String({ description: 'A template that tells the model when to call the tool.' })),
    parameters: Type.Optional(Schema),
    strict,
  },
);
export type Tool = Static<typeof Tool>;

export const Tools = Type.Array(Tool, {
  maxItems: maxTools,
  description: 'The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as JSON.',
  examples: [
    [
      {
        name: 'find_order',
        description: 'Finds an order by its number.',
        parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
      },
    ],
  ],
});

export const Output = Type.Object(
  {
    schema: Schema,
    name: Type.Optional(Type.String({ pattern: toolNamePattern, description: 'The name of the schema in the request to the model.' })),
    strict,
  },
  {
    title: 'Output',
    additionalProperties: false,
    description: 'The schema that the output of the model must follow.',
    examples: [{ schema: { type: 'object', properties: { category: { type: 'string' } }, required: ['category'] }, strict: true }],
  },
);
export type Output = Static<typeof Output>;

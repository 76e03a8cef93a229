import { type Static, Type } from 'typebox';
import { maxTemplateVariables } from './limits.ts';
import { objectOf } from './shapes.ts';

export const variableNamePattern = '^[A-Za-z_][A-Za-z0-9_]{0,99}$';

/** The way in which a template uses a value. */
export interface Shape {
  kind?: 'text' | 'list' | 'object';
  /** The fields of an object. */
  fields?: Field[];
  /** The shape of each item of a list. */
  items?: Shape;
}

export interface Field extends Shape {
  name: string;
  /**
   * Whether the field is used outside conditions. If a caller does not send the field, the template still renders, with an empty text in
   * its place.
   */
  required: boolean;
}

const Kind = Type.Enum(['text', 'list', 'object'], {
  description:
    'How the templates use the value: as a whole (`text`, which can also be a number, true or false), item by item (`list`), or by its ' +
    'fields (`object`). Absent if the templates do not show it, and for versions saved before this was recorded.',
});

// The schema does not refer to itself, because the serializer cannot resolve such a reference. The descriptions explain the nested values.
const Items = Type.Unsafe<Shape>({
  type: 'object',
  additionalProperties: true,
  description: 'The shape of each item of a list: its `kind`, and its `fields` or `items`.',
});
const Fields = Type.Unsafe<Field[]>({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: true,
    required: ['name', 'required'],
    properties: { name: { type: 'string' }, required: { type: 'boolean' } },
  },
  description: 'The fields of an object, each with `name`, `required` (used outside conditions), `kind`, and `fields` or `items`.',
});

export const VariableType = Type.Enum(['text', 'number', 'boolean', 'enum', 'list', 'object', 'image'], {
  description:
    'The declared type. Other values are refused with 422 when the prompt is rendered. `text` can also be a number, true or false, `enum` is ' +
    'one of `values`, and `image` is a URL or data URL. Absent if no type is declared.',
});
export type VariableType = Static<typeof VariableType>;

const AnyJson = (description: string) => Type.Unsafe<unknown>({ description });

const declared = {
  type: Type.Optional(VariableType),
  description: Type.Optional(Type.String({ maxLength: 500, description: 'What the variable is for.' })),
  default: Type.Optional(AnyJson('The value that is used if the caller sends none. The variable is then optional.')),
  example: Type.Optional(AnyJson('A value that the dashboard suggests.')),
  values: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'The values of an `enum`.',
    }),
  ),
};

const Inherited = Type.Boolean({
  description: 'True if an included prompt declares the variable, and not the version itself. Absent otherwise.',
});
const inferred = { kind: Type.Optional(Kind), fields: Type.Optional(Fields), items: Type.Optional(Items) };

const exampleVariable = { name: 'tone', required: false, type: 'enum', values: ['formal', 'warm'], default: 'warm', kind: 'text' };
export const Variable = objectOf('Variable', exampleVariable, {
  name: Type.String(),
  required: Type.Boolean({ description: 'Whether a render fails without a value.' }),
  ...declared,
  inherited: Type.Optional(Inherited),
  ...inferred,
});
export type Variable = Static<typeof Variable>;

export const VariableDeclaration = Type.Object(
  {
    name: Type.String({ pattern: variableNamePattern }),
    ...declared,
    required: Type.Optional(Type.Boolean({ description: 'Ignored: inferred from the templates and the default.' })),
    inherited: Type.Optional(
      Type.Boolean({ description: 'If true, all other fields are ignored, because an included prompt declares the variable.' }),
    ),
    kind: Type.Optional(Type.Unsafe<unknown>({ description: 'Ignored: inferred from the templates.' })),
    fields: Type.Optional(Type.Unsafe<unknown>({ description: 'Ignored: inferred from the templates.' })),
    items: Type.Optional(Type.Unsafe<unknown>({ description: 'Ignored: inferred from the templates.' })),
  },
  { title: 'VariableDeclaration', additionalProperties: false, examples: [{ name: 'tone', type: 'enum', values: ['formal', 'warm'] }] },
);

export const VariableDeclarations = Type.Array(VariableDeclaration, {
  maxItems: maxTemplateVariables,
  description:
    'Describes variables: type, description, default, example and values. If the templates use other variables, those are inferred. ' +
    'The `variables` of a response can be sent back.',
  examples: [[{ name: 'tone', type: 'enum', values: ['formal', 'warm'], default: 'warm', description: 'How the reply should sound.' }]],
});

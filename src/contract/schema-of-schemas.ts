// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/**
 * A JSON Schema validator ignores a keyword with an invalid value, so any output would pass. The service therefore refuses such schemas.
 */
const schema = { $ref: '#' };
const schemas = { type: 'object', additionalProperties: schema };
const schemaList = { type: 'array', minItems: 1, items: schema };
const count = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const text = { type: 'string' };
const texts = { type: 'array', items: text };
const pattern = { type: 'string', format: 'regex' };
const typeName = { enum: ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] };

/** A schema for JSON schemas. It covers what draft 4 and all later drafts have in common, and allows unknown keywords. */
export const schemaOfSchemas = {
  type: ['object', 'boolean'],
  properties: {
    $ref: text,
    $defs: schemas,
    definitions: schemas,
    type: { anyOf: [typeName, { type: 'array', minItems: 1, items: typeName }] },
    enum: { type: 'array', minItems: 1 },
    properties: schemas,
    patternProperties: { ...schemas, propertyNames: pattern },
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    dependentSchemas: schemas,
    dependentRequired: { type: 'object', additionalProperties: texts },
    required: texts,
    minProperties: count,
    maxProperties: count,
    items: { anyOf: [schema, schemaList] },
    prefixItems: schemaList,
    additionalItems: schema,
    unevaluatedItems: schema,
    contains: schema,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: { type: 'boolean' },
    minLength: count,
    maxLength: count,
    pattern,
    format: text,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    allOf: schemaList,
    anyOf: schemaList,
    oneOf: schemaList,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: A keyword of JSON schemas; nobody awaits it.
    then: schema,
    else: schema,
  },
};

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Errors } from 'typebox/schema';
import { schemaOfSchemas } from '../../src/contract/schema-of-schemas.ts';
import { parseDeclarations } from '../../src/domain/prompts/versions/declarations.ts';
import { addToConfig, takeFromConfig } from '../../src/formats/config-parts.ts';
import { findSchemaProblem } from '../../src/formats/json-schema.ts';

describe('Tools, output schemas and variables in configs of other programs', () => {
  const tool = (fields: object) => ({ type: 'function', function: { name: 'find', ...fields } });
  const format = (fields: object) => ({ type: 'json_schema', json_schema: { name: 'output', schema: { type: 'object' }, ...fields } });

  it('become fields of a version, and can be converted back without a change', () => {
    const config = {
      model: 'm',
      tools: [tool({ description: 'Finds', parameters: { type: 'object' }, strict: true })],
      response_format: format({ strict: true }),
      variables: { tone: { type: 'enum', description: 'How', default: 'warm', enum: ['warm'] } },
    };
    const { config: rest, ...parts } = takeFromConfig(config);
    assert.deepEqual(rest, { model: 'm' });
    assert.deepEqual(parts, {
      variables: [{ name: 'tone', type: 'enum', values: ['warm'], description: 'How', default: 'warm' }],
      tools: [{ name: 'find', description: 'Finds', parameters: { type: 'object' }, strict: true }],
      output: { schema: { type: 'object' }, strict: true },
    });
    assert.deepEqual(addToConfig(rest, parts), config);
  });

  it('stay in the config if the service would refuse them, so that nothing is lost and no prompt is refused', () => {
    const variables = (note: unknown) => ({ variables: { x: note } });
    const configs: unknown[] = [
      { tools: [tool({ parameters: { type: 'strnig' } })] },
      { tools: [tool({ parameters: { type: 'array' } })] },
      { tools: [tool({}), tool({})] },
      { tools: Array(129).fill(tool({})) },
      { tools: [tool({ description: 'x'.repeat(70_000) })] },
      { tools: [{ type: 'web_search' }] },
      { response_format: format({ schema: { required: 'a' } }) },
      { response_format: format({ schema: { description: 'x'.repeat(70_000) } }) },
      { response_format: { type: 'json_object' } },
      variables({ type: 'number', default: '3' }),
      variables({ type: 'image', example: 'x' }),
      variables({ enum: ['a', 'b'], default: 'c' }),
      variables({ enum: ['a', 'a'] }),
      variables({ enum: [''] }),
      variables({ enum: Array.from({ length: 101 }, (_, index) => `v${index}`) }),
      variables({ type: 'text', description: 'x'.repeat(501) }),
      variables({ type: 'text', description: '\u0007' }),
      variables({ type: 'string', minLength: 1 }),
      variables({ type: 'text', default: 'x'.repeat(70_000) }),
      { variables: { 'a b': { type: 'text' } } },
      null,
      [1],
    ];
    for (const config of configs) assert.deepEqual(takeFromConfig(config), { config }, JSON.stringify(config).slice(0, 100));
  });

  it('stay in the config if their patterns are so long that compiling them could block other requests', () => {
    // V8 takes half a minute to compile the first pattern, and seconds for the others.
    const letters = `[${'\\p{L}'.repeat(11_000)}]`;
    const patterns = [letters, '\\p{Lu}'.repeat(9000)];
    for (const pattern of patterns) {
      const parameters = { type: 'object', properties: { x: { type: 'string', pattern } } };
      const config = { tools: [tool({ parameters })], response_format: format({ schema: { patternProperties: { [pattern]: {} } } }) };
      assert.deepEqual(takeFromConfig(config), { config });
    }
    const many = Array.from({ length: 100 }, (_, index) => ({
      type: 'function',
      function: { name: `t${index}`, parameters: { type: 'object', properties: { x: { pattern: '\\p{Lu}'.repeat(50) } } } },
    }));
    assert.deepEqual(takeFromConfig({ tools: many }), { config: { tools: many } });
    assert.equal(takeFromConfig({ tools: many.slice(0, 2) }).tools?.length, 2);
  });

  it('are taken out of the config only in a form that the service accepts', () => {
    const notes = [{ type: 'integer', default: 1 }, { type: 'array', default: [] }, { type: 'object', example: {} }, { default: null }, {}];
    for (const note of notes) {
      const { config: _, ...parts } = takeFromConfig({ variables: { x: note } });
      assert.deepEqual(parseDeclarations(parts), parts, JSON.stringify(note));
    }
  });

  it('a schema is valid exactly if it is valid for the service', () => {
    const schemas: unknown[] = [
      ...[{}, true, [], null, 'x', 1, { type: 'object' }, { type: ['string', 'null'] }, { type: [] }, { type: 'any' }],
      ...[{ properties: { a: { type: 'x' } } }, { properties: [] }, { items: [{}] }, { items: [] }, { items: { type: 1 } }, { enum: [] }],
      ...[{ minimum: '1' }, { minLength: -1 }, { minLength: 1.5 }, { multipleOf: 0 }, { pattern: '(' }, { pattern: '^a$' }, { format: 1 }],
      ...[{ patternProperties: { '(': {} } }, { patternProperties: { a: {} } }, { $defs: { a: 1 } }, { $ref: 1 }, { not: [] }, { x: [] }],
      ...[{ allOf: [] }, { anyOf: [{}] }, { oneOf: [1] }, { required: [1] }, { required: ['a'] }, { dependentRequired: { a: 'b' } }],
      ...[{ uniqueItems: 1 }, { additionalProperties: false }, { additionalProperties: 'no' }, { if: {}, else: 1 }, { const: { type: 5 } }],
    ];
    for (const schema of schemas) {
      assert.equal(findSchemaProblem(schema) === undefined, Errors(schemaOfSchemas, schema)[0], JSON.stringify(schema));
    }
    assert.equal(findSchemaProblem({ properties: { 'a/b': { type: 'x' } } }), '/properties/a~1b/type');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  emptyObject,
  hiddenKeywords,
  kindOf,
  newName,
  propertiesOf,
  toStrict,
  withKind,
  withProperties,
} from '../../dashboard/src/editor/tools/json-schema.ts';

describe('the form for JSON Schema', () => {
  it('shows what it can change without loss, and leaves the rest to JSON', () => {
    const kinds: [unknown, string][] = [
      [{ type: 'string', minLength: 2 }, 'string'],
      [{ enum: ['a'] }, 'enum'],
      [{ type: 'integer' }, 'integer'],
      [{ type: 'array' }, 'array'],
      [{ type: 'array', items: { type: 'object', properties: {} } }, 'array'],
      [emptyObject(), 'object'],
      [{ type: 'object' }, 'object'],
      [true, 'other'],
      [{}, 'other'],
      [{ enum: [1, 2] }, 'other'],
      [{ type: ['string', 'null'] }, 'other'],
      [{ type: 'string', anyOf: [] }, 'other'],
      [{ type: 'array', items: [{ type: 'string' }] }, 'other'],
      [{ type: 'object', properties: [] }, 'other'],
      [{ type: 'object', $ref: '#' }, 'other'],
    ];
    for (const [schema, kind] of kinds) assert.equal(kindOf(schema), kind, JSON.stringify(schema));
    assert.deepEqual(hiddenKeywords({ type: 'string', minLength: 2, description: '' }), ['minLength']);
    assert.deepEqual(hiddenKeywords({ type: 'object', additionalProperties: { type: 'string' } }), ['additionalProperties']);
  });

  it('keeps unknown keywords, the order, and required names without a property', () => {
    const schema = { type: 'object', properties: { b: { type: 'string' }, a: { $ref: '#' } }, required: ['a', 'z'], minProperties: 1 };
    assert.deepEqual(withProperties(schema, propertiesOf(schema)), schema);
    assert.equal(JSON.stringify(withProperties(schema, propertiesOf(schema)).properties), JSON.stringify(schema.properties));
    assert.deepEqual(withProperties({ type: 'object' }, []), { type: 'object', properties: {} });
    assert.equal(newName(propertiesOf({ properties: { field: {}, field_2: {} } }), 'field'), 'field_3');
  });

  it('drops only what belongs to the old type when the type changes', () => {
    assert.deepEqual(withKind({ type: 'string', description: 'x', enum: ['a'], title: 't' }, 'boolean'), {
      type: 'boolean',
      description: 'x',
      title: 't',
    });
    assert.deepEqual(withKind({ anyOf: [{}], description: 'x' }, 'array'), { type: 'array', description: 'x', items: { type: 'string' } });
    assert.deepEqual(withKind(true, 'object'), emptyObject());
  });

  it('requires everything in strict mode, at every depth that it can show', () => {
    const inner = { type: 'object', properties: { c: { type: 'string' } } };
    const other = { anyOf: [inner] };
    const strictInner = { ...inner, required: ['c'], additionalProperties: false };
    assert.deepEqual(
      toStrict({ type: 'object', properties: { a: inner, b: { type: 'array', items: inner }, d: other }, required: ['a'] }),
      {
        type: 'object',
        properties: { a: strictInner, b: { type: 'array', items: strictInner }, d: other },
        required: ['a', 'b', 'd'],
        additionalProperties: false,
      },
    );
  });
});

import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

type Serializer = (value: unknown) => string;

/** The compiled serializers by schema. They are reused, because all routes share the schemas of their errors. */
const serializers = new WeakMap<object, Serializer>();

/**
 * Compiles the schema of a response when it is first sent. Compiling all schemas at the start would more than double the time that the
 * start takes.
 */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serializer | undefined;
  return (value) => {
    serialize ??= serializers.get(schema) ?? compile(schema);
    return serialize(value);
  };
};

function compile(schema: object): Serializer {
  const serialize = fastJson(schema);
  serializers.set(schema, serialize);
  return serialize;
}

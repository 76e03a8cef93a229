import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { AppError, type Fault } from '../errors.ts';

/** Lets a handler's types follow from the route's TypeBox schemas. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

/** Bodies are taken as they are; what comes as text in an address (query, parameters) is converted first. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  return (input: unknown) => {
    const value: unknown = httpPart === 'body' ? input : validator.Convert(input);
    if (validator.Check(value)) return { value };
    return { error: new AppError('invalid_input', { details: toFaults(schema, validator.Errors(value)) }) };
  };
};

const maxFaults = 20;
// TypeBox stops at 8, which can be before it comes to a field that is there but wrong.
Settings.Set({ maxErrors: maxFaults });

function toFaults(schema: TSchema, errors: ReturnType<ReturnType<typeof Compile>['Errors']>): Fault[] {
  const faults: Fault[] = [];
  for (const { keyword, schemaPath, instancePath, params, message } of errors) {
    const path = instancePath.slice(0, maxPathLength);
    if (keyword === 'required') {
      faults.push(...params.requiredProperties.map((name) => ({ path: `${path}/${name}`, message: 'Required' })));
    } else if (keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')) {
      faults.push({ path, message: 'Unknown field' });
    } else if (keyword !== 'boolean' && keyword !== 'additionalProperties') {
      // A pattern says nothing to people; what the contract says of the field does.
      const text = keyword === 'pattern' ? descriptionAt(schema, schemaPath) : undefined;
      faults.push({ path, message: text ?? sentence(message) });
    }
  }
  return faults.slice(0, maxFaults);
}

/** The description of the schema that a path such as `#/properties/name` leads to. */
function descriptionAt(schema: TSchema, schemaPath: string): string | undefined {
  let place: unknown = schema;
  for (const step of schemaPath.split('/').slice(1))
    place = typeof place === 'object' && place !== null ? Reflect.get(place, step) : undefined;
  const description: unknown = typeof place === 'object' && place !== null ? Reflect.get(place, 'description') : undefined;
  return typeof description === 'string' ? description : undefined;
}

/** A field's name is the caller's own and may be as long as the body. */
const maxPathLength = 200;

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

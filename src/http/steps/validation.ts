import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { AppError, type FieldError } from '../../errors.ts';

/** Bodies are taken as they are; whole numbers in an address (query, parameters) come as text and are read first. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  return (input: unknown) => {
    const value: unknown = httpPart === 'body' ? input : readIntegers(schema, input);
    if (validator.Check(value)) return { value };
    return { error: new AppError('invalid_input', { details: toFieldErrors(schema, validator.Errors(value)) }) };
  };
};

/** Digits only: what would have to be rounded or guessed, such as `1.5` or `true`, stays text and is refused. */
function readIntegers(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]): [string, unknown] => {
      const isInteger = stepsInto(schema, ['properties', name, 'type']) === 'integer';
      return [name, isInteger && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value];
    }),
  );
}

const maxErrors = 20;
// TypeBox stops at 8, which can be before it comes to a field that is there but wrong.
Settings.Set({ maxErrors: maxErrors });

function toFieldErrors(schema: TSchema, errors: ReturnType<ReturnType<typeof Compile>['Errors']>): FieldError[] {
  const problems: FieldError[] = [];
  for (const { keyword, schemaPath, instancePath, params, message } of errors) {
    const path = instancePath.slice(0, maxPathLength);
    if (keyword === 'required') {
      problems.push(...params.requiredProperties.map((name) => ({ path: `${path}/${name}`, message: 'Required' })));
    } else if (keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')) {
      problems.push({ path, message: 'Unknown field' });
    } else if (keyword !== 'boolean' && keyword !== 'additionalProperties') {
      // A pattern says nothing to people; what the contract says of the field does.
      const text = keyword === 'pattern' ? descriptionAt(schema, schemaPath) : undefined;
      problems.push({ path, message: text ?? sentence(message) });
    }
  }
  return problems.slice(0, maxErrors);
}

/** The description of the schema that a path such as `#/properties/name` leads to. */
function descriptionAt(schema: TSchema, schemaPath: string): string | undefined {
  const description = stepsInto(schema, [...schemaPath.split('/').slice(1), 'description']);
  return typeof description === 'string' ? description : undefined;
}

/** A field's name is the caller's own and may be as long as the body. */
const maxPathLength = 200;

function stepsInto(value: unknown, steps: string[]): unknown {
  let place = value;
  for (const step of steps) place = typeof place === 'object' && place !== null ? Reflect.get(place, step) : undefined;
  return place;
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

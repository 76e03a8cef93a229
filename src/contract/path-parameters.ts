import { type Static, type TSchema, Type } from 'typebox';
import { Label } from './labels.ts';
import { flagParameter } from './ofrep.ts';
import { VersionNumber } from './versions.ts';

/** The parameters in paths that need more than a plain string, by name. */
const parameters = {
  name: Type.String({ description: 'The prompt’s name, encoded as one path segment.' }),
  version: VersionNumber,
  label: Label,
  token: Type.String({ description: 'The last segment of the invitation link.' }),
  code: Type.String({ maxLength: 20 }),
  provider: Type.String({ maxLength: 100 }),
  '*': flagParameter,
};

/** The names of the parameters in a path such as `/api/prompts/:name/labels/:label`. */
type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : Path extends `${string}/*`
      ? '*'
      : never;

/** The values of the parameters in a path. */
export type PathParameters<Path extends string> = {
  [Name in NameIn<Path>]: Name extends keyof typeof parameters ? Static<(typeof parameters)[Name]> : string;
};

/** Returns the schema of the parameters in a path, or undefined if it has none. */
export function findPathParameters(path: string): TSchema | undefined {
  const names = [...path.matchAll(/:(\w+)|\*$/g)].map(([text, name = text]) => name);
  const known: Record<string, TSchema> = parameters;
  return names.length === 0 ? undefined : Type.Object(Object.fromEntries(names.map((name) => [name, known[name] ?? Type.String()])));
}

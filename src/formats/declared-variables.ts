import type { Variable } from '../contract/variables.ts';
import type { DeclaredVariable } from './config-parts.ts';

/**
 * Returns the declarations of a version's variables, sorted by name. Properties that are inferred from the templates, and the declarations
 * of included prompts, are left out. The service lists variables in the order of the templates, so the order of the declarations is not
 * kept.
 */
export function listDeclared(variables: Variable[]): DeclaredVariable[] {
  return variables
    .filter(({ inherited = false }) => !inherited)
    .map(toDeclared)
    .filter((declared) => Object.keys(declared).length > 1)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function toDeclared({ name, type, description, values, default: value, example }: Variable): DeclaredVariable {
  return {
    name,
    ...(type && { type }),
    ...(description !== undefined && { description }),
    ...(values && { values }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
  };
}

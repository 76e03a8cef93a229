import type { TSchema } from 'typebox';
import type { Compile } from 'typebox/compile';
import type { FieldError } from '../../contract/errors.ts';
import { labelPattern } from '../../contract/limits.ts';
import { promptNamePattern } from '../../contract/prompt-names.ts';
import { toolNamePattern } from '../../contract/tools.ts';
import { variableNamePattern } from '../../contract/variables.ts';

export const maxErrors = 20;
/** The maximum length of a field's path in an error. Callers choose field names, which may be as long as the body. */
export const maxPathLength = 200;

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];
type Finding = FieldError &
  Pick<SchemaError, 'keyword' | 'schemaPath'> & { /** The only values that the schema allows. */ allowed?: unknown[] };

/** Describes the valid values of each invalid field. */
export function toFieldErrors(schema: TSchema, schemaErrors: SchemaError[]): FieldError[] {
  let findings: Finding[] = [];
  for (const error of schemaErrors) {
    // The validator reports the error of a union after the errors of its alternatives.
    if (error.keyword === 'anyOf') findings = resolveUnion(schema, findings, error);
    else findings.push(...toFindings(error));
  }
  const isAlreadySaid = ({ keyword, path }: Finding) =>
    keyword === 'pattern' && findings.some((other) => other.path === path && other.keyword === 'minLength');
  return findings
    .filter((finding) => !isAlreadySaid(finding))
    .slice(0, maxErrors)
    .map(({ path, message }) => ({ path, message }));
}

function toFindings(error: SchemaError): Finding[] {
  const { keyword, schemaPath, instancePath } = error;
  const path = instancePath.slice(0, maxPathLength);
  if (keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ keyword, schemaPath, path: `${path}/${name}`, message: 'Required' }));
  }
  if (keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')) {
    return [{ keyword, schemaPath, path, message: 'Unknown field' }];
  }
  if (keyword === 'boolean' || keyword === 'additionalProperties') return [];
  const allowed = keyword === 'enum' ? error.params.allowedValues : keyword === 'const' ? [error.params.allowedValue] : undefined;
  if (allowed) return [{ keyword, schemaPath, path, message: choiceOf(allowed), allowed }];
  return [{ keyword, schemaPath, path, message: describe(error) }];
}

function describe(error: SchemaError): string {
  switch (error.keyword) {
    case 'type':
      return `Must be ${[error.params.type]
        .flat()
        .map((type) => typeNames[type] ?? type)
        .join(' or ')}`;
    case 'pattern':
      return patternRules.get(String(error.params.pattern)) ?? 'Contains characters that are not allowed here';
    case 'minLength':
      return error.params.limit === 1 ? 'Must not be empty' : `Use at least ${error.params.limit} characters`;
    case 'maxLength':
      return `Use at most ${error.params.limit} characters`;
    case 'minItems':
      return error.params.limit === 1 ? 'Must not be empty' : `Use at least ${error.params.limit} items`;
    case 'maxItems':
      return `Use at most ${error.params.limit} items`;
    case 'uniqueItems':
      return 'Must not contain duplicates';
    case 'minProperties':
      return error.params.limit === 1 ? 'Send at least one field' : `Send at least ${error.params.limit} fields`;
    case 'minimum':
      return `Must be at least ${error.params.limit}`;
    case 'maximum':
      return `Must be at most ${error.params.limit}`;
    default:
      return error.message.charAt(0).toUpperCase() + error.message.slice(1);
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** Descriptions of patterns. Errors show these texts, because regular expressions do not help users. */
const patternRules = new Map([
  [promptNamePattern, 'The characters \\ | < > " and control characters are not allowed'],
  [labelPattern, 'Use 1 to 50 lowercase letters, digits, dots, dashes and underscores. Start and end with a letter or digit.'],
  [variableNamePattern, 'Use 1 to 100 letters, digits and underscores, not starting with a digit'],
  [toolNamePattern, 'Use 1 to 64 letters, digits, _ and -'],
]);

/**
 * Replaces the errors of all alternatives with the errors of the alternative that the caller probably meant, which is the one with the
 * fewest errors.
 */
function resolveUnion(schema: TSchema, findings: Finding[], { schemaPath, instancePath }: SchemaError): Finding[] {
  const prefix = `${schemaPath}/anyOf/`;
  const path = instancePath.slice(0, maxPathLength);
  const isOfUnion = (finding: Finding) => finding.schemaPath.startsWith(prefix) && `${finding.path}/`.startsWith(`${path}/`);
  const own = findings.filter(isOfUnion);
  const others = findings.filter((finding) => !isOfUnion(finding));
  const alternatives = [...Map.groupBy(own, (finding) => finding.schemaPath.slice(prefix.length).split('/')[0]).values()];
  const [best = []] = alternatives.toSorted((a, b) => distance(a, path) - distance(b, path));

  const isChoice = own.every(({ allowed }) => allowed !== undefined);
  if (isChoice) return [...others, { ...union(schemaPath, path), message: choiceOf(own.flatMap(({ allowed = [] }) => allowed)) }];
  const isWrongType = best.some(({ keyword }) => keyword === 'type') && best.every((finding) => finding.path === path);
  return [...others, ...(isWrongType ? [{ ...union(schemaPath, path), message: shapesOf(schema, schemaPath) }] : best)];
}

const union = (schemaPath: string, path: string) => ({ keyword: 'anyOf' as const, schemaPath, path });

/** Returns how much a value differs from an alternative. A value of a different type differs the most. */
function distance(findings: Finding[], path: string): number {
  return findings.reduce((sum, finding) => sum + (finding.keyword === 'type' && finding.path === path ? 10 : 1), 0);
}

function choiceOf(values: unknown[]): string {
  return values.length === 1 ? `Use ${String(values[0])}` : `Use one of: ${values.join(', ')}`;
}

/** Describes the alternatives, as in "an object with role and content, or an object with placeholder". */
function shapesOf(schema: TSchema, schemaPath: string): string {
  const alternatives = valueAt(schema, [...schemaPath.split('/').slice(1), 'anyOf']);
  const shapes = (Array.isArray(alternatives) ? alternatives : []).map((alternative) => {
    const [type, required] = [valueAt(alternative, ['type']), valueAt(alternative, ['required'])];
    const fields = Array.isArray(required) && required.length > 0 ? ` with ${required.join(' and ')}` : '';
    return (typeNames[String(type)] ?? String(type)) + fields;
  });
  return `Must be ${shapes.join(', or ')}`;
}

export function valueAt(value: unknown, path: string[]): unknown {
  let current = value;
  for (const key of path) current = typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined;
  return current;
}

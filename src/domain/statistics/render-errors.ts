import type { Variable } from '../../contract/variables.ts';
import { AppError } from '../../errors.ts';
import { createHourlyLimit } from './hourly-limit.ts';

/** The reason why a prompt could not be rendered. */
export interface RenderError {
  /** The error's code. */
  code: string;
  /** The missing variable or include. Empty if the error has no name, or if too many names were already counted. */
  name: string;
}

/**
 * The maximum number of names per call. It is limited because names come from templates, and someone may write a template only to fill the
 * statistics.
 */
const namesPerCall = 20;
const namesPerPromptAndHour = 20;
const namesPerWorkspaceAndHour = 200;
const maxNameLength = 200;

/** Returns the causes to count for a failed render. Errors other than 422 do not concern the prompt. */
export function renderErrorsOf(err: unknown): RenderError[] {
  if (!(err instanceof AppError) || err.status !== 422) return [];
  const names = err.names.slice(0, namesPerCall).map(toStoredText);
  return (names.length > 0 ? names : ['']).map((name) => ({ code: err.code, name }));
}

/**
 * Converts a name to text that can be stored. PostgreSQL stores neither NUL nor lone surrogates. Such a character would make the whole
 * batch fail, and a batch contains the statistics of all workspaces.
 */
export function toStoredText(name: string): string {
  if (/^[\w.-]{1,200}$/.test(name)) return name;
  return name
    .slice(0, maxNameLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/** The variables that the caller of a successful render sent. */
export interface SentVariables {
  /** The variables that the version requires, from `listRequired`. */
  required: string[];
  /** The variables that were sent although the version does not require them. */
  unrequired: string[];
}

export function listSent(
  { declared, required }: { declared: Variable[]; required: string[] },
  variables: Record<string, unknown>,
): SentVariables {
  return { required, unrequired: listUnrequired(declared, variables) };
}

/**
 * Lists the variables that the caller of a render sent although the version does not require them. They show whether the callers of a label
 * already send the variables that another version requires.
 */
function listUnrequired(declared: Variable[], variables: Record<string, unknown>): string[] {
  const required = declared.filter((variable) => variable.required);
  const names = Object.keys(variables);
  // Most callers send exactly the required variables. A successful render always has all of them, so equal numbers mean that no other
  // variables were sent.
  if (names.length === required.length) return [];
  const unrequired = names.filter((name) => !required.some((variable) => variable.name === name));
  const counted = unrequired.slice(0, namesPerCall).map(toStoredText);
  return unrequired.length > counted.length ? [...counted, ''] : counted;
}

/**
 * Lists the variables that a version requires. Every successful render had all of them. The list is stored as one name, so a list that is
 * too long is cut off and ends with an empty name.
 */
export function listRequired(declared: Variable[]): string[] {
  const names = declared.filter((variable) => variable.required).map(({ name }) => toStoredText(name));
  let length = 0;
  const end = names.findIndex((name) => {
    length += name.length + 1;
    return length > maxNameLength;
  });
  return end === -1 ? names : [...names.slice(0, end), ''];
}

/** Limits the names that are counted per hour, by prompt and by workspace. Beyond the limit, only the error code is counted. */
export function createRenderErrorLimit() {
  const isOfPrompt = createHourlyLimit(namesPerPromptAndHour);
  const isOfWorkspace = createHourlyLimit(namesPerWorkspaceAndHour);
  return (
    errors: RenderError[],
    { hour, workspaceId, promptId }: { hour: number; workspaceId: string; promptId: string },
  ): RenderError[] => {
    const limited = new Map<string, RenderError>();
    for (const { code, name } of errors) {
      const key = `${promptId}\n${code}\n${name}`;
      const isNamed = name !== '' && isOfPrompt({ hour, owner: promptId, key }) && isOfWorkspace({ hour, owner: workspaceId, key });
      // A call with several names beyond the limit counts only once.
      limited.set(isNamed ? key : code, { code, name: isNamed ? name : '' });
    }
    return [...limited.values()];
  };
}

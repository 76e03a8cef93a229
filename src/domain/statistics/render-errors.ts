import type { Variable } from '../../contract/versions.ts';
import { AppError } from '../../errors.ts';
import { createHourlyLimit } from './hourly-limit.ts';

/** Why a prompt could not be rendered. */
export interface RenderError {
  /** The error's code. */
  code: string;
  /** The missing variable or include; empty if the error has no name, or too many names were counted already. */
  name: string;
}

/** Names come from templates, which people may write with the aim of filling the statistics. */
const namesPerCall = 20;
const namesPerPromptAndHour = 20;
const namesPerWorkspaceAndHour = 200;
const maxNameLength = 200;

/** The causes to count for an error of a render. Other errors than 422 say nothing about the prompt. */
export function renderErrorsOf(err: unknown): RenderError[] {
  if (!(err instanceof AppError) || err.status !== 422) return [];
  const names = err.names.slice(0, namesPerCall).map(toStoredText);
  return (names.length > 0 ? names : ['']).map((name) => ({ code: err.code, name }));
}

/** PostgreSQL stores neither NUL nor half a character, and either would fail the write of everybody's statistics. */
function toStoredText(name: string): string {
  if (/^[\w.-]{1,200}$/.test(name)) return name;
  return name
    .slice(0, maxNameLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/**
 * The variables that a render was given and that its version does not require. They tell whether the callers of a label already send what
 * another version requires. The empty name stands for those beyond the limit.
 */
export function listUnrequired(declared: Variable[], variables: Record<string, unknown>): string[] {
  const required = declared.filter((variable) => variable.required);
  const names = Object.keys(variables);
  // Most callers send exactly what is required, and a successful render has all of that.
  if (names.length === required.length) return [];
  const unrequired = names.filter((name) => !required.some((variable) => variable.name === name));
  const counted = unrequired.slice(0, namesPerCall).map(toStoredText);
  return unrequired.length > counted.length ? [...counted, ''] : counted;
}

/** Limits the names that are counted in an hour, by prompt and by workspace. The rest is counted by code alone. */
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
      // A call with several names beyond the limit counts once.
      limited.set(isNamed ? key : code, { code, name: isNamed ? name : '' });
    }
    return [...limited.values()];
  };
}

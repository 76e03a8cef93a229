import { AppError } from '../../errors.ts';

/** Why a prompt could not be rendered. */
export interface RenderError {
  /** The error's code. */
  code: string;
  /** The missing variable or include; empty if the error has no name, or too many names were counted already. */
  name: string;
}

/** Names come from templates, which people may write with the aim of filling the statistics. */
const defaultLimits = {
  namesPerCall: 20,
  /** Each hour. */
  namesPerPrompt: 20,
  namesPerWorkspace: 200,
  names: 50_000,
};
const maxNameLength = 200;

/** The causes to count for an error of a render. Other errors than 422 say nothing about the prompt. */
export function renderErrorsOf(err: unknown): RenderError[] {
  if (!(err instanceof AppError) || err.status !== 422) return [];
  const names = err.names.slice(0, defaultLimits.namesPerCall).map(toStoredText);
  return (names.length > 0 ? names : ['']).map((name) => ({ code: err.code, name }));
}

/** PostgreSQL stores neither NUL nor half a character, and either would fail the write of everybody's statistics. */
function toStoredText(name: string): string {
  return name
    .slice(0, maxNameLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

interface CountedErrors {
  workspaceId: string;
  hour: number;
  promptId: string;
  errors: RenderError[];
}

/**
 * Limits the names that are counted in an hour, by prompt, workspace and in all. The rest is counted by code alone, so that no workspace
 * can fill the table.
 */
export function createRenderErrorLimit(given: Partial<typeof defaultLimits> = {}): (counted: CountedErrors) => RenderError[] {
  const limits = { ...defaultLimits, ...given };
  let currentHour = 0;
  let size = 0;
  let workspaces = new Map<string, { names: Set<string>; byPrompt: Map<string, number> }>();

  function isCounted(workspaceId: string, promptId: string, { code, name }: RenderError): boolean {
    const known = workspaces.get(workspaceId) ?? { names: new Set(), byPrompt: new Map() };
    const key = `${promptId}\n${code}\n${name}`;
    if (known.names.has(key)) return true;
    const ofPrompt = known.byPrompt.get(promptId) ?? 0;
    if (ofPrompt >= limits.namesPerPrompt || known.names.size >= limits.namesPerWorkspace || size >= limits.names) return false;
    workspaces.set(workspaceId, known);
    known.names.add(key);
    known.byPrompt.set(promptId, ofPrompt + 1);
    size += 1;
    return true;
  }

  return ({ workspaceId, hour, promptId, errors }) => {
    if (hour !== currentHour) {
      currentHour = hour;
      size = 0;
      workspaces = new Map();
    }
    const limited = errors.map((error) =>
      error.name === '' || isCounted(workspaceId, promptId, error) ? error : { code: error.code, name: '' },
    );
    // A call with several names beyond the limit counts once.
    return limited.filter((error, index) => limited.findIndex(({ code, name }) => code === error.code && name === error.name) === index);
  };
}

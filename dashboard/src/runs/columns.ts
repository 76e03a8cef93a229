import { type Draft, parseConfig } from '../editor/drafts/draft.ts';
import { isObject, parseJson } from '../editor/preview/preview-values.ts';
import { previousOf } from '../editor/versions/version-numbers.ts';
import type { ModelConnection, Prompt, PromptType } from '../lib/types.ts';
import { initialChoice } from './initial-choice.ts';
import { type ModelChoice, modelOf, type RunInput, toRunInput } from './run-input.ts';
import { createRunner, type Runner } from './runner.ts';

/** A column of a comparison: the content that runs, the model, and the parameters. */
export interface Column extends ModelChoice {
  id: number;
  /** A version, or the content of the editor. */
  content: number | 'draft';
  /** JSON that replaces parameters of the config, as the user typed it. */
  parameters: string;
  runner: Runner;
}

export const maxColumns = 4;

interface Start {
  prompt: Prompt;
  /** The draft in the editor, which may have changes or equal a version. */
  draft: Draft;
  base: number;
  isDirty: boolean;
  connections: ModelConnection[];
  chosen: ModelChoice | undefined;
}

/**
 * Compares the draft with the version that it is based on. If the draft is not based on a version, compares two models with the same draft.
 */
export function firstColumns({ prompt, draft, base, isDirty, connections, chosen }: Start): Column[] {
  const choice = chosen ?? initialChoice(connections, modelOf(parseConfig(draft.config).config));
  const before = isDirty ? base : previousOf(prompt, base);
  const isOnlyOne = !isDirty && before === base;
  const otherModel = connections.find(({ id }) => id === choice.connection)?.models.find((model) => model !== choice.model);
  return [
    { ...choice, id: 1, content: before, parameters: '', runner: createRunner() },
    {
      ...choice,
      ...(isOnlyOne && otherModel !== undefined && { model: otherModel }),
      id: 2,
      content: isDirty ? 'draft' : base,
      parameters: '',
      runner: createRunner(),
    },
  ];
}

/** Copies the last column, so that the user changes only the setting to compare. */
export function addColumn(columns: Column[]): Column[] {
  const last = columns.at(-1);
  if (!last || columns.length >= maxColumns) return columns;
  const id = Math.max(...columns.map((column) => column.id)) + 1;
  return [...columns, { ...last, id, runner: createRunner() }];
}

export function titleOf({ content, model }: Column): string {
  return `${content === 'draft' ? 'Draft' : `v${content}`} · ${model}`;
}

/** Returns why a column cannot run, or undefined if the column can run. */
export function findColumnProblem({ model, parameters }: Column): string | undefined {
  if (model.trim() === '') return 'Choose a model.';
  const parsed = parseParameters(parameters);
  return parsed === undefined ? 'The parameters are not a JSON object.' : undefined;
}

export function toColumnInput(
  { content, connection, model, parameters }: Column,
  { prompt, draft, values }: { prompt: { name: string; type: PromptType }; draft: Draft; values: Record<string, unknown> },
): RunInput {
  const source =
    content === 'draft' ? { promptName: prompt.name, type: prompt.type, draft } : { promptName: prompt.name, version: content };
  return toRunInput(source, { connection, model, values, parameters: parseParameters(parameters) ?? {} });
}

function parseParameters(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

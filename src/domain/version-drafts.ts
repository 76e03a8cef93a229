import type { Static } from 'typebox';
import type { Warning } from '../contract/version.ts';
import { invalidField } from '../errors.ts';
import type { PromptRecord } from '../store/prompts.ts';
import type { PromptStores } from '../store/store.ts';
import type { VersionRecord } from '../store/versions.ts';
import {
  analyseContent,
  assertPlainText,
  type Content,
  type ContentInput,
  parseContent,
  serialiseConfig,
  serialiseContent,
} from './content.ts';
import type { Context } from './context.ts';
import { type Editor, recordEvent } from './history.ts';
import { describeProblem, findPartialProblem, loadPartials, mergeVariables, type PartialGraph } from './partials.ts';
import type { Analysis } from './templates/types.ts';
import { presentVersion, type Version } from './version-views.ts';

type Warnings = Static<typeof Warning>[];

export interface VersionInput extends ContentInput {
  config?: Record<string, unknown> | undefined;
  message?: string | undefined;
  labels?: string[] | undefined;
}

const maxLabels = 20;

/** A version that is checked and analysed, but has no number yet. */
export interface VersionDraft {
  content: Content;
  config: string;
  message: string;
  labels: string[];
  analysis: Analysis;
  graph: PartialGraph;
  warnings: Warnings;
}

/** Everything that can be done, and can fail, before the transaction. */
export async function prepareVersion(ctx: Context, accountId: string, name: string, input: VersionInput): Promise<VersionDraft> {
  const content = parseContent(input);
  const config = serialiseConfig(input.config);
  assertPlainText('/message', input.message);
  const labels = [...(input.labels ?? [])].sort();
  if (labels.includes('latest')) throw invalidField('/labels', 'latest always is the newest version and cannot be set');
  const analysis = await analyseContent(ctx, content);
  const graph = await loadPartials(ctx, accountId, analysis.partials);
  return { content, config, message: input.message ?? '', labels, analysis, graph, warnings: warningsOf(analysis, graph, name) };
}

/** Writes a draft as a version of the prompt, moves its labels and records both. Runs inside a transaction. */
export async function insertVersion(
  stores: PromptStores,
  editor: Editor,
  prompt: PromptRecord,
  draft: VersionDraft,
  createdAt: string,
): Promise<Version> {
  const { accountId } = editor;
  const { analysis, content, config, message, labels } = draft;
  const record: VersionRecord = {
    promptId: prompt.id,
    version: prompt.latestVersion,
    content: serialiseContent(content),
    config,
    variables: JSON.stringify(analysis.variables),
    partials: JSON.stringify(analysis.partials),
    message,
    createdAt,
  };
  await stores.versions.insert(accountId, record);
  if (record.version > 1) await recordEvent(stores, editor, prompt.id, { type: 'version_saved', version: record.version, message });
  for (const label of labels) await putLabel(stores, editor, prompt.id, label, record.version);
  return presentVersion(prompt, record, labels, mergeVariables(analysis, draft.graph));
}

/** Points a label at a version and records it, unless it points there already. Runs inside a transaction. */
export async function putLabel(stores: PromptStores, editor: Editor, promptId: string, label: string, version: number): Promise<void> {
  const labels = await stores.labels.list(editor.accountId, promptId);
  const from = labels.get(label) ?? null;
  if (from === version) return;
  if (from === null && labels.size >= maxLabels) throw invalidField('/labels', `A prompt has at most ${maxLabels} labels`);
  await stores.labels.put(editor.accountId, promptId, label, version);
  await recordEvent(stores, editor, promptId, { type: 'label_moved', label, from, to: version });
}

function warningsOf(analysis: Analysis, graph: PartialGraph, name: string): Warnings {
  const problems = analysis.partials.flatMap((reference) => findPartialProblem([reference], graph, name) ?? []);
  const partials = problems.map((problem) => ({ code: warningCodes[problem.kind], message: describeProblem(problem) }));
  return [
    ...(problems[0]?.kind === 'too_many' ? partials.slice(0, 1) : partials),
    ...analysis.unused.map((variable) => ({ code: 'unused_variable', message: `"${variable}" is assigned and never used` })),
  ];
}

const warningCodes = {
  missing: 'unknown_partial',
  circular: 'circular_partial',
  too_deep: 'deep_partial',
  too_many: 'many_partials',
  not_text: 'chat_partial',
} as const;

import { labelPattern, maxTemplateVariables } from '../../contract/limits.ts';
import type { NewVersion, Variable, Version, Warning } from '../../contract/versions.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { Reference } from '../../store/prompts/references.ts';
import type { VersionRecord } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { toPerson } from '../people.ts';
import { type Analysis, partialKey } from '../templates/types.ts';
import type { PromptChangeStores } from './change-prompts.ts';
import {
  analyzeContent,
  assertPlainText,
  type Content,
  type ContentInput,
  parseContent,
  serializeConfig,
  serializeContent,
} from './content.ts';
import { recordEvent } from './history.ts';
import { assertMovable, putLabel } from './labels.ts';
import { createVariableMerger } from './merge-variables.ts';
import { describeProblem, listPartialProblems, type PartialProblem } from './partial-problems.ts';
import { loadPartials, type PartialGraph } from './partials.ts';
import { toVersion } from './present-version.ts';
import { toStoredName } from './prompt-records.ts';

/** A version to save. `type` is the prompt's, if it exists already. */
type VersionInput = Omit<NewVersion, 'baseVersion'> & Pick<ContentInput, 'type'>;

/** A version that is validated and analyzed, but has no number yet. */
interface VersionDraft {
  content: Content;
  config: string;
  message: string;
  labels: string[];
  analysis: Analysis;
  /** Its variables, and those of the prompts it includes. */
  variables: Variable[];
  warnings: Warning[];
}

/** Validates and analyzes a version before the transaction, to keep that short. */
export async function prepareVersion(ctx: Context, actor: Actor, name: string, input: VersionInput): Promise<VersionDraft> {
  const content = parseContent(input);
  const config = serializeConfig(input.config);
  assertPlainText('/message', input.message);
  const labels = [...(input.labels ?? [])].sort();
  for (const label of labels) assertMovable('/labels', label);
  const analysis = await analyzeContent(ctx, actor, content);
  const graph = await loadPartials(ctx, actor, analysis.partials, { content: true });
  const variables = createVariableMerger(graph)(analysis);
  const warnings = warningsOf({ analysis, graph, variables, name });
  return { content, config, message: input.message ?? '', labels, analysis, variables, warnings };
}

/** Inserts a draft as the prompt's latest version, moves its labels and records both. Runs inside a transaction. */
export async function insertVersion(
  stores: PromptChangeStores,
  actor: Actor,
  prompt: PromptRecord,
  draft: VersionDraft,
  createdAt: string,
): Promise<Version> {
  const { analysis, content, config, message, labels } = draft;
  const record: VersionRecord = {
    promptId: prompt.id,
    version: prompt.latestVersion,
    content: serializeContent(content),
    config,
    variables: JSON.stringify(analysis.variables),
    partials: JSON.stringify(analysis.partials),
    message,
    createdAt,
    by: toPerson(actor),
  };
  await stores.versions.insert(actor.workspaceId, record);
  await stores.references.insert(actor.workspaceId, prompt.id, record.version, referencesOf(analysis));
  if (record.version > 1) await recordEvent(stores, actor, prompt, { type: 'version_saved', version: record.version, message });
  for (const label of labels) await putLabel(stores, actor, prompt, label, record.version);
  const ownLabels = new Map(labels.map((label) => [label, record.version]));
  return toVersion({ prompt, record, labels: ownLabels }, draft.variables);
}

/** Each included prompt once per label, without those that cannot exist: a template may name anything. */
function referencesOf({ partials }: Analysis): Reference[] {
  const possible = partials.filter(({ name, label }) => toStoredName(name) !== undefined && isLabel.test(label));
  return [...new Map(possible.map(({ name, label }) => [partialKey({ name, label }), { name, label }])).values()];
}

const isLabel = new RegExp(labelPattern);

function warningsOf({ analysis, graph, variables, name }: WarningInput): Warning[] {
  const problems = listPartialProblems(analysis.partials, graph, name);
  if (variables.length > maxTemplateVariables && !graph.exceeded) problems.push({ kind: 'too_many_variables' });
  return [
    ...problems.map((problem) => ({ code: warningCodes[problem.kind], message: describeProblem(problem) })),
    ...analysis.unused.map((variable) => ({ code: 'unused_variable', message: `"${variable}" is assigned but never used` })),
  ];
}

interface WarningInput extends Pick<VersionDraft, 'analysis' | 'variables'> {
  graph: PartialGraph;
  name: string;
}

const warningCodes = {
  missing: 'unknown_partial',
  circular: 'circular_partial',
  too_deep: 'deep_partial',
  too_many: 'many_partials',
  too_long: 'long_partials',
  too_many_variables: 'many_variables',
  not_text: 'chat_partial',
} as const satisfies Record<PartialProblem['kind'], string>;

import type { Variable, Version } from '../../contract/versions.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { parseStoredAnalysis, parseStoredConfig, parseStoredContent } from './content.ts';
import { loadPartials, mergeVariables } from './partials.ts';

interface StoredVersion {
  prompt: Pick<PromptRecord, 'name' | 'type'>;
  record: VersionRecord;
  /** All labels of the prompt, with the versions they point at. */
  labels: ReadonlyMap<string, number>;
}

/** A version in the shape of the API, with the variables of all prompts it includes. */
export async function presentVersion(ctx: Context, actor: Actor, stored: StoredVersion): Promise<Version> {
  const analysis = parseStoredAnalysis(stored.record);
  const graph = await loadPartials(ctx, actor, analysis.partials);
  return toVersion(stored, mergeVariables(analysis, graph));
}

/** Several versions in the shape of the API. The prompts they include are loaded together. */
export async function presentVersions(ctx: Context, actor: Actor, items: StoredVersion[]): Promise<Version[]> {
  const analyzed = items.map((stored) => ({ stored, analysis: parseStoredAnalysis(stored.record) }));
  const references = analyzed.flatMap(({ analysis }) => analysis.partials);
  const graph = await loadPartials(ctx, actor, references, items.length);
  return analyzed.map(({ stored, analysis }) => toVersion(stored, mergeVariables(analysis, graph)));
}

/** Combines stored columns and merged variables into the shape of the API. */
export function toVersion({ prompt, record, labels }: StoredVersion, variables: Variable[]): Version {
  const { type, ...content } = parseStoredContent(prompt.type, record.content);
  return {
    name: prompt.name,
    type,
    version: record.version,
    labels: [...labels].filter(([, version]) => version === record.version).map(([label]) => label),
    ...content,
    variables,
    config: parseStoredConfig(record.config),
    message: record.message,
    createdAt: record.createdAt,
  };
}

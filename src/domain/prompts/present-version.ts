import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxTemplateVariables } from '../../contract/limits.ts';
import type { Variable, Version } from '../../contract/versions.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { parseStoredAnalysis, parseStoredConfig, parseStoredContent } from './content.ts';
import { createVariableMerger } from './merge-variables.ts';
import { loadPartials } from './partials.ts';

interface StoredVersion {
  prompt: Pick<PromptRecord, 'name' | 'type'>;
  record: VersionRecord;
  /** All labels of the prompt, with the versions they point at. */
  labels: ReadonlyMap<string, number>;
}

/** A version in the shape of the API, with the variables of all prompts it includes. */
export async function presentVersion(ctx: Context, actor: Actor, stored: StoredVersion): Promise<Version> {
  const analysis = parseStoredAnalysis(stored.record);
  const graph = await loadPartials(ctx, actor, analysis.partials, { content: false });
  return toVersion(stored, createVariableMerger(graph)(analysis));
}

/** Several versions in the shape of the API. The prompts they include are loaded together. */
export async function presentVersions(ctx: Context, actor: Actor, items: StoredVersion[]): Promise<Version[]> {
  const analyzed = items.map((stored) => ({ stored, analysis: parseStoredAnalysis(stored.record) }));
  const references = analyzed.flatMap(({ analysis }) => analysis.partials);
  const graph = await loadPartials(ctx, actor, references, { content: false, templateCount: items.length });
  if (!graph.isComplete && items.length > 1) return presentHalves(ctx, actor, items);
  const mergeVariables = createVariableMerger(graph);
  return analyzed.map(({ stored, analysis }) => toVersion(stored, mergeVariables(analysis)));
}

/** If what a page includes is too much to load together, it is loaded in parts, and other requests run in between. */
async function presentHalves(ctx: Context, actor: Actor, items: StoredVersion[]): Promise<Version[]> {
  const middle = Math.ceil(items.length / 2);
  await nextTurn();
  const first = await presentVersions(ctx, actor, items.slice(0, middle));
  await nextTurn();
  return [...first, ...(await presentVersions(ctx, actor, items.slice(middle)))];
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
    variables: variables.slice(0, maxTemplateVariables),
    config: parseStoredConfig(record.config),
    message: record.message,
    createdAt: record.createdAt,
  };
}

import type { Version } from '../../contract/versions.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { PartialReference, TemplateVariable } from '../templates/types.ts';
import { parseStoredContent } from './content.ts';
import { loadPartials, mergeVariables, type PartialGraph } from './partials.ts';

/** Versions as the API shows them. Variables of prompts they take in are looked up for all of them together. */
export async function presentVersions(
  ctx: Context,
  actor: Actor,
  items: { prompt: Pick<PromptRecord, 'name' | 'type'>; record: VersionRecord; labels: ReadonlyMap<string, number> }[],
): Promise<Version[]> {
  // Both columns are written by insertVersion from an Analysis.
  const analyses = items.map(({ record }) => ({
    variables: JSON.parse(record.variables) as TemplateVariable[],
    partials: JSON.parse(record.partials) as PartialReference[],
  }));
  const references = analyses.flatMap(({ partials }) => partials);
  const graph: PartialGraph = references.length === 0 ? new Map() : await loadPartials(ctx, actor, references, items.length);
  return items.map(({ prompt, record, labels }, index) => {
    const own = [...labels].filter(([, version]) => version === record.version).map(([label]) => label);
    const analysis = analyses[index] ?? { variables: [], partials: [] };
    return presentVersion(prompt, record, own, mergeVariables(analysis, graph));
  });
}

/** A version in the shape of the contract. */
export function presentVersion(
  prompt: Pick<PromptRecord, 'name' | 'type'>,
  record: VersionRecord,
  labels: string[],
  variables: TemplateVariable[],
): Version {
  const { type, ...content } = parseStoredContent(prompt.type, record.content);
  return {
    name: prompt.name,
    type,
    version: record.version,
    labels,
    ...content,
    variables,
    config: JSON.parse(record.config) as Record<string, unknown>,
    message: record.message,
    createdAt: record.createdAt,
  };
}

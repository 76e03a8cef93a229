import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { Version } from '../../../contract/versions.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../../store/prompts/version-rows.ts';
import type { Actor } from '../../actor.ts';
import { createIncludeLoader, loadIncludes, type VersionReader } from '../includes/load-includes.ts';
import { createVariableMerger } from '../includes/merge-variables.ts';
import { parseStoredAnalysis, parseStoredContent } from './version-content.ts';

interface StoredVersion {
  prompt: Pick<PromptRecord, 'name' | 'type'>;
  record: VersionRecord;
  /** All labels of the prompt, with the versions they point at. */
  labels: ReadonlyMap<string, number>;
}

type StoredAnalysis = ReturnType<typeof parseStoredAnalysis>;

/** The maximum number of included prompts that are loaded for a page of a list. */
const maxPageIncludes = 1000;
/** The number of versions whose includes are loaded together. */
const batchSize = 10;

/** Returns a version in the shape of the API, with the variables of all prompts it includes. */
export async function presentVersion(stores: VersionReader, actor: Actor, stored: StoredVersion): Promise<Version> {
  return toVersion(stored, await mergeVariables(stores, actor, parseStoredAnalysis(stored.record)));
}

/** Returns several versions in the shape of the API, but not more than `mergeVariablesOfPage` allows. */
export async function presentVersions(stores: VersionReader, actor: Actor, items: StoredVersion[]): Promise<Version[]> {
  const analyses = items.map(({ record }) => parseStoredAnalysis(record));
  const merged = await mergeVariablesOfPage(stores, actor, analyses);
  return items.slice(0, merged.length).map((stored, index) => toVersion(stored, merged[index] ?? []));
}

/**
 * Returns the variables of several versions. The variables of a version include the variables of all prompts that it includes. Included
 * prompts are loaded together. If they exceed the limits of one response, only the first versions are returned, but at least one.
 */
export async function mergeVariablesOfPage(stores: VersionReader, actor: Actor, analyses: StoredAnalysis[]): Promise<Variable[][]> {
  const loader = createIncludeLoader(stores, actor, { content: false, maxIncludes: maxPageIncludes });
  let count = 0;
  while (count < analyses.length) {
    const batch = analyses.slice(count, count + batchSize);
    if (!(await loader.add(batch.flatMap(({ partials }) => partials)))) break;
    count += batch.length;
  }
  const [first] = analyses;
  if (count === 0 && first) return [await mergeVariables(stores, actor, first)];
  return analyses.slice(0, count).map(createVariableMerger(loader.graph));
}

async function mergeVariables(stores: VersionReader, actor: Actor, analysis: StoredAnalysis): Promise<Variable[]> {
  const graph = await loadIncludes(stores, actor, analysis.partials, { content: false });
  return createVariableMerger(graph)(analysis);
}

/** Combines stored columns and merged variables into the shape of the API. */
export function toVersion({ prompt, record, labels }: StoredVersion, variables: Variable[]): Version {
  const { type, ...content } = parseStoredContent(prompt.type, record);
  return {
    name: prompt.name,
    type,
    version: record.version,
    // A label that was just moved is at the end of the map.
    labels: [...labels]
      .filter(([, version]) => version === record.version)
      .map(([label]) => label)
      .sort(),
    ...content,
    variables: variables.slice(0, maxTemplateVariables),
    config: JSON.parse(record.config),
    message: record.message,
    createdAt: record.createdAt,
    by: record.by,
  };
}

import { latestLabel } from '../../contract/label-names.ts';
import { maxPageBytes } from '../../contract/limits.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import { countDeletedVersions } from '../../store/prompts/deleted-versions.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { sortLike } from './given-order.ts';
import { parseTime } from './parse-filter.ts';
import { assertPlainText } from './versions/version-content.ts';

interface PageRequest {
  page: number;
  limit: number;
  name?: string | undefined;
  label?: string | undefined;
  tag?: string | undefined;
  fromUpdatedAt?: string | undefined;
  toUpdatedAt?: string | undefined;
}

/** The maximum number of versions that are listed per prompt. */
const maxVersions = 1000;

/**
 * Lists the prompts on the page with this number, sorted by name, each with its versions that match the filters. Also returns the total
 * number of prompts.
 */
export async function listNumberedPage(
  { store }: WithStore,
  { workspaceId }: Actor,
  { page, limit, name, label, tag, fromUpdatedAt, toUpdatedAt }: PageRequest,
) {
  for (const [path, text] of Object.entries({ name, label, tag })) assertPlainText(`/${path}`, text);
  const filter = {
    names: name === undefined ? undefined : [normalizeName(name)],
    label,
    tag,
    updatedFrom: parseTime('/fromUpdatedAt', fromUpdatedAt),
    updatedBefore: parseTime('/toUpdatedAt', toUpdatedAt),
  };
  return store.readSnapshot(workspaceId, async ({ prompts, versions: versionStore }) => {
    const { prompts: found, total } = await prompts.listNumbered(workspaceId, { ...filter, sort: 'name', limit }, (page - 1) * limit);
    const overviews = await prompts.describe(workspaceId, found);
    const orders = await prompts.listGivenOrder(
      workspaceId,
      found.map(({ id }) => id),
    );
    const shown = overviews.map((prompt) => ({
      prompt,
      versions: label === undefined ? numbersOf(prompt, found.length) : labeledOf(prompt, label),
    }));
    const newest = shown.flatMap(({ prompt, versions: [version] }) => (version === undefined ? [] : [{ promptId: prompt.id, version }]));
    const configs = await versionStore.listConfigs(workspaceId, newest);
    let bytes = 0;
    // Unlike other pages, a numbered page cannot end early, because the next page starts at a fixed position.
    const toConfig = (config = '{}') => {
      bytes += config.length;
      return bytes <= maxPageBytes ? config : 'null';
    };
    return {
      prompts: shown.map(({ prompt, versions }) => ({
        prompt: { ...prompt, tags: sortLike(prompt.tags, orders.get(prompt.id)?.tags) },
        versions: versions.toReversed(),
        labels: sortLike(
          label === undefined ? [...Object.keys(prompt.labels), latestLabel] : labelsOf(prompt, versions),
          orders.get(prompt.id)?.labels,
        ),
        /** The config of the newest listed version, as JSON. Null if the config would make the page too large. */
        lastConfig: versions.length === 0 ? 'null' : toConfig(configs.get(prompt.id)),
      })),
      total,
    };
  });
}

/**
 * Lists the newest version numbers, newest first, without deleted versions. The list ends where it is no longer known which versions were
 * deleted.
 */
function numbersOf({ latestVersion, deletedVersions }: PromptOverview, prompts: number): number[] {
  const deleted = new Set(deletedVersions);
  const end = deletedVersions.length < countDeletedVersions(prompts) ? 0 : (deletedVersions[0] ?? 0);
  const numbers: number[] = [];
  for (let version = latestVersion; version > end && numbers.length < maxVersions; version -= 1) {
    if (!deleted.has(version)) numbers.push(version);
  }
  return numbers;
}

/** Returns the version that a label points at, if the prompt has the label. */
function labeledOf({ latestVersion, labels }: PromptOverview, label: string): number[] {
  if (label === latestLabel) return [latestVersion];
  return Object.hasOwn(labels, label) ? [labels[label] ?? 0] : [];
}

/** Returns the labels that point at one of the versions, including `latest`. */
function labelsOf({ labels, latestVersion }: PromptOverview, versions: number[]): string[] {
  const shown = new Set(versions);
  return Object.entries({ ...labels, [latestLabel]: latestVersion })
    .filter(([, version]) => shown.has(version))
    .map(([label]) => label);
}

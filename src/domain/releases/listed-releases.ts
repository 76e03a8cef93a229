import type { Caller } from '../../contract/release-assignment.ts';
import type { ListedRelease } from '../../contract/releases.ts';
import type { Version } from '../../contract/versions.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { VersionRecord } from '../../store/prompts/version-rows.ts';
import type { Actor } from '../actor.ts';
import { presentVersion, presentVersions } from '../prompts/versions/present-version.ts';
import { chooseVersion } from './release-choice.ts';
import { toRelease } from './release-states.ts';

type ReleaseReader = Pick<PromptStores, 'releases' | 'versions'>;

/** The releases of a list of prompts, by prompt id, with the number of bytes that each release adds to the list. */
export type FoundReleases = ReadonlyMap<string, { record: ReleaseRecord; bytes: number }>;

/** Finds the active releases of a label, and the sizes of their versions. */
export async function findReleases(
  { releases, versions }: ReleaseReader,
  { workspaceId }: Actor,
  prompts: Pick<PromptRecord, 'id'>[],
  label: string,
): Promise<FoundReleases> {
  const ids = prompts.map(({ id }) => id);
  const records = await releases.listActive(workspaceId, ids, label);
  const sizes = Map.groupBy(await versions.listGivenSizes(workspaceId, records.flatMap(armsOf)), ({ promptId }) => promptId);
  return new Map(
    records.map((record) => {
      const { promptId, split } = record;
      const bytes = (sizes.get(promptId) ?? []).reduce((sum, size) => sum + size.bytes, JSON.stringify(split).length);
      return [promptId, { record, bytes }];
    }),
  );
}

/** A listed prompt that has a release. */
interface ReleasedPrompt {
  prompt: Pick<PromptRecord, 'name' | 'type'>;
  labels: ReadonlyMap<string, number>;
  record: ReleaseRecord;
}

/**
 * Returns releases in the shape of the API, by prompt name. If their versions do not all fit into one response, only the first releases are
 * returned, but at least one.
 */
export async function presentReleases(stores: ReleaseReader, actor: Actor, prompts: ReleasedPrompt[]): Promise<Map<string, ListedRelease>> {
  const arms = prompts.flatMap(({ record }) => armsOf(record));
  const found = Map.groupBy(await stores.versions.listGiven(actor.workspaceId, arms), ({ promptId }) => promptId);
  const groups = prompts.map((released) => ({ released, items: toItems(released, found.get(released.record.promptId) ?? []) }));
  const items = groups.flatMap((group) => group.items);
  const presented = await presentVersions(stores, actor, items);
  const releases = new Map<string, ListedRelease>();
  for (const { released, items } of groups) {
    const versions = presented.splice(0, items.length);
    if (versions.length < items.length && releases.size > 0) break;
    for (const item of items.slice(versions.length)) versions.push(await presentVersion(stores, actor, item));
    releases.set(released.prompt.name, toListed(released.record, versions));
  }
  return releases;
}

/** Returns the version of a listed prompt that a caller gets. `labeled` is the version at the label, which is the control. */
export function chooseListed(labeled: Version, release: ListedRelease, caller: Caller): Version {
  const chosen = chooseVersion(release, caller);
  const version = [labeled, ...release.versions].find((candidate) => candidate.version === chosen.version);
  return version ? { ...version, release: chosen.release } : labeled;
}

function armsOf({ promptId, split }: ReleaseRecord): { promptId: string; version: number }[] {
  return split.arms.map(({ version }) => ({ promptId, version }));
}

function toItems({ prompt, labels, record }: ReleasedPrompt, found: VersionRecord[]) {
  return record.split.arms.flatMap(({ version }) => {
    const arm = found.find((candidate) => candidate.version === version);
    return arm ? [{ prompt, record: arm, labels }] : [];
  });
}

function toListed(record: ReleaseRecord, versions: Version[]): ListedRelease {
  const { id, salt, control, arms, rules } = toRelease(record);
  return { id, salt, control, arms, rules, versions };
}

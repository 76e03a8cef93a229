import { productionLabel } from '../../contract/label-names.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import type { Person } from '../../contract/people.ts';
import type { ListedPrompt, PromptListQuery, SearchMatch } from '../../contract/prompts.ts';
import type { Version } from '../../contract/versions.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import { type PromptQuery, positionOf } from '../../store/prompts/prompt-query.ts';
import type { PromptOverview, PromptRecord } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { readLabelReleases } from '../releases/label-releases.ts';
import type { VersionReader } from './includes/load-includes.ts';
import { parseFilter } from './parse-filter.ts';
import { binStart, toPrompt } from './prompts.ts';
import { findMatchingVersions, listMatches } from './search-prompts.ts';
import { readUsage } from './usage.ts';
import { presentVersions } from './versions/present-version.ts';

/** Lists a page of the workspace's prompts. If the query includes content, each prompt has its labeled version. */
export async function listPrompts(ctx: WithStore, actor: Actor, query: PromptListQuery): Promise<Page<ListedPrompt>> {
  const { include, sort = 'name', limit = defaultPageLimit, label = productionLabel } = query;
  const deleted = query.deleted === 'true';
  const kind = deleted ? 'bin' : sort;
  const deletedAfter = deleted ? binStart(new Date()).toISOString() : undefined;
  const filter = { ...parseFilter(query), after: parsePosition(kind, query.cursor), sort, deleted, deletedAfter, limit: limit + 1 };
  const page = await ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const page = await readPage(stores, actor, filter, { limit, contentLabel: include === 'content' && !deleted ? label : undefined });
    const authors = include === 'author' ? await stores.authors.findAuthors(actor.workspaceId, page.overviews) : undefined;
    const ids = page.overviews.map(({ id }) => id);
    const releases = include === 'content' || deleted ? undefined : await readLabelReleases(stores, actor.workspaceId, ids);
    return { ...page, authors, releases };
  });
  const ids = page.overviews.map(({ id }) => id);
  const usage = include === 'usage' && !deleted ? await readUsage(ctx, actor, ids) : undefined;
  const deletions = deleted ? await readDeletions(ctx, actor, ids) : undefined;
  const position = page.last && positionOf(page.last, filter);
  return {
    data: page.overviews.map((overview) => ({
      ...toPrompt(overview),
      ...(overview.deletedAt !== null && { deletedAt: overview.deletedAt }),
      ...deletions?.get(overview.id),
      ...(page.versions && { version: page.versions.get(overview.name) ?? null }),
      ...(page.authors && { author: page.authors.get(overview.id) }),
      ...(page.matches && { matches: page.matches.get(overview.id) ?? [] }),
      ...(page.releases?.has(overview.id) && { releases: page.releases.get(overview.id) }),
      ...(usage && { usage: usage.get(overview.id) ?? { callsLast24Hours: 0, lastUsedAt: null } }),
    })),
    nextCursor: position ? encodeCursor(kind, [position.value, position.id]) : null,
  };
}

/** Reads when prompts in the bin were deleted. The deletion is always the last change, because prompts in the bin cannot be changed. */
async function readDeletions({ store }: WithStore, { workspaceId }: Actor, ids: string[]): Promise<Map<string, { deletedBy: Person }>> {
  const people = await store.read(workspaceId).history.findLastPeople(workspaceId, ids);
  return new Map([...people].map(([id, deletedBy]) => [id, { deletedBy }]));
}

function parsePosition(kind: string, cursor: string | undefined): PromptQuery['after'] {
  const [value, id] = cursor === undefined ? [] : decodeCursor(kind, 2, cursor);
  return value === undefined || id === undefined ? undefined : { value, id };
}

/**
 * Reads a page of prompts. If the query requests content, includes the versions by prompt name. If the query is a search, includes the
 * matches.
 */
async function readPage(
  stores: ReadingStores,
  actor: Actor,
  filter: PromptQuery,
  { limit, contentLabel }: { limit: number; contentLabel: string | undefined },
): Promise<PromptPage> {
  const { workspaceId } = actor;
  const found = await stores.prompts.list(workspaceId, filter);
  if (filter.search) return readSearchPage(stores, actor, found, { search: filter.search, searchIn: filter.searchIn, limit, contentLabel });
  if (contentLabel === undefined) {
    const { shown, last } = splitPage(found, limit);
    return { overviews: await stores.prompts.describe(workspaceId, shown), last };
  }
  const sizes = await stores.versions.listLabeledSizes(workspaceId, found, contentLabel);
  const { shown, last } = splitPage(found, limit, (prompt) => sizes.get(prompt.name) ?? 0);
  return addVersions(stores, actor, { overviews: await stores.prompts.describe(workspaceId, shown), last }, contentLabel);
}

/** A page of prompts. `last` is the prompt after which the next page begins, if there is one. */
interface PromptPage {
  overviews: PromptOverview[];
  last: PromptRecord | undefined;
  versions?: Map<string, Version>;
  matches?: Map<string, SearchMatch[]>;
}

/** Reads the matches for a page of search results. The content of the matching versions counts toward the size of the page. */
async function readSearchPage(
  stores: ReadingStores,
  actor: Actor,
  found: PromptRecord[],
  { limit, contentLabel, ...search }: { limit: number; contentLabel: string | undefined; search: string; searchIn: 'name' | undefined },
): Promise<PromptPage> {
  const { workspaceId } = actor;
  const prompts = await stores.prompts.describe(workspaceId, found);
  const versions = await findMatchingVersions(stores, actor, prompts, search);
  const sizes = contentLabel === undefined ? undefined : await stores.versions.listLabeledSizes(workspaceId, found, contentLabel);
  const { shown, last } = splitPage(prompts, limit, ({ id, name }) => (versions.get(id)?.bytes ?? 0) + (sizes?.get(name) ?? 0));
  const matches = await listMatches(stores, actor, shown, { ...search, versions });
  const page = { overviews: shown.filter(({ id }) => matches.has(id)), last, matches };
  return contentLabel === undefined ? page : addVersions(stores, actor, page, contentLabel);
}

/** Adds the labeled versions to a page. If they do not all fit, the page ends earlier. */
async function addVersions(stores: ReadingStores, actor: Actor, page: PromptPage, label: string): Promise<PromptPage> {
  const { overviews, last } = page;
  const { versions, count } = await findVersions(stores, actor, overviews, label);
  return { ...page, overviews: overviews.slice(0, count), versions, last: count < overviews.length ? overviews[count - 1] : last };
}

/** Finds the labeled versions by prompt name, and how many prompts fit into one response together with their versions. */
async function findVersions(
  stores: VersionReader,
  actor: Actor,
  overviews: PromptOverview[],
  label: string,
): Promise<{ versions: Map<string, Version>; count: number }> {
  const found = await stores.versions.listLabeled(actor.workspaceId, overviews, label);
  const recordsByName = new Map(found.map((record) => [record.name, record]));
  const items = overviews.flatMap(({ name, labels }) => {
    const record = recordsByName.get(name);
    return record ? [{ prompt: record, record, labels: new Map(Object.entries(labels)) }] : [];
  });
  const versions = await presentVersions(stores, actor, items);
  const next = items[versions.length]?.prompt.name;
  return {
    versions: new Map(versions.map((version) => [version.name, version])),
    count: next === undefined ? overviews.length : overviews.findIndex(({ name }) => name === next),
  };
}

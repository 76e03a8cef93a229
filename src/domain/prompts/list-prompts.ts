import { productionLabel } from '../../contract/label-names.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import type { Person } from '../../contract/people.ts';
import type { ListedPrompt, PromptListQuery, SearchMatch } from '../../contract/prompts.ts';
import type { Caller } from '../../contract/release-assignment.ts';
import type { ListedRelease } from '../../contract/releases.ts';
import type { Version } from '../../contract/versions.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import { type PromptQuery, positionOf } from '../../store/prompts/prompt-query.ts';
import type { PromptOverview, PromptRecord } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { readLabelReleases } from '../releases/label-releases.ts';
import { chooseListed, type FoundReleases, findReleases, presentReleases } from '../releases/listed-releases.ts';
import { parseFilter } from './parse-filter.ts';
import { binStart, toPrompt } from './prompts.ts';
import { findMatchingVersions, listMatches } from './search-prompts.ts';
import { readUsage } from './usage.ts';
import { presentVersions } from './versions/present-version.ts';

/**
 * Lists a page of the workspace's prompts. If the query includes content, each prompt has its labeled version, or the version that a
 * release of the label chooses for the caller.
 */
export async function listPrompts(ctx: WithStore, actor: Actor, query: PromptListQuery, caller: Caller = {}): Promise<Page<ListedPrompt>> {
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
      ...(page.contents && toListedContent(page.contents.get(overview.name), caller)),
      ...(page.authors && { author: page.authors.get(overview.id) }),
      ...(page.matches && { matches: page.matches.get(overview.id) ?? [] }),
      ...(page.releases?.has(overview.id) && { releases: page.releases.get(overview.id) }),
      ...(usage && { usage: usage.get(overview.id) ?? { callsLast24Hours: 0, lastUsedAt: null } }),
    })),
    nextCursor: position ? encodeCursor(kind, [position.value, position.id]) : null,
  };
}

function toListedContent(content: ListedContent | undefined, caller: Caller): Pick<ListedPrompt, 'version' | 'release'> {
  if (!content?.release) return { version: content?.version ?? null };
  return { version: chooseListed(content.version, content.release, caller), release: content.release };
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
  const content = await measureContent(stores, actor, found, contentLabel);
  const { shown, last } = splitPage(found, limit, content.bytesOf);
  return addContents(stores, actor, { overviews: await stores.prompts.describe(workspaceId, shown), last }, content);
}

/** A page of prompts. `last` is the prompt after which the next page begins, if there is one. */
interface PromptPage {
  overviews: PromptOverview[];
  last: PromptRecord | undefined;
  contents?: Map<string, ListedContent>;
  matches?: Map<string, SearchMatch[]>;
}

/** The labeled version of a prompt, and the release of the label. */
interface ListedContent {
  version: Version;
  release: ListedRelease | undefined;
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
  const content = contentLabel === undefined ? undefined : await measureContent(stores, actor, found, contentLabel);
  const { shown, last } = splitPage(prompts, limit, (prompt) => (versions.get(prompt.id)?.bytes ?? 0) + (content?.bytesOf(prompt) ?? 0));
  const matches = await listMatches(stores, actor, shown, { ...search, versions });
  const page = { overviews: shown.filter(({ id }) => matches.has(id)), last, matches };
  return content ? addContents(stores, actor, page, content) : page;
}

type Measured = Awaited<ReturnType<typeof measureContent>>;

/** Finds the sizes of the labeled versions and of the releases of the label, without reading their content. */
async function measureContent(stores: ReadingStores, actor: Actor, prompts: PromptRecord[], label: string) {
  const sizes = await stores.versions.listLabeledSizes(actor.workspaceId, prompts, label);
  const releases = await findReleases(stores, actor, prompts, label);
  const bytesOf = ({ id, name }: PromptRecord) => (sizes.get(name) ?? 0) + (releases.get(id)?.bytes ?? 0);
  return { label, releases, bytesOf };
}

/** Adds the labeled versions and the releases to a page. If they do not all fit, the page ends earlier. */
async function addContents(stores: ReadingStores, actor: Actor, page: PromptPage, { label, releases }: Measured): Promise<PromptPage> {
  const { overviews, last } = page;
  const { contents, count } = await findContents(stores, actor, overviews, { label, releases });
  return { ...page, overviews: overviews.slice(0, count), contents, last: count < overviews.length ? overviews[count - 1] : last };
}

/** Finds the labeled versions and the releases by prompt name, and how many prompts fit into one response together with them. */
async function findContents(
  stores: ReadingStores,
  actor: Actor,
  overviews: PromptOverview[],
  { label, releases }: { label: string; releases: FoundReleases },
): Promise<{ contents: Map<string, ListedContent>; count: number }> {
  const found = await stores.versions.listLabeled(actor.workspaceId, overviews, label);
  const recordsByName = new Map(found.map((record) => [record.name, record]));
  const items = overviews.flatMap(({ id, name, labels }) => {
    const record = recordsByName.get(name);
    return record ? [{ prompt: record, record, labels: new Map(Object.entries(labels)), release: releases.get(id)?.record }] : [];
  });
  const versions = await presentVersions(stores, actor, items);
  const released = items.slice(0, versions.length).flatMap(({ release, ...item }) => (release ? [{ ...item, record: release }] : []));
  const listed = await presentReleases(stores, actor, released);
  const left = released[listed.size]?.prompt.name;
  const shown =
    left === undefined
      ? versions
      : versions.slice(
          0,
          versions.findIndex(({ name }) => name === left),
        );
  const next = items[shown.length]?.prompt.name;
  return {
    contents: new Map(shown.map((version) => [version.name, { version, release: listed.get(version.name) }])),
    count: next === undefined ? overviews.length : overviews.findIndex(({ name }) => name === next),
  };
}

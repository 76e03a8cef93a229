import type { FolderList } from '../../contract/folders.ts';
import { maxFolders } from '../../contract/limits.ts';
import type { Overview, OverviewQuery } from '../../contract/overview.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { parseFilter } from './parse-filter.ts';

const maxNames = 500;
const maxAuthors = 100;

/** Returns how many of a workspace's prompts match the filters, and which tags, labels and authors they have. */
export async function getOverview({ store }: WithStore, { workspaceId }: Actor, query: OverviewQuery): Promise<Overview> {
  const filter = parseFilter(query);
  return store.readSnapshot(workspaceId, async ({ prompts, authors }) => ({
    prompts: await prompts.count(workspaceId, filter),
    tags: await prompts.listTags(workspaceId, maxNames),
    labels: await prompts.listLabels(workspaceId, maxNames),
    authors: await authors.listAuthors(workspaceId, maxAuthors),
  }));
}

/** Lists the folders of a workspace that directly contain prompts. */
export async function listFolders({ store }: WithStore, { workspaceId }: Actor): Promise<FolderList> {
  const found = await store.read(workspaceId).prompts.listFolders(workspaceId);
  return { data: found.slice(0, maxFolders), complete: found.length <= maxFolders };
}

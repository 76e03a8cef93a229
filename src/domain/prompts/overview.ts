import type { Overview, OverviewQuery } from '../../contract/overview.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { assertPlainText } from './versions/version-content.ts';

const maxNames = 500;

/** Returns how many prompts a workspace or a folder contains, and which tags and labels are in use. */
export async function getOverview({ store }: WithStore, { workspaceId }: Actor, query: OverviewQuery): Promise<Overview> {
  const folder = parseFolder(query.folder);
  return store.readSnapshot(workspaceId, async ({ prompts }) => ({
    prompts: await prompts.count(workspaceId, folder),
    tags: await prompts.listTags(workspaceId, maxNames),
    labels: await prompts.listLabels(workspaceId, maxNames),
  }));
}

/** Returns a folder in the form in which names are stored, or undefined for the top folder. */
export function parseFolder(text: string | undefined): string | undefined {
  const folder = text && normalizeName(text).replace(/\/+$/, '');
  assertPlainText('/folder', folder);
  return folder || undefined;
}

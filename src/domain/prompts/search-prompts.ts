import type { SearchMatch } from '../../contract/prompts.ts';
import { foldText, listVersionTexts } from '../../contract/searched-texts.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { PromptQuery } from '../../store/prompts/prompt-query.ts';
import type { VersionKey } from '../../store/prompts/prompt-texts.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { Actor } from '../actor.ts';
import { findMatches } from './find-matches.ts';

type Search = Pick<PromptQuery, 'searchIn'> & { search: string };
/** The newest matching version of each prompt, by prompt id, with the size of its content. */
type MatchingVersions = Map<string, VersionKey & { bytes: number }>;

const maxMatches = 5;

/**
 * Finds the version of each prompt in which to show matches. Texts of versions that are neither the newest nor labeled are ignored. An
 * instance of an earlier version of the service may have left such texts behind.
 */
export async function findMatchingVersions(
  { texts }: ReadingStores,
  { workspaceId }: Actor,
  prompts: PromptOverview[],
  { search, searchIn }: Search,
): Promise<MatchingVersions> {
  const found: MatchingVersions = new Map();
  if (searchIn === 'name') return found;
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  for (const matching of await texts.listMatching(workspaceId, [...byId.keys()], foldText(search))) {
    const prompt = byId.get(matching.promptId);
    const isCurrent = prompt && [prompt.latestVersion, ...Object.values(prompt.labels)].includes(matching.version);
    if (isCurrent && matching.version > (found.get(prompt.id)?.version ?? 0)) found.set(prompt.id, matching);
  }
  return found;
}

/** Lists the matches of each prompt by its id. The result does not contain prompts without matches. */
export async function listMatches(
  { texts }: ReadingStores,
  { workspaceId }: Actor,
  prompts: PromptOverview[],
  { search, searchIn, versions }: Search & { versions: MatchingVersions },
): Promise<Map<string, SearchMatch[]>> {
  const shown = prompts.flatMap(({ id }) => versions.get(id) ?? []);
  const contents = await texts.listContents(workspaceId, shown);
  const contentsById = new Map(contents.map((content) => [content.promptId, content]));
  const matches = new Map<string, SearchMatch[]>();
  for (const { id, name, description } of prompts) {
    const own = [{ path: '/name', text: name }, ...(searchIn === 'name' ? [] : [{ path: '/description', text: description }])];
    const found: SearchMatch[] = findMatches(own, search, maxMatches);
    const content = contentsById.get(id);
    if (content) {
      const inVersion = findMatches(listVersionTexts(content), search, maxMatches - found.length);
      found.push(...inVersion.map((match) => ({ version: content.version, ...match })));
    }
    if (found.length > 0) matches.set(id, found);
  }
  return matches;
}

import { ApiError } from '../../../client/src/errors.ts';
import { contentOf, type Draft, parseConfig } from '../editor/drafts/draft.ts';
import { describeSaveError } from '../editor/save-errors.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Candidate, Prompt, SavedCandidate, SavedVersion } from '../lib/types.ts';
import { promptQuery, refreshPrompts } from '../prompts/queries.ts';
import { refreshProposals } from '../proposals/queries.ts';
import { toast } from '../ui/toasts.ts';
import { candidateQuery } from './queries.ts';

/** The title, the message and the base version of a candidate. */
export type CandidateDetails = Pick<Candidate, 'title' | 'message' | 'baseVersion'>;

export async function createCandidate({ name, type }: Prompt, draft: Draft, details: CandidateDetails): Promise<Candidate> {
  return keep(name, await call('createCandidate', { path: { name }, body: { ...toContent(type, draft), ...details } }));
}

/** Replaces the content. If the candidate is no longer at the given revision, the service refuses this with `candidate_changed`. */
export async function saveCandidate(
  { name, type, id }: Candidate,
  draft: Draft,
  details: CandidateDetails & { revision: number },
): Promise<Candidate> {
  return keep(name, await call('changeCandidate', { path: { name, id }, body: { ...toContent(type, draft), ...details } }));
}

/** Makes a version from a candidate. The service refuses this if something would fail for callers, unless `strict` is false. */
export async function applyCandidate({ name, id, revision }: Candidate, { strict }: { strict: boolean }): Promise<SavedVersion> {
  const query = strict ? ({ strict: 'true' } as const) : {};
  const saved = await call('applyCandidate', { path: { name, id }, query, body: { revision } });
  // The cache is updated before the refetch, so that Deploy offers the new version right away.
  queryClient.setQueryData(promptQuery(name).queryKey, (prompt) => prompt && { ...prompt, latestVersion: saved.version });
  await refreshPrompts();
  return saved;
}

export async function deleteCandidate({ name, id, title }: Candidate): Promise<void> {
  await call('deleteCandidate', { path: { name, id } });
  toast(`Candidate “${title}” deleted.`);
}

/** Returns the text to show when an action on a candidate is refused. */
export function describeCandidateError(error: unknown): string {
  return (error instanceof ApiError && refusals[error.code ?? '']) || describeSaveError(error);
}

const refusals: Record<string, string> = {
  candidate_changed: 'Someone changed this candidate in the meantime. Look at it again, then decide.',
  candidate_not_found: 'This candidate no longer exists. Someone deleted it or made a version from it.',
  version_conflict: 'A newer version was saved after this candidate was started. Merge it into the candidate first.',
};

function toContent(type: Prompt['type'], draft: Draft) {
  return { ...contentOf(type, draft), config: parseConfig(draft.config).config };
}

/** Returns a saved candidate, and keeps it in the cache, so that it is shown before it is fetched again. */
function keep(name: string, { warnings, ...candidate }: SavedCandidate): Candidate {
  queryClient.setQueryData(candidateQuery(name, candidate.id).queryKey, candidate);
  void refreshProposals();
  for (const { message } of warnings) toast(`Note: ${message}`);
  return candidate;
}

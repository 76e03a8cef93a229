import { useNavigate } from '@tanstack/react-router';
import { draftOf } from '../editor/draft.ts';
import type { Work } from '../editor/use-draft.ts';
import type { PreviewState } from '../editor/use-preview.ts';
import { messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Content, Prompt, Run } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import { toastFailure, useOwnToast } from '../ui/toasts.ts';
import type { RunPlace } from './use-run-session.ts';

interface Editor {
  prompt: Prompt;
  work: Work;
  preview: PreviewState;
  place: RunPlace;
}

/** Puts the content, the values and the model of an earlier run into the editor. */
export function useOpenRun({ prompt, work, preview, place }: Editor): (run: Run) => Promise<void> {
  const navigate = useNavigate();
  const toastHere = useOwnToast();
  return async (run) => {
    try {
      const content = await loadContent(prompt.name, run);
      const before = { draft: work.draft, entries: preview.entries };
      if (content) work.setDraft(draftOf(content));
      preview.setEntries(Object.fromEntries(Object.entries(run.variables).map(([name, value]) => [name, { isGiven: true, value }])));
      place.session.choice = { connection: run.connection.id, model: run.model };
      place.show(true);
      const undo = () => {
        work.setDraft(before.draft);
        preview.setEntries(before.entries);
      };
      toastHere('Opened the run in the editor.', { undo });
      await navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: {} });
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };
}

async function loadContent(name: string, { draft, version }: Run): Promise<Content | undefined> {
  if (draft) return { syntax: 'liquid', ...draft };
  return version === null ? undefined : queryClient.ensureQueryData(versionQuery(name, version));
}

import { draftOf } from '../editor/drafts/draft.ts';
import type { Work } from '../editor/drafts/use-draft.ts';
import type { PreviewState } from '../editor/preview/use-preview.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Content, Run } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import type { toast } from '../ui/toasts.ts';
import type { RunPlace } from './use-run-session.ts';

/** The editor on the page of a prompt. */
export interface Editor {
  work: Work;
  preview: PreviewState;
  place: RunPlace;
  /** Shows a message that disappears with the editor. */
  toast: typeof toast;
}

/** Loads the content, the values and the model of an earlier run into the editor. */
export async function openRun({ work, preview, place, toast }: Editor, promptName: string, run: Run): Promise<void> {
  const content = await loadContent(promptName, run);
  const before = { draft: work.draft, entries: preview.entries };
  if (content) work.setDraft(draftOf(content));
  preview.setEntries(Object.fromEntries(Object.entries(run.variables).map(([name, value]) => [name, { isGiven: true, value }])));
  place.session.choice = { connection: run.connection.id, model: run.model };
  place.show(true);
  const undo = () => {
    work.setDraft(before.draft);
    preview.setEntries(before.entries);
  };
  toast('Opened the run in the editor.', { undo });
}

async function loadContent(name: string, { draft, version }: Run): Promise<Content | undefined> {
  if (draft) {
    const { declarations: variables = [], ...content } = draft;
    return { syntax: 'liquid', ...content, variables };
  }
  return version === null ? undefined : queryClient.ensureQueryData(versionQuery(name, version));
}

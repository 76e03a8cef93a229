import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Draft, emptyDraft, isSameDraft } from '../editor/drafts/draft.ts';
import { draftKey, type NewPromptDetails, readDraft, restoreDraft } from '../editor/drafts/stored-drafts.ts';
import { useStoredDraft } from '../editor/drafts/use-draft.ts';
import { sessionQuery } from '../lib/session.ts';

const firstDraft: Draft = { ...emptyDraft, syntax: 'liquid', messages: [{ role: 'system', content: '' }], config: '{}' };

interface NewPrompt {
  details: NewPromptDetails;
  draft: Draft;
}

/**
 * A prompt that does not exist yet. Like other drafts, the prompt is stored in the browser until it is saved or discarded. A prompt that
 * starts with a name, because another prompt includes it, has a separate draft.
 */
export function useNewPrompt({ folder, name }: { folder?: string; name?: string }) {
  const { data: user } = useQuery(sessionQuery);
  const userId = user?.userId ?? '';
  const [key] = useState(() => draftKey(userId, name === undefined ? 'new' : `new ${name}`));
  const [stored] = useState(() => {
    const found = readDraft(key);
    return found && { ...found, draft: restoreDraft(found.draft, firstDraft) };
  });
  const [empty] = useState<NewPrompt>({
    details: { type: 'text', name: name ?? (folder === undefined ? '' : `${folder}/`), description: '', tags: '' },
    draft: firstDraft,
  });
  const [details, setDetails] = useState(stored?.details ?? empty.details);
  const [draft, setDraft] = useState(stored?.draft ?? empty.draft);
  const [restoredAt, setRestoredAt] = useState(stored?.at);
  const isDirty = !isSameDraft(draft, empty.draft) || hasText(details, empty.details);
  const isStored = useStoredDraft({ key, base: 0, draft, details, isDirty, stored });

  /** Replaces all content. Returns a function that restores the previous content. */
  const replace = (next: NewPrompt) => {
    const assign = (prompt: NewPrompt) => {
      setDetails(prompt.details);
      setDraft(prompt.draft);
      setRestoredAt(undefined);
    };
    assign(next);
    return () => assign({ details, draft });
  };

  return {
    userId,
    key,
    details,
    setDetails,
    draft,
    setDraft,
    isDirty,
    isStored,
    restoredAt,
    dismissRestored: () => setRestoredAt(undefined),
    replace,
    discard: () => replace({ details: { ...empty.details, type: details.type }, draft: empty.draft }),
  };
}

function hasText(details: NewPromptDetails, empty: NewPromptDetails): boolean {
  return details.name !== empty.name || details.description !== '' || details.tags !== '';
}

import { useMemo, useState } from 'react';
import type { PromptType, Version } from '../../lib/types.ts';
import { type Draft, draftOf, emptyDraft } from '../drafts/draft.ts';
import type { Work } from '../drafts/use-draft.ts';
import { type Choice, type Conflict, composeDraft, mergeDrafts, type Part } from './merge-drafts.ts';

type ConflictPart = Part & { conflict: Conflict };

/**
 * The base to use if the version on which a draft is based no longer exists. The user then decides about every difference between the
 * sides.
 */
const unknownBase: Draft = { ...emptyDraft, config: '{}' };

/**
 * Merges the draft with another version, and keeps the user's choices for conflicts. The choices are discarded when either side changes.
 */
export function useMerge(
  type: PromptType,
  { lostBase, saved, draft }: Pick<Work, 'lostBase' | 'saved' | 'draft'>,
  theirs: Version | undefined,
) {
  const base = lostBase === undefined ? saved : unknownBase;
  const parts = useMemo(
    () => (theirs ? mergeDrafts(type, { base, mine: draft, theirs: draftOf(theirs) }) : []),
    [type, base, draft, theirs],
  );
  // The choices are keyed by the part's object. A later merge creates new objects, so that earlier choices no longer count.
  const [chosen, setChosen] = useState<ReadonlyMap<Part, Choice>>(new Map());
  const conflicts = parts.filter((part): part is ConflictPart => part.conflict !== undefined);
  return {
    conflicts,
    choices: chosen,
    choose: (part: Part, choice: Choice) => setChosen((before) => new Map(before).set(part, choice)),
    result: theirs && composeDraft(parts, chosen),
  };
}

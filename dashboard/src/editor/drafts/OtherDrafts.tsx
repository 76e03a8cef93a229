import { Files } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import type { PromptType } from '../../lib/types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { toastFailure, useOwnToast } from '../../ui/toasts.ts';
import { ContentComparison } from './ContentComparison.tsx';
import { type Draft, isSameDraft } from './draft.ts';
import { Notice } from './Notices.tsx';
import { deleteDraft, type NewPromptDetails, type OtherDraft, restoreDraft, writeDraft } from './stored-drafts.ts';
import { useOtherDrafts } from './use-draft.ts';

interface OtherDraftsProps {
  ownKey: string;
  type: PromptType;
  /** The content in this tab. */
  here: { title: string; draft: Draft; details?: NewPromptDetails };
  /** What the number of a draft's base counts: the versions of a prompt, or the revisions of a candidate. */
  noun?: 'version' | 'revision';
  /** Whether to show only the drafts of closed tabs. */
  closedOnly?: boolean;
  /** Replaces the content in this tab. Returns a function that restores the previous content. */
  onContinue: (other: OtherDraft) => Promise<() => void>;
}

/** Offers the drafts of other tabs, open or closed. The user can view a draft before continuing with it. */
export function OtherDrafts({ ownKey, type, here, noun = 'version', closedOnly = false, onContinue }: OtherDraftsProps) {
  const { others, refresh } = useOtherDrafts(ownKey);
  const [chosenKey, setChosenKey] = useState<string>();
  const toast = useOwnToast();
  const isHere = ({ draft, details }: OtherDraft) =>
    isSameDraft(restoreDraft(draft, here.draft), here.draft) && JSON.stringify(details) === JSON.stringify(here.details);
  const different = others.filter((other) => !(closedOnly && other.isOpen) && !isHere(other));
  const [newest] = different;
  if (!newest) return null;
  const chosen = different.find(({ key }) => key === chosenKey);
  const close = () => setChosenKey(undefined);

  const restore = (other: OtherDraft) => {
    writeDraft(other.key, other);
    void refresh();
  };
  const continueIt = async (other: OtherDraft) => {
    try {
      const undo = await onContinue(other);
      // An open tab keeps its own draft, and this tab continues with a copy of it.
      if (!other.isOpen) deleteDraft(other.key);
      close();
      await refresh();
      toast(`Continuing the draft from ${formatAgo(other.at)}.`, {
        undo: () => {
          undo();
          if (!other.isOpen) restore(other);
        },
      });
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };
  const discard = async (other: OtherDraft) => {
    deleteDraft(other.key);
    close();
    await refresh();
    toast('Draft discarded.', { undo: () => restore(other) });
  };

  return (
    <>
      <Notice
        tone="neutral"
        action={
          <Button size="sm" onClick={() => setChosenKey(newest.key)}>
            Review
          </Button>
        }
      >
        <Files aria-hidden className="size-4 shrink-0" />
        {summarize(newest, different.length)}
      </Notice>
      {chosen && (
        <Dialog
          open
          wide
          onOpenChange={close}
          title={chosen.isOpen ? 'Unsaved changes in another tab' : 'A draft from a closed tab'}
          description={
            <>
              Last changed <time dateTime={chosen.at}>{formatDateTime(chosen.at)}</time>
              {chosen.base > 0 && `, based on ${noun} ${chosen.base}`}
              {chosen.details && chosen.details.name !== '' && (
                <>
                  , named <span className="wrap-anywhere">{chosen.details.name}</span>
                </>
              )}
              .
            </>
          }
          footer={
            <>
              <Button onClick={close}>Not now</Button>
              {!chosen.isOpen && (
                <Button kind="danger-quiet" onClick={() => discard(chosen)}>
                  Discard
                </Button>
              )}
              <Button kind="primary" onClick={() => continueIt(chosen)}>
                {chosen.isOpen ? 'Copy to this tab' : 'Continue this draft'}
              </Button>
            </>
          }
        >
          {different.length > 1 && (
            <Select aria-label="Draft" className="mb-3" value={chosen.key} onChange={(event) => setChosenKey(event.target.value)}>
              {different.map(({ key, at, isOpen }) => (
                <option key={key} value={key}>
                  {formatDateTime(at)}, {isOpen ? 'another tab' : 'closed tab'}
                </option>
              ))}
            </Select>
          )}
          <ContentComparison
            type={chosen.details?.type ?? type}
            before={here}
            after={{ title: 'The draft', draft: restoreDraft(chosen.draft, here.draft) }}
          />
        </Dialog>
      )}
    </>
  );
}

function summarize({ at, isOpen }: OtherDraft, count: number): string {
  if (count > 1) return `There are ${count} more drafts with unsaved changes, the newest from ${formatAgo(at)}.`;
  return isOpen ? `Another tab has unsaved changes from ${formatAgo(at)}.` : `A closed tab left unsaved changes from ${formatAgo(at)}.`;
}

import { type FormEvent, useId, useState } from 'react';
import { maxCandidateTitleLength, maxVersionMessageLength } from '../../../src/contract/limits.ts';
import { draftOf } from '../editor/drafts/draft.ts';
import type { Candidate } from '../lib/types.ts';
import { refreshProposals } from '../proposals/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { describeCandidateError, saveCandidate } from './actions.ts';

interface DetailsDialogProps {
  candidate: Candidate;
  onClose: () => void;
  onSaved: (candidate: Candidate) => void;
}

/** Changes the name and the message of a candidate, but not its content. */
export function DetailsDialog({ candidate, onClose, onSaved }: DetailsDialogProps) {
  const id = useId();
  const [title, setTitle] = useState(candidate.title);
  const [message, setMessage] = useState(candidate.message);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const { revision, baseVersion } = candidate;
      const details = { title: title.trim(), message: message.trim(), revision, baseVersion };
      onSaved(await saveCandidate(candidate, draftOf(candidate), details));
      onClose();
    } catch (err) {
      setError(describeCandidateError(err));
      setBusy(false);
      await refreshProposals();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Name and message"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} kind="primary" busy={busy} disabled={title.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={save} className="space-y-4" noValidate>
        <FormError>{error}</FormError>
        <Field
          label="Name"
          autoFocus
          maxLength={maxCandidateTitleLength}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Field
          label="What changed?"
          maxLength={maxVersionMessageLength}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          hint="Optional. The version that is made from the candidate gets this message."
        />
      </form>
    </Dialog>
  );
}

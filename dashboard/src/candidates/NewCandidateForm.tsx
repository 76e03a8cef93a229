import { type FormEvent, useState } from 'react';
import { maxCandidateTitleLength, maxVersionMessageLength } from '../../../src/contract/limits.ts';
import { findDraftProblem } from '../editor/drafts/draft.ts';
import type { Work } from '../editor/drafts/use-draft.ts';
import { LabelChanges } from '../editor/labels/LabelChanges.tsx';
import type { Candidate, Prompt } from '../lib/types.ts';
import { Field, FormError } from '../ui/Field.tsx';
import { createCandidate, describeCandidateError } from './actions.ts';

interface NewCandidateFormProps {
  id: string;
  prompt: Prompt;
  work: Work;
  message: string;
  onMessage: (message: string) => void;
  onBusy: (busy: boolean) => void;
  onSaved: (candidate: Candidate) => void;
}

/** Asks for the name of a new candidate with the content of the editor. */
export function NewCandidateForm({ id, prompt, work, message, onMessage, onBusy, onSaved }: NewCandidateFormProps) {
  const [title, setTitle] = useState('');
  const [missing, setMissing] = useState(false);
  const [error, setError] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const problem = findDraftProblem(work.draft);
    setError(problem);
    setMissing(title.trim() === '');
    if (problem !== undefined || title.trim() === '') return;
    onBusy(true);
    try {
      const details = { title: title.trim(), message: message.trim(), baseVersion: work.base.version };
      onSaved(await createCandidate(prompt, work.draft, details));
    } catch (err) {
      setError(describeCandidateError(err));
      onBusy(false);
    }
  };
  return (
    <>
      <form id={id} onSubmit={save} className="mb-5 space-y-4" noValidate>
        <FormError>{error}</FormError>
        <Field
          label="Name"
          autoFocus
          maxLength={maxCandidateTitleLength}
          value={title}
          error={missing ? 'Enter a name' : undefined}
          hint="What the change is about, such as “A warmer tone”."
          onChange={(event) => {
            setTitle(event.target.value);
            setMissing(false);
          }}
        />
        <Field
          label="What changed?"
          maxLength={maxVersionMessageLength}
          value={message}
          onChange={(event) => onMessage(event.target.value)}
          hint="Optional. The version that is made from the candidate gets this message."
        />
        <p className="text-ink-3 text-xs">
          Every editor in the workspace can open and change the candidate. It gets no version number, and applications never receive it.
        </p>
      </form>
      <LabelChanges prompt={prompt} work={work} title="Candidate" labels={[]} />
    </>
  );
}

import { type FormEvent, useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { MentionField } from './MentionField.tsx';

interface CommentFormProps {
  label: string;
  action: string;
  /** Identifies the subject of the comment, so that the text is kept if the form closes before the comment is sent. */
  draftKey: string;
  initial?: string;
  autoFocus?: boolean;
  onSend: (text: string) => Promise<void>;
  onCancel?: (() => void) | undefined;
}

/**
 * The texts that have not been sent yet. They are kept outside the component, because a comparison creates its forms again when it reloads.
 */
const drafts = new Map<string, string>();

/** Asks for the text of a comment. */
export function CommentForm({ label, action, draftKey, initial = '', autoFocus = false, onSend, onCancel }: CommentFormProps) {
  const [text, setText] = useState(drafts.get(draftKey) ?? initial);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const change = (next: string) => {
    drafts.set(draftKey, next);
    setText(next);
  };
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '' || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSend(text);
      drafts.delete(draftKey);
      setText('');
    } catch (err) {
      setError(messageOf(err));
    }
    setBusy(false);
  };
  const cancel =
    onCancel &&
    (() => {
      drafts.delete(draftKey);
      onCancel();
    });
  return (
    <form onSubmit={send} className="max-w-2xl space-y-2">
      <FormError>{error}</FormError>
      <MentionField label={label} value={text} autoFocus={autoFocus} onChange={change} onSubmit={() => void send()} onCancel={cancel} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" kind="primary" busy={busy} disabled={text.trim() === ''}>
          {action}
        </Button>
        {cancel && (
          <Button size="sm" onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

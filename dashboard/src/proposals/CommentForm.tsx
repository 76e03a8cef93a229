import { type FormEvent, useState } from 'react';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { commentOnProposal, describeRefusal } from './actions.ts';
import { TextArea } from './TextArea.tsx';

/** Adds a comment, which decides nothing. */
export function CommentForm({ id }: { id: string }) {
  const canComment = mayEdit(useWorkspace());
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  if (!canComment) return null;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await commentOnProposal({ id }, text);
      setText('');
    } catch (err) {
      setError(describeRefusal(err));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={send} className="max-w-2xl space-y-2">
      <FormError>{error}</FormError>
      <TextArea label="Comment" value={text} onChange={setText} />
      <Button type="submit" busy={busy} disabled={text.trim() === ''}>
        Add comment
      </Button>
    </form>
  );
}

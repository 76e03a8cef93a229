import { useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import type { Prompt } from '../../lib/types.ts';
import { deleteVersion } from '../../prompts/actions.ts';
import { isReleaseRefusal, ReleaseLink } from '../../releases/refusal.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';

interface DeleteVersionDialogProps {
  prompt: Prompt;
  version: number;
  onClose: () => void;
}

/** Shows what is lost when a version is deleted, then deletes the version. */
export function DeleteVersionDialog({ prompt, version, onClose }: DeleteVersionDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const labels = Object.keys(prompt.labels).filter((label) => prompt.labels[label] === version);

  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await deleteVersion(prompt.name, version);
      onClose();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete version ${version}?`}
      confirm="Delete version"
      busy={busy}
      onConfirm={confirm}
    >
      {error !== undefined && (
        <FormError>
          {messageOf(error)} {isReleaseRefusal(error) && <ReleaseLink name={prompt.name} onLeave={onClose} />}
        </FormError>
      )}
      {labels.length > 0 && (
        <p>
          The {labels.length === 1 ? 'label' : 'labels'} <strong className="font-medium">{labels.join(', ')}</strong>{' '}
          {labels.length === 1 ? 'is' : 'are'} removed too. Requests for {labels.length === 1 ? 'this label' : 'these labels'} will get 404.
        </p>
      )}
      <p>The content of the version is deleted permanently, and its number is not reused. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

import { useState } from 'react';
import { productionLabel } from '../../../../src/contract/label-names.ts';
import { messageOf } from '../../lib/api.ts';
import { AffectedAt } from '../../prompts/Affected.tsx';
import { removeLabel } from '../../prompts/actions.ts';
import { isReleaseRefusal, ReleaseLink } from '../../releases/refusal.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';

interface RemoveLabelDialogProps {
  name: string;
  label: string;
  /** The version that the label points at. */
  version: number;
  onCancel: () => void;
  onRemoved: () => void;
}

/** Shows which requests will fail, then removes a label. */
export function RemoveLabelDialog({ name, label, version, onCancel, onRemoved }: RemoveLabelDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const remove = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await removeLabel({ name, label, previous: version });
      onRemoved();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <ConfirmDialog open onOpenChange={onCancel} title={`Remove ${label}?`} confirm="Remove label" busy={busy} onConfirm={remove}>
      {error !== undefined && (
        <FormError>
          {messageOf(error)} {isReleaseRefusal(error) && <ReleaseLink name={name} onLeave={onRemoved} />}
        </FormError>
      )}
      <p>
        {label === productionLabel
          ? 'Requests for this prompt with the label production, or with neither a label nor a version, will get 404.'
          : `Requests for this prompt with the label ${label} will get 404.`}
      </p>
      <AffectedAt name={name} label={label} />
      <p>Version {version} itself is kept. You can undo this.</p>
    </ConfirmDialog>
  );
}

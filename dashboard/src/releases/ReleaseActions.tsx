import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import type { Prompt } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { rollBackRelease, setReleaseState } from './actions.ts';
import { FinishDialog } from './FinishDialog.tsx';
import { controlWeight, type Release } from './release.ts';
import { WidenDialog } from './WidenDialog.tsx';

/** The buttons of a release that has not ended. */
export function ReleaseActions({ prompt, release }: { prompt: Prompt; release: Release }) {
  const { label, state, control, arms } = release;
  const [dialog, setDialog] = useState<'widen' | 'finish' | 'rollback'>();
  const [busy, setBusy] = useState(false);
  const close = () => setDialog(undefined);
  const target = { name: prompt.name, label };
  const toggle = async () => {
    setBusy(true);
    try {
      await setReleaseState({ ...target, state: state === 'paused' ? 'running' : 'paused' });
    } catch (err) {
      toastFailure(messageOf(err));
    }
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap gap-2">
      {controlWeight(arms) > 0 && <Button onClick={() => setDialog('widen')}>Widen</Button>}
      <Button busy={busy} onClick={toggle}>
        {state === 'paused' ? 'Resume' : 'Pause'}
      </Button>
      <Button kind="danger-quiet" onClick={() => setDialog('rollback')}>
        Roll back
      </Button>
      <Button kind="primary" onClick={() => setDialog('finish')}>
        Finish
      </Button>
      {dialog === 'widen' && <WidenDialog prompt={prompt} release={release} onClose={close} />}
      {dialog === 'finish' && <FinishDialog prompt={prompt} release={release} onClose={close} />}
      {dialog === 'rollback' && <RollBackDialog {...target} control={control} onClose={close} />}
    </div>
  );
}

interface RollBackDialogProps {
  name: string;
  label: string;
  control: number;
  onClose: () => void;
}

function RollBackDialog({ name, label, control, onClose }: RollBackDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const rollBack = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await rollBackRelease({ name, label, control });
      onClose();
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Roll back the release on ${label}?`}
      confirm="Roll back"
      busy={busy}
      onConfirm={rollBack}
    >
      <FormError>{error}</FormError>
      <p>Everyone gets v{control} with their next request. The release ends. You can start a new one.</p>
    </ConfirmDialog>
  );
}

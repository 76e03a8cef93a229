import { useState } from 'react';
import { fullWeight } from '../../../src/contract/release-assignment.ts';
import { messageOf } from '../lib/api.ts';
import type { Prompt } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { widenRelease } from './actions.ts';
import { KeysPreview } from './KeysPreview.tsx';
import { describeArms, type Release } from './release.ts';
import { minWeight } from './release-form.ts';
import { ShareField } from './ShareField.tsx';
import { SplitBar } from './SplitBar.tsx';

/** Selects larger shares for the arms of a release. */
export function WidenDialog({ prompt, release, onClose }: { prompt: Prompt; release: Release; onClose: () => void }) {
  const { label, control } = release;
  // The shares when the dialog was opened. If the service widens the release while the dialog is open, it refuses shares that are now too
  // small.
  const [before] = useState(release.arms);
  const [arms, setArms] = useState(() => proposeWider(release));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const sum = arms.reduce((total, { weight }) => total + weight, 0);
  const isComplete = arms.every(({ version, weight }) => weight >= (before.find((arm) => arm.version === version)?.weight ?? 0));
  const isWider = isComplete && sum > before.reduce((total, { weight }) => total + weight, 0);
  const [first] = arms;

  const widen = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await widenRelease({ name: prompt.name, label, arms });
      onClose();
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Widen the release on ${label}`}
      description={`Now: ${describeArms(before)}. Callers who have a new version keep it.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={!isWider || sum > fullWeight} onClick={widen}>
            Widen
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <FormError>{error}</FormError>
        {arms.map(({ version, weight }, index) => (
          <ShareField
            key={version}
            label={`Share of v${version}`}
            value={weight}
            min={Math.max(minWeight, before[index]?.weight ?? 0)}
            onChange={(next = 0) => setArms(arms.map((arm) => (arm.version === version ? { version, weight: next } : arm)))}
          />
        ))}
        {sum > fullWeight && <FormError>The shares can add up to at most 100%.</FormError>}
        {isComplete && sum <= fullWeight && <SplitBar control={control} arms={arms} />}
        {isComplete && first && arms.length === 1 && <KeysPreview prompt={prompt} label={label} control={control} weight={first.weight} />}
      </div>
    </Dialog>
  );
}

/** Proposes the next step or, without steps, twice the share of a single arm. */
function proposeWider({ arms, steps, step }: Release): Release['arms'] {
  const [first, ...others] = arms;
  if (!first || others.length > 0) return arms;
  return [{ ...first, weight: Math.min(fullWeight, steps[step] ?? Math.max(minWeight, first.weight * 2)) }];
}

import { useId, useState } from 'react';
import { GateNotice } from '../checks/GateNotice.tsx';
import { describeMoveError, isGateRefusal } from '../checks/refusal.ts';
import { useGate } from '../checks/use-gate.ts';
import { usePointedAt } from '../editor/labels/use-pointed-at.ts';
import type { Prompt } from '../lib/types.ts';
import { refreshWorkspace } from '../lib/workspace.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { finishRelease } from './actions.ts';
import { formatWeight, type Release } from './release.ts';

/** Asks for confirmation, then makes a version of the release the one for everybody. */
export function FinishDialog({ prompt, release, onClose }: { prompt: Prompt; release: Release; onClose: () => void }) {
  const { label, control, arms } = release;
  const id = useId();
  const [version, setVersion] = useState(arms.at(-1)?.version ?? control);
  const [busy, setBusy] = useState(false);
  const [override, setOverride] = useState<string>();
  const [error, setError] = useState<string>();
  const gate = useGate(prompt, label, version, usePointedAt(prompt, { label, version }));
  const isOverridden = gate.state === 'closed' && override !== undefined;
  const isOpen = isOverridden ? override.trim() !== '' : gate.state !== 'closed' && gate.state !== 'loading';
  const arm = arms.find((each) => each.version === version);

  const finish = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await finishRelease({ name: prompt.name, label, version, override: isOverridden ? override.trim() : undefined });
      onClose();
    } catch (err) {
      setError(describeMoveError(err, { label, version }));
      setBusy(false);
      if (isGateRefusal(err)) await Promise.all([refreshWorkspace(), refreshPrompts()]);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Finish the release on ${label}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={!isOpen} onClick={finish}>
            {isOverridden ? 'Override and give' : 'Give'} everybody {`v${version}`}
          </Button>
        </>
      }
    >
      <FormError>{error}</FormError>
      <GateNotice
        gate={gate}
        prompt={prompt}
        version={version}
        label={label}
        override={override}
        onOverride={setOverride}
        onClose={onClose}
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="font-medium">
          Version for everybody
        </label>
        <Select id={id} value={version} onChange={(event) => setVersion(Number(event.target.value))}>
          {arms.map((each) => (
            <option key={each.version} value={each.version}>{`v${each.version}`}</option>
          ))}
          <option value={control}>{`v${control} (control)`}</option>
        </Select>
      </div>
      <p className="text-ink-2">
        {arm
          ? `${label} moves from v${control} to v${version}. Now ${formatWeight(arm.weight)} of the callers with a key get v${version}, then everybody.`
          : `${label} stays at v${control}, which everybody gets.`}{' '}
        The release ends.
      </p>
    </Dialog>
  );
}

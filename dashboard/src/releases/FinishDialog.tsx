import { useId, useState } from 'react';
import { GateNotice } from '../checks/GateNotice.tsx';
import { describeMoveError, isApprovalRefusal, isGateRefusal } from '../checks/refusal.ts';
import { useGate } from '../checks/use-gate.ts';
import { usePointedAt } from '../editor/labels/use-pointed-at.ts';
import type { Prompt, Proposal } from '../lib/types.ts';
import { refreshWorkspace } from '../lib/workspace.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { openProposal } from '../proposals/actions.ts';
import { ProposalOpened } from '../proposals/ProposalOpened.tsx';
import { ProposeFields } from '../proposals/ProposeFields.tsx';
import { toProposal } from '../proposals/proposal-form.ts';
import { useProposing } from '../proposals/use-proposing.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { finishRelease } from './actions.ts';
import { formatWeight, type Release } from './release.ts';

/** Asks for confirmation, then gives a version of the release to everyone. */
export function FinishDialog({ prompt, release, onClose }: { prompt: Prompt; release: Release; onClose: () => void }) {
  const { label, control, arms } = release;
  const id = useId();
  const [version, setVersion] = useState(arms.at(-1)?.version ?? control);
  const [busy, setBusy] = useState(false);
  const [override, setOverride] = useState<string>();
  const [error, setError] = useState<string>();
  const [opened, setOpened] = useState<Proposal>();
  const gate = useGate(prompt, label, version, usePointedAt(prompt, { label, version }));
  // Only the service knows whether the release was approved. If the service refuses the move, the user can propose it.
  const proposing = useProposing({ label, version, isMovable: version !== control, wasThere: true });
  const isOverridden = override !== undefined && (proposing.isNeeded ? proposing.canOverride : gate.state === 'closed');
  const isProposal = proposing.isNeeded && !isOverridden;
  const isOpen = isOverridden ? override.trim() !== '' : isProposal || (gate.state !== 'closed' && gate.state !== 'loading');
  const arm = arms.find((each) => each.version === version);

  const finish = async () => {
    setBusy(true);
    setError(undefined);
    try {
      if (isProposal) return setOpened(await openProposal(toProposal(proposing.form, [{ prompt: prompt.name, label, version }])));
      await finishRelease({ name: prompt.name, label, version, override: isOverridden ? override.trim() : undefined });
      onClose();
    } catch (err) {
      // The fields of the proposal explain why the label does not move.
      setError(isApprovalRefusal(err) ? undefined : describeMoveError(err, { label, version }));
      setBusy(false);
      if (isApprovalRefusal(err)) proposing.refuse();
      if (isGateRefusal(err) || isApprovalRefusal(err)) await Promise.all([refreshWorkspace(), refreshPrompts()]);
    }
  };

  if (opened) return <ProposalOpened proposal={opened} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Finish the release on ${label}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={!isOpen} onClick={finish}>
            {isProposal ? 'Propose to give' : isOverridden ? 'Override and give' : 'Give'} everyone {`v${version}`}
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
        hasNoOverride={proposing.isNeeded}
      />
      {proposing.isNeeded && (
        <ProposeFields
          label={label}
          rule={proposing.rule}
          form={proposing.form}
          onChange={proposing.setForm}
          override={proposing.canOverride ? override : undefined}
          onOverride={proposing.canOverride ? setOverride : undefined}
        />
      )}
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="font-medium">
          Version for everyone
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
          ? `${label} moves from v${control} to v${version}. At the moment, ${formatWeight(arm.weight)} of the callers with a key get v${version}. After the move, everyone gets it.`
          : `${label} stays at v${control}, which everyone gets.`}{' '}
        {isProposal ? 'The release ends when the proposal is applied.' : 'The release ends.'}
      </p>
    </Dialog>
  );
}

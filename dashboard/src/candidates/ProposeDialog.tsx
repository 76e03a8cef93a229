import { type FormEvent, useId, useState } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { chooseLabel, LabelSelect, labelOf } from '../editor/labels/LabelSelect.tsx';
import { findLabelProblem } from '../editor/labels/labels.ts';
import { plural } from '../lib/format.ts';
import type { Candidate, Prompt, Proposal } from '../lib/types.ts';
import { findProposalRule, useWorkspace } from '../lib/workspace.ts';
import { openProposal } from '../proposals/actions.ts';
import { ProposalOpened } from '../proposals/ProposalOpened.tsx';
import { ProposeFields } from '../proposals/ProposeFields.tsx';
import { emptyProposal, toProposal } from '../proposals/proposal-form.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { describeCandidateError } from './actions.ts';
import { MoreChanges } from './MoreChanges.tsx';
import { useMoreChanges } from './use-more-changes.ts';

interface ProposeDialogProps {
  prompt: Prompt;
  candidate: Candidate;
  onClose: () => void;
}

/** Proposes to move a label to a version that does not exist yet. When the proposal is applied, this version is made from the candidate. */
export function ProposeDialog({ prompt, candidate, onClose }: ProposeDialogProps) {
  const id = useId();
  const workspace = useWorkspace();
  const [target, setTarget] = useState(() => chooseLabel(prompt, productionLabel));
  const [form, setForm] = useState(emptyProposal);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [opened, setOpened] = useState<Proposal>();
  const label = labelOf(target);
  const isPossible = label !== '' && findLabelProblem(label) === undefined;
  const more = useMoreChanges(label);
  const propose = async (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible) return;
    setBusy(true);
    setError(undefined);
    try {
      setOpened(await openProposal(toProposal(form, [{ prompt: prompt.name, label, candidate: candidate.id }, ...more.changes])));
    } catch (err) {
      setError(describeCandidateError(err));
      setBusy(false);
    }
  };
  if (opened) return <ProposalOpened proposal={opened} onClose={onClose} />;
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Propose"
      description={`When the proposal is applied, a version is made from “${candidate.title}”, and the label moves to it. If the candidate changes, the proposal needs new approvals.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} kind="primary" busy={busy} disabled={!isPossible || more.isPending}>
            {more.changes.length === 0 ? 'Propose' : `Propose ${plural(more.changes.length + 1, 'prompt')}`}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={propose} noValidate>
        <FormError>{error}</FormError>
        <LabelSelect prompt={prompt} target={target} onChange={(change) => setTarget({ ...target, ...change })} />
        {isPossible && <MoreChanges candidate={candidate} label={label} more={more} />}
        {isPossible && <ProposeFields label={label} rule={findProposalRule(workspace, label)} form={form} onChange={setForm} />}
      </form>
    </Dialog>
  );
}

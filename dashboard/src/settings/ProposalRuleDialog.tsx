import { type FormEvent, useId, useState } from 'react';
import { maxApprovals } from '../../../src/contract/limits.ts';
import { messageOf } from '../lib/api.ts';
import type { ProposalRule } from '../lib/types.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { newRule, overriders } from '../proposals/rules.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { toast } from '../ui/toasts.ts';
import { setProposalRule } from './proposal-rules.ts';

interface ProposalRuleDialogProps {
  label: string;
  /** The current rule. Undefined if the label has no rule yet. */
  rule: ProposalRule | undefined;
  onClose: () => void;
}

/** Sets who must approve a move of a label. The rule applies to every prompt of the workspace. */
export function ProposalRuleDialog({ label, rule: before, onClose }: ProposalRuleDialogProps) {
  const id = useId();
  const { role, protectedLabels } = useWorkspace();
  const [rule, setRule] = useState(before ?? newRule);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const set = (change: Partial<ProposalRule>) => setRule({ ...rule, ...change });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await setProposalRule(label, rule);
      onClose();
      toast(`Moving ${label} requires a proposal.`);
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={before ? `Change the rule for ${label}` : `Require proposals for ${label}?`}
      description="This takes effect immediately, for every prompt and member of the workspace. Rolling back needs no proposal."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={`${id}-form`} kind="primary" busy={busy}>
            {before ? 'Save rule' : 'Require proposals'}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className="space-y-4" onSubmit={save}>
        <FormError>{error}</FormError>
        <div>
          <label htmlFor={`${id}-approvals`} className="mb-1.5 block font-medium">
            Approvals
          </label>
          <Select id={`${id}-approvals`} value={rule.approvals} onChange={(event) => set({ approvals: Number(event.target.value) })}>
            {Array.from({ length: maxApprovals + 1 }, (_, count) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the value.
              <option key={count} value={count}>
                {count === 0 ? 'None: a proposal is enough' : count}
              </option>
            ))}
          </Select>
          {rule.approvals > 0 && (
            <p className="mt-1.5 text-ink-3 text-xs">
              {protectedLabels.includes(label)
                ? 'Deployers, admins and the owner can approve.'
                : 'Editors, deployers, admins and the owner can approve.'}{' '}
              Each approval must come from a different person.
            </p>
          )}
        </div>
        <Choice
          text="Authors may approve"
          hint="Counts the approvals of those who wrote the content or opened the proposal."
          checked={rule.authorMayApprove}
          onChange={(authorMayApprove) => set({ authorMayApprove })}
        />
        <Choice
          text="API keys may apply approved proposals"
          hint="Otherwise, only people can apply them."
          checked={rule.keysMayApply}
          onChange={(keysMayApply) => set({ keysMayApply })}
        />
        <div>
          <label htmlFor={`${id}-override`} className="mb-1.5 block font-medium">
            Who can move the label without a proposal
          </label>
          <Select
            id={`${id}-override`}
            value={rule.override}
            onChange={(event) => set({ override: event.target.value as ProposalRule['override'] })}
          >
            {Object.entries(overriders).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
          <p className="mt-1.5 text-ink-3 text-xs">
            {rule.override !== 'nobody' && 'They must give a reason, which is recorded.'}
            {rule.override !== 'admin' && ' Only the owner can change or remove this rule.'}
            {rule.override !== 'admin' && role !== 'owner' && ' You cannot undo this.'}
          </p>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoiceProps {
  text: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Choice({ text, hint, checked, onChange }: ChoiceProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2">
      <input type="checkbox" className="mt-1 accent-accent" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {text}
        <span className="block text-ink-3 text-xs">{hint}</span>
      </span>
    </label>
  );
}

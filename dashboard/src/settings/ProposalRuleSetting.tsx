import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { findProposalRule, useWorkspace } from '../lib/workspace.ts';
import { describeRule } from '../proposals/rules.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { Switch } from '../ui/Switch.tsx';
import { toast } from '../ui/toasts.ts';
import { ProposalRuleDialog } from './ProposalRuleDialog.tsx';
import { mayChangeRule, setProposalRule } from './proposal-rules.ts';

/** A switch for the rule that requires proposals for moves of a label, with the settings of that rule. */
export function ProposalRuleSetting({ label }: { label: string }) {
  const workspace = useWorkspace();
  const rule = findProposalRule(workspace, label);
  const [dialog, setDialog] = useState<'edit' | 'remove'>();
  const close = () => setDialog(undefined);
  if (!mayChangeRule(workspace, rule)) {
    return (
      <p className="text-ink-2 sm:col-span-2">
        {`Moving ${label} requires a proposal. ${rule ? describeRule(rule) : ''}`} Only the owner can change this rule.
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-start justify-between gap-2 sm:col-span-2">
      <div className="min-w-0 flex-1 basis-64">
        <Switch
          label="Require proposals"
          hint={rule ? describeRule(rule) : `In every prompt, moving ${label} requires a proposal that other people approve.`}
          checked={rule !== undefined}
          onChange={() => setDialog(rule ? 'remove' : 'edit')}
        />
        {rule && (
          <p className="mt-1 text-ink-3 text-xs">
            If a prompt includes another prompt at a label without a rule, the included content can change without an approval. Each
            proposal lists such content.
          </p>
        )}
      </div>
      {rule && (
        <Button size="sm" onClick={() => setDialog('edit')}>
          Change rule
        </Button>
      )}
      {dialog === 'edit' && <ProposalRuleDialog label={label} rule={rule} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog label={label} onClose={close} />}
    </div>
  );
}

function RemoveDialog({ label, onClose }: { label: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const remove = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await setProposalRule(label, undefined);
      onClose();
      toast(`${label} no longer requires proposals.`);
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Stop requiring proposals for ${label}?`}
      confirm="Remove rule"
      busy={busy}
      onConfirm={remove}
    >
      <FormError>{error}</FormError>
      <p>Everyone who may move {label} can then do so without approvals. Open proposals stay open.</p>
      <p>This takes effect immediately, for every prompt and member of the workspace.</p>
    </ConfirmDialog>
  );
}

import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { type LabelRule, setLabelRule, useWorkspace } from '../lib/workspace.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { Switch } from '../ui/Switch.tsx';
import { toast } from '../ui/toasts.ts';

/** A switch for a label's rule. The rule applies to every prompt of the workspace, so the user confirms the change. */
export function LabelRuleSwitch({ rule, label }: { rule: LabelRule; label: string }) {
  const isOn = useWorkspace()[rule].includes(label);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { name, hint, turnOn, turnOff, on, off } = texts[rule](label);
  const close = () => {
    setAsking(false);
    setError(undefined);
  };

  const change = async () => {
    setBusy(true);
    try {
      await setLabelRule(rule, label, !isOn);
      close();
      toast(isOn ? off : on);
    } catch (err) {
      setError(messageOf(err));
    }
    setBusy(false);
  };

  return (
    <>
      <Switch label={name} hint={hint} checked={isOn} onChange={() => setAsking(true)} />
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={isOn ? turnOff.title : turnOn.title}
          confirm={isOn ? turnOff.confirm : turnOn.confirm}
          busy={busy}
          onConfirm={change}
        >
          <FormError>{error}</FormError>
          <p>{isOn ? turnOff.text : turnOn.text}</p>
          <p>This takes effect immediately, for every prompt and member of the workspace.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const texts = {
  protectedLabels: (label: string) => ({
    name: 'Protect this label',
    hint: `In every prompt, allows only deployers and admins to move ${label}.`,
    turnOn: { title: `Protect ${label}?`, confirm: 'Protect', text: `Only deployers and admins can then move ${label}.` },
    turnOff: { title: `Stop protecting ${label}?`, confirm: 'Stop protecting', text: `Every editor can then move ${label}.` },
    on: `${label} is protected.`,
    off: `${label} is no longer protected.`,
  }),
  gatedLabels: (label: string) => ({
    name: 'Require passing checks',
    hint: `In every prompt, allows ${label} to move only to versions that have passed the prompt’s test cases.`,
    turnOn: {
      title: `Require passing checks for ${label}?`,
      confirm: 'Require checks',
      text: `${label} then moves only to versions that have passed the prompt’s test cases. You can still roll back to versions that it pointed at before.`,
    },
    turnOff: {
      title: `Stop requiring checks for ${label}?`,
      confirm: 'Stop requiring checks',
      text: `${label} can then move to versions that have not passed the prompt’s test cases.`,
    },
    on: `${label} requires passing checks.`,
    off: `${label} no longer requires passing checks.`,
  }),
} satisfies Record<LabelRule, (label: string) => object>;

import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../lib/api.ts';
import { type LabelRule, mayManage, mayMove, setLabelRule, useWorkspace } from '../../lib/workspace.ts';
import { Switch } from '../../ui/Switch.tsx';
import { toastFailure } from '../../ui/toasts.ts';

/** Who may move a label and to which versions: switches for admins, and sentences for everybody else. */
export function LabelProtection({ label }: { label: string }) {
  const workspace = useWorkspace();
  if (mayManage(workspace)) {
    return (
      <div className="grid gap-3 sm:grid-cols-2">
        <LabelRuleSwitch rule="protectedLabels" label={label} />
        <LabelRuleSwitch rule="gatedLabels" label={label} />
      </div>
    );
  }
  if (!workspace.protectedLabels.includes(label)) return null;
  return (
    <p className="text-ink-3 text-xs">
      {`Only deployers and admins can move ${label}.`}
      {!mayMove(workspace, label) && ` Your role is ${workspace.role}.`}
    </p>
  );
}

/** A switch that takes effect at once, in every prompt of the workspace. */
export function LabelRuleSwitch({ rule, label }: { rule: LabelRule; label: string }) {
  const workspace = useWorkspace();
  const change = useMutation({
    mutationFn: (holds: boolean) => setLabelRule(rule, label, holds),
    onError: (err) => toastFailure(messageOf(err)),
  });
  const texts =
    rule === 'protectedLabels'
      ? { label: 'Protect this label', hint: `Only deployers and admins can move ${label}, in every prompt.` }
      : { label: 'Require passing checks', hint: `${label} moves only to versions that have passed the prompt’s cases, in every prompt.` };
  return (
    <Switch
      {...texts}
      checked={change.isPending ? change.variables : workspace[rule].includes(label)}
      onChange={(checked) => !change.isPending && change.mutate(checked)}
    />
  );
}

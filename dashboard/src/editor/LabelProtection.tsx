import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../lib/api.ts';
import { mayManage, mayMove, protectLabel, useWorkspace } from '../lib/workspace.ts';
import { Switch } from '../ui/Switch.tsx';
import { toastFailure } from '../ui/toasts.ts';

/** Who may move a label: a switch for admins, and a sentence for everybody else if the label is protected. */
export function LabelProtection({ label }: { label: string }) {
  const workspace = useWorkspace();
  const isProtected = workspace.protectedLabels.includes(label);
  const change = useMutation({
    mutationFn: (protect: boolean) => protectLabel(label, protect),
    onError: (err) => toastFailure(messageOf(err)),
  });

  if (mayManage(workspace)) {
    return (
      <Switch
        label="Protect this label"
        hint={`Only deployers and admins can move ${label}, in every prompt.`}
        checked={change.isPending ? change.variables : isProtected}
        onChange={(checked) => !change.isPending && change.mutate(checked)}
      />
    );
  }
  if (!isProtected) return null;
  return (
    <p className="text-ink-3 text-xs">
      {`Only deployers and admins can move ${label}.`}
      {!mayMove(workspace, label) && ` Your role is ${workspace.role}.`}
    </p>
  );
}

import { Link } from '@tanstack/react-router';
import { findProposalRule, mayManage, mayMove, useWorkspace } from '../../lib/workspace.ts';

/** Says who may move a label and to which versions. The rules apply to every prompt, so they are changed in the settings and not here. */
export function LabelRules({ label, onLeave }: { label: string; onLeave: () => void }) {
  const workspace = useWorkspace();
  const rules = [
    ...(workspace.protectedLabels.includes(label) ? [`Only deployers and admins can move ${label}.`] : []),
    ...(workspace.gatedLabels.includes(label) ? [`${label} requires passing checks.`] : []),
    ...(findProposalRule(workspace, label) ? [`Moving ${label} requires a proposal.`] : []),
    ...(mayMove(workspace, label) ? [] : [`Your role is ${workspace.role}.`]),
  ];
  if (rules.length === 0 && !mayManage(workspace)) return null;
  return (
    <p className="text-ink-3 text-xs">
      {rules.length === 0 ? `Every editor can move ${label} to any version.` : rules.join(' ')}{' '}
      {mayManage(workspace) && (
        <Link
          to="/dashboard/settings/labels"
          onClick={onLeave}
          className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
        >
          Label rules
        </Link>
      )}
    </p>
  );
}

import { useState } from 'react';
import { findProposalRule, mayEdit, mayMove, mayOverrideRule, useWorkspace } from '../lib/workspace.ts';
import { emptyProposal } from './proposal-form.ts';

interface Move {
  label: string;
  version: number;
  /** Whether the label can move to the version, apart from its rules. */
  isMovable: boolean;
  /** Whether the label has pointed at the version before. Rolling back needs no proposal. */
  wasThere: boolean;
}

/** Returns whether the user proposes to move a label, because its rules require it or because only others may move it. */
export function useProposing({ label, version, isMovable, wasThere }: Move) {
  const workspace = useWorkspace();
  const [form, setForm] = useState(emptyProposal);
  const [refused, setRefused] = useState<string>();
  const at = `${label} ${version}`;
  const rule = findProposalRule(workspace, label);
  const canMove = mayMove(workspace, label);
  const isRequired = (rule !== undefined && !wasThere) || refused === at;
  return {
    form,
    setForm,
    rule,
    isNeeded: isMovable && mayEdit(workspace) && (isRequired || !canMove),
    canOverride: canMove && rule !== undefined && mayOverrideRule(workspace, rule),
    /** Remembers that the service refused the move. The service knows more about earlier moves than this page. */
    refuse: () => setRefused(at),
  };
}

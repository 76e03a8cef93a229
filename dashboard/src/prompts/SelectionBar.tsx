import { Download, FolderInput, type LucideIcon, Rocket, Tag, Trash2, X } from 'lucide-react';
import { plural } from '../lib/format.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button, IconButton } from '../ui/Button.tsx';

export type BulkAction = 'tag' | 'move' | 'deployMany' | 'export' | 'delete';

const actions: { action: BulkAction; label: string; icon: LucideIcon }[] = [
  { action: 'tag', label: 'Tag', icon: Tag },
  { action: 'move', label: 'Move', icon: FolderInput },
  { action: 'deployMany', label: 'Deploy', icon: Rocket },
  { action: 'export', label: 'Export', icon: Download },
  { action: 'delete', label: 'Delete', icon: Trash2 },
];

interface SelectionBarProps {
  count: number;
  onAction: (action: BulkAction) => void;
  onClear: () => void;
}

/** The actions for all selected prompts. */
export function SelectionBar({ count, onAction, onClear }: SelectionBarProps) {
  const canEdit = mayEdit(useWorkspace());
  const offered = actions.filter(({ action }) => canEdit || action === 'export');
  return (
    <section
      aria-label="Selected prompts"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full animate-rise items-center gap-1 rounded-lg bg-surface p-1.5 pl-3 shadow-pop"
    >
      <span className="mr-1 shrink-0 font-medium tabular" aria-live="polite">
        {count} <span className="max-sm:sr-only">selected</span>
        <span className="sr-only">{plural(count, 'prompt')}</span>
      </span>
      {offered.map(({ action, label, icon: Icon }) => (
        <Button key={action} kind="ghost" size="sm" aria-label={label} title={label} onClick={() => onAction(action)}>
          <Icon aria-hidden className="size-4" />
          <span className="max-sm:hidden">{label}</span>
        </Button>
      ))}
      <IconButton label="Clear the selection" onClick={onClear}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  );
}

import { Copy, Download, FolderInput, type LucideIcon, Rocket, Tag, Trash2, X } from 'lucide-react';
import { formatNumber, plural } from '../lib/format.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import type { PromptFilters } from './filter-search.ts';
import type { PromptRows } from './prompt-rows.ts';
import { SelectAllMatching } from './SelectAllMatching.tsx';
import type { Selection } from './use-selection.ts';

export type BulkAction = 'tag' | 'move' | 'copy' | 'deployMany' | 'export' | 'delete';

const actions: { action: BulkAction; label: string; icon: LucideIcon }[] = [
  { action: 'tag', label: 'Tag', icon: Tag },
  { action: 'move', label: 'Move', icon: FolderInput },
  { action: 'copy', label: 'Copy to workspace', icon: Copy },
  { action: 'deployMany', label: 'Deploy', icon: Rocket },
  { action: 'export', label: 'Export', icon: Download },
  { action: 'delete', label: 'Delete', icon: Trash2 },
];

interface SelectionBarProps {
  selection: Selection;
  list: PromptRows;
  filters: PromptFilters;
  onAction: (action: BulkAction) => void;
}

/** The actions for all selected prompts. */
export function SelectionBar({ selection, list, filters, onAction }: SelectionBarProps) {
  const count = selection.prompts.length;
  // If not all prompts are loaded, the remaining ones can be selected too.
  const matching = list.all === undefined && selection.isAll && (list.count ?? 0) > count ? list.count : undefined;
  const canEdit = mayEdit(useWorkspace());
  const offered = actions.filter(({ action }) => canEdit || action === 'export' || action === 'copy');
  return (
    <section
      aria-label="Selected prompts"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full animate-rise flex-wrap items-center justify-center gap-1 rounded-lg bg-surface p-1.5 pl-3 shadow-pop"
    >
      <span className="mr-1 shrink-0 font-medium tabular" aria-live="polite">
        {formatNumber(count)} <span className="max-sm:sr-only">selected</span>
        <span className="sr-only">{plural(count, 'prompt')}</span>
      </span>
      {matching !== undefined && <SelectAllMatching filters={filters} count={matching} onSelect={selection.select} />}
      {offered.map(({ action, label, icon: Icon }) => (
        <Button key={action} kind="ghost" size="sm" aria-label={label} title={label} onClick={() => onAction(action)}>
          <Icon aria-hidden className="size-4" />
          <span className="max-sm:hidden">{label}</span>
        </Button>
      ))}
      <IconButton label="Clear the selection" onClick={selection.clear}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  );
}

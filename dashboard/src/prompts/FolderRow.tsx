import { Link } from '@tanstack/react-router';
import { ChevronRight, Folder, FolderInput } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { formatNumber } from '../lib/format.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { IconButton } from '../ui/Button.tsx';
import type { PromptFilters } from './filter-search.ts';
import type { FolderRow as Row } from './folder-tree.ts';
import { indentOf, type RowFocus } from './PromptRow.tsx';

interface FolderRowProps {
  row: Row;
  filters: PromptFilters;
  focus: RowFocus;
  onToggle: () => void;
  onMove: () => void;
}

/** A folder in the tree. A click on the arrow opens or closes the folder. A click on the name shows only this folder. */
export function FolderRow({ row, filters, focus, onToggle, onMove }: FolderRowProps) {
  const canEdit = mayEdit(useWorkspace());
  const { path, name, depth, count, isOpen } = row;
  const tabIndex = focus.isActive ? 0 : -1;
  return (
    <div className="flex h-full items-center bg-sunken pr-2 pl-2.5 hover:bg-hover">
      <span className="shrink-0" style={{ width: indentOf(depth) }} />
      <IconButton
        label={`Subfolders and prompts of ${path}`}
        aria-expanded={isOpen}
        tabIndex={tabIndex}
        className="size-7"
        onClick={onToggle}
      >
        <ChevronRight aria-hidden className={cx('size-4 transition-transform duration-100', isOpen && 'rotate-90')} />
      </IconButton>
      <Link
        to="/dashboard/prompts"
        search={{ ...filters, folder: path }}
        data-prompt-row={focus.index}
        tabIndex={tabIndex}
        onFocus={focus.onFocus}
        className="flex h-full min-w-0 flex-1 items-center gap-2.5 pl-1.5 -outline-offset-2"
      >
        <Folder aria-hidden className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
        <span dir="auto" title={path} className="truncate font-medium text-ink-2 text-xs">
          {name}
        </span>
        <span className="shrink-0 text-ink-3 text-xs tabular">
          {formatNumber(count)}
          <span className="sr-only"> {count === 1 ? 'prompt' : 'prompts'}</span>
        </span>
      </Link>
      {canEdit && (
        <IconButton label={`Move the folder ${path}`} tabIndex={tabIndex} onClick={onMove}>
          <FolderInput aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  );
}

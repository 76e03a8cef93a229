import { Checkbox } from '../ui/Checkbox.tsx';
import type { Row } from './filters.ts';
import { columns } from './PromptRow.tsx';
import type { Selection } from './use-selection.ts';

/** The names of the columns, and a checkbox that selects all loaded rows. */
export function ListHeader({ rows, selection }: { rows: Row[]; selection: Selection }) {
  const count = selection.prompts.length;
  const isAll = count > 0 && count === rows.filter(({ kind }) => kind === 'prompt').length;
  return (
    <div className="flex h-9 items-center border-line border-b bg-sunken pr-12 pl-4 text-2xs text-ink-3">
      <Checkbox
        label={isAll ? 'Select none' : 'Select all'}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={isAll ? selection.clear : selection.selectAll}
      />
      <span aria-hidden className="flex min-w-0 flex-1 items-center gap-3 pl-3">
        <span className="flex-1 max-sm:hidden">Name</span>
        <span className="sm:hidden">{isAll ? 'Select none' : 'Select all'}</span>
        <span className={columns.calls}>Calls (24 h)</span>
        <span className={columns.lastUse}>Last use</span>
        <span className={columns.changed}>Changed</span>
      </span>
    </div>
  );
}

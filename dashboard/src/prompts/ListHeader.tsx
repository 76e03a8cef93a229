import { ArrowDown, ArrowUp, ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { IconButton } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import type { PromptFilters, Sort } from './filter-search.ts';
import { isByUsage, isTree } from './filters.ts';
import { columns } from './PromptRow.tsx';
import type { PromptRows } from './prompt-rows.ts';
import type { Selection } from './use-selection.ts';

interface ListHeaderProps {
  list: PromptRows;
  filters: PromptFilters;
  selection: Selection;
  onSort: (sort: Sort) => void;
}

/** The sort orders of each column. The first click applies the first order. */
const orders = {
  name: ['name', '-name'],
  calls: ['-calls', 'calls'],
  lastUse: ['-lastUsedAt', 'lastUsedAt'],
  changed: ['-updatedAt', 'updatedAt'],
} as const satisfies Record<string, [Sort, Sort]>;

/**
 * A checkbox that selects everything, and the columns, which sort the list. For screen readers, the header is a separate table, because
 * only a column header can have a sort order.
 */
export function ListHeader({ list, filters, selection, onSort }: ListHeaderProps) {
  const count = selection.prompts.length;
  const isAll = selection.isAll;
  const column = (orderNames: readonly [Sort, Sort], text: string, className: string) => (
    <SortButton
      text={text}
      className={className}
      orders={orderNames}
      sort={filters.sort ?? 'name'}
      isLarge={list.isLarge}
      onSort={onSort}
    />
  );
  const hasFolders = isTree(filters) && list.rows.some(({ kind }) => kind === 'folder');
  const isAnyOpen = list.rows.some((row) => row.kind === 'folder' && row.isOpen);
  const Icon = isAnyOpen ? ChevronsDownUp : ChevronsUpDown;
  return (
    <div className="flex h-9 items-center border-line border-b bg-sunken pr-2 pl-4 text-2xs text-ink-3">
      <Checkbox
        label={isAll ? 'Select none' : 'Select all'}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={isAll ? selection.clear : selection.selectAll}
      />
      <span className="flex-1 pl-3 sm:hidden">{isAll ? 'Select none' : 'Select all'}</span>
      {/* biome-ignore-start lint/a11y/useSemanticElements: a table element would have to contain the rows of the list. */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the buttons inside the headers have the focus. */}
      <div role="table" aria-label="Columns" className="min-w-0 flex-1 pl-3 max-sm:hidden">
        <div role="row" className="flex items-center gap-3">
          {column(orders.name, 'Name', 'min-w-0 flex-1')}
          {column(orders.calls, 'Calls (24 h)', columns.calls)}
          {column(orders.lastUse, 'Last use', columns.lastUse)}
          {column(orders.changed, 'Changed', columns.changed)}
        </div>
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: see above. */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above. */}
      <span className="flex w-[4.5rem] shrink-0 justify-end">
        {hasFolders && (
          <IconButton label={isAnyOpen ? 'Collapse all folders' : 'Expand all folders'} onClick={() => list.folders.setAll(!isAnyOpen)}>
            <Icon aria-hidden className="size-4" />
          </IconButton>
        )}
      </span>
    </div>
  );
}

interface SortButtonProps {
  text: string;
  className: string;
  orders: readonly [Sort, Sort];
  sort: Sort;
  isLarge: boolean;
  onSort: (sort: Sort) => void;
}

function SortButton({ text, className, orders: [first, second], sort, isLarge, onSort }: SortButtonProps) {
  const isSorted = sort === first || sort === second;
  const isDescending = sort.startsWith('-');
  const isUnavailable = isLarge && isByUsage(first);
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  const order = isDescending ? 'descending' : 'ascending';
  const isRight = className.includes('text-right');
  return (
    // biome-ignore lint/a11y/useSemanticElements: see ListHeader.
    // biome-ignore lint/a11y/useFocusableInteractive: see ListHeader.
    <div role="columnheader" aria-sort={isSorted && !isUnavailable ? order : 'none'} className={className}>
      <button
        type="button"
        aria-disabled={isUnavailable}
        title={isUnavailable ? 'Sorting by calls is available in workspaces with up to 2,000 prompts.' : `Sort by ${text.toLowerCase()}`}
        onClick={() => !isUnavailable && onSort(sort === first ? second : first)}
        className={cx(
          'inline-flex h-7 items-center gap-1 rounded-sm whitespace-nowrap',
          isRight && '-mr-1 pr-1',
          isUnavailable ? 'cursor-default' : 'hover:text-ink',
          isSorted && 'font-medium text-ink-2',
        )}
      >
        {text}
        {isSorted && !isUnavailable && <Arrow aria-hidden className="size-3" />}
      </button>
    </div>
  );
}

import { ChevronRight, Copy, Ellipsis, PenLine, Trash2, TrendingDown, TrendingUp } from 'lucide-react';
import { memo, useState } from 'react';
import { describeCheck } from '../cases/check-words.ts';
import { cx } from '../lib/cx.ts';
import { plural } from '../lib/format.ts';
import type { Case, CaseResult } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { CaseDetails } from './CaseDetails.tsx';
import { type Change, reasonOf } from './results.ts';

export type CaseAction = 'edit' | 'duplicate' | 'delete';

interface CaseRowProps {
  name: string;
  current: Case | undefined;
  /** The version of the run that is shown. Undefined if no run is shown. */
  title: string | undefined;
  result: CaseResult | undefined;
  /** The version of the run that the shown run is compared with. */
  againstTitle: string | undefined;
  against: CaseResult | undefined;
  change: Change | undefined;
  canEdit: boolean;
  onAction: (action: CaseAction, current: Case) => void;
}

const shownChecks = 3;

/**
 * A test case with its checks and results. The row expands to show the input and the outputs. Memoized, because a prompt may have 500 test
 * cases.
 */
export const CaseRow = memo(function CaseRow(props: CaseRowProps) {
  const { name, current, title, result, againstTitle, against, change, canEdit, onAction } = props;
  const [isOpen, setIsOpen] = useState(false);
  const reason = result && !result.passed ? reasonOf(result) : undefined;
  const columns = [
    ...(title === undefined ? [] : [{ title, result }]),
    ...(againstTitle === undefined ? [] : [{ title: againstTitle, result: against }]),
  ];
  return (
    <li className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4 py-2 hover:bg-hover md:flex-nowrap">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 basis-40 items-start gap-2 rounded-sm py-1 text-left"
        >
          <ChevronRight
            aria-hidden
            className={cx('mt-0.5 size-4 shrink-0 text-ink-3 transition-transform duration-100', isOpen && 'rotate-90')}
          />
          <span className="min-w-0">
            <span dir="auto" className="block font-medium wrap-anywhere">
              {name}
            </span>
            <span className="block truncate text-ink-3 text-xs">{current ? summarize(current.variables) : 'deleted'}</span>
          </span>
        </button>
        <CheckList current={current} />
        {title !== undefined && (
          <div className="w-24 shrink-0 py-1">
            <Outcome title={title} result={result} />
            {change !== undefined && <ChangeMark change={change} />}
          </div>
        )}
        {againstTitle !== undefined && (
          <div className="w-24 shrink-0 py-1">
            <Outcome title={againstTitle} result={against} />
          </div>
        )}
        {canEdit && current && <CaseMenu current={current} onAction={onAction} />}
        {canEdit && !current && <span aria-hidden className="size-8 shrink-0" />}
      </div>
      {reason !== undefined && !isOpen && <p className="line-clamp-2 px-4 pb-2 text-danger text-xs wrap-anywhere md:pl-10">{reason}</p>}
      {isOpen && <CaseDetails current={current} columns={columns} />}
    </li>
  );
});

function CheckList({ current }: { current: Case | undefined }) {
  const checks = current?.checks ?? [];
  const rest = checks.length - shownChecks;
  return (
    <ul className="order-last min-w-0 basis-full py-1 pl-6 text-ink-2 text-xs md:order-none md:flex-1 md:basis-0 md:pl-0">
      {current && checks.length === 0 && <li className="text-ink-3">Passes if the model responds</li>}
      {checks.slice(0, shownChecks).map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: checks have no ids, and no state of their own.
        <li key={index} className="truncate leading-5">
          {describeCheck(check)}
        </li>
      ))}
      {rest > 0 && <li className="text-ink-3">and {plural(rest, 'more', 'more')}</li>}
    </ul>
  );
}

function Outcome({ title, result }: { title: string; result: CaseResult | undefined }) {
  if (!result) return <span className="text-ink-3 text-xs">{title}: not run</span>;
  const failed = result.checks.filter(({ passed }) => !passed).length;
  if (result.passed) return <Badge tone="accent">{title} passed</Badge>;
  return <Badge tone="danger">{result.error ? `${title} error` : `${title} failed ${failed > 1 ? failed : ''}`.trim()}</Badge>;
}

function ChangeMark({ change }: { change: Change }) {
  const Icon = change === 'better' ? TrendingUp : TrendingDown;
  return (
    <span className={cx('mt-1 flex items-center gap-1 text-xs', change === 'better' ? 'text-accent-ink' : 'text-danger')}>
      <Icon aria-hidden className="size-3.5" />
      {change}
    </span>
  );
}

function CaseMenu({ current, onAction }: { current: Case; onAction: CaseRowProps['onAction'] }) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${current.name}`}>
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={PenLine} onSelect={() => onAction('edit', current)}>
        Edit
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => onAction('duplicate', current)}>
        Duplicate
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={() => onAction('delete', current)}>
        Delete
      </MenuItem>
    </Menu>
  );
}

/** Formats the values in one line, such as "customer: Ada, request: Where is my order?". */
function summarize(variables: Record<string, unknown>): string {
  const parts = Object.entries(variables).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return parts.length === 0 ? 'No variables' : parts.join(', ').slice(0, 300);
}

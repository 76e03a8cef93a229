import { Link } from '@tanstack/react-router';
import { FileText, MessagesSquare } from 'lucide-react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { cx } from '../lib/cx.ts';
import { formatAgo, formatDateTime, formatHoursAgo, formatNumber } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { activeRelease } from '../releases/release.ts';
import { Badge, LabelBadge, TagBadge } from '../ui/Badge.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { FavoriteButton } from './FavoriteButton.tsx';
import { MatchLine } from './MatchLine.tsx';
import { type RowAction, RowMenu } from './RowMenu.tsx';

export interface RowFocus {
  index: number;
  /** Whether the Tab key reaches this row. The arrow keys reach the other rows. */
  isActive: boolean;
  onFocus: () => void;
}

/**
 * Returns the indent of a row, which depends on the number of folders around it. The indent is limited, so that there is space for the name
 * even in deep folders.
 */
export function indentOf(depth: number): string {
  return `calc(${Math.min(depth, maxIndent)} * var(--indent, 1.25rem))`;
}

const maxIndent = 6;

interface PromptRowProps {
  prompt: Prompt;
  /** The number of calls of the prompt. Undefined until the number is loaded. */
  usage: Prompt['usage'];
  folder: string | undefined;
  depth: number;
  /** Whether the row is below the row of its folder, so that the name is shown without the folder. */
  isInTree: boolean;
  isFavorite: boolean;
  focus: RowFocus;
  isSelected: boolean;
  onToggle: (extend: boolean) => void;
  onAction: (action: RowAction) => void;
}

/** The columns that are also in the header. */
export const columns = {
  calls: 'hidden w-20 shrink-0 text-right tabular lg:block',
  lastUse: 'hidden w-24 shrink-0 text-right tabular xl:block',
  changed: 'hidden w-24 shrink-0 text-right tabular sm:block',
};

export function PromptRow({ prompt, usage, folder, depth, isInTree, isFavorite, focus, isSelected, onToggle, onAction }: PromptRowProps) {
  const { name, type, description, tags, latestVersion, updatedAt } = prompt;
  const below = folder === undefined ? name : name.slice(folder.length + 1);
  const shown = isInTree ? name.slice(name.lastIndexOf('/') + 1) : below;
  const slash = shown.lastIndexOf('/') + 1;
  const Icon = type === 'chat' ? MessagesSquare : FileText;
  const tabIndex = focus.isActive ? 0 : -1;
  // A match in the name or the description needs no separate line, because the row already shows both.
  const match = prompt.matches?.find(({ version }) => version !== undefined);
  return (
    <div className={cx('flex h-full items-center pr-2 pl-4', isSelected ? 'bg-accent-soft/60' : 'hover:bg-hover')}>
      <Checkbox label={`Select ${name}`} checked={isSelected} onChange={({ shiftKey }) => onToggle(shiftKey)} tabIndex={tabIndex} />
      <Link
        to="/dashboard/prompts/$"
        params={{ _splat: name }}
        data-prompt-row={focus.index}
        tabIndex={tabIndex}
        onFocus={focus.onFocus}
        className="flex h-full min-w-0 flex-1 items-center gap-3 pr-2 pl-3 -outline-offset-2"
      >
        {depth > 0 && <span className="-mr-3 shrink-0" style={{ width: indentOf(depth) }} />}
        <Icon aria-label={type} className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
        <span className="min-w-0 flex-1 md:min-w-40">
          <span dir="auto" className="block truncate text-left font-medium" title={name}>
            {slash > 0 && <span className="font-normal text-ink-3">{shown.slice(0, slash)}</span>}
            {shown.slice(slash)}
          </span>
          {match && <MatchLine match={match} latestVersion={latestVersion} />}
          {!match && description !== '' && (
            <span dir="auto" className="block truncate text-left text-ink-3 text-xs">
              {description}
            </span>
          )}
        </span>
        {/* Tags that do not fit wrap to a second line, which is cut off. The list has less space next to the sidebar, unless the window is
            wide. */}
        <span
          className={cx('hidden h-5 min-w-0 shrink flex-wrap justify-end gap-1 overflow-hidden', !match && 'md:flex lg:hidden xl:flex')}
        >
          {tags.slice(0, 2).map((tag) => (
            <span key={tag} className="flex h-5 min-w-0 max-w-28">
              <TagBadge tag={tag} />
            </span>
          ))}
          {tags.length > 2 && <span className="text-2xs text-ink-3 leading-5">+{tags.length - 2}</span>}
        </span>
        <Labels prompt={prompt} />
        <Usage usage={usage} />
        <time dateTime={updatedAt} title={formatDateTime(updatedAt)} className={cx(columns.changed, 'text-ink-3 text-xs')}>
          {formatAgo(updatedAt)}
        </time>
      </Link>
      <FavoriteButton prompt={prompt} isFavorite={isFavorite} tabIndex={tabIndex} />
      <RowMenu name={name} tabIndex={tabIndex} onAction={onAction} />
    </div>
  );
}

function Usage({ usage }: { usage: Prompt['usage'] }) {
  const calls = usage?.callsLast24Hours ?? 0;
  return (
    <>
      <span className={cx(columns.calls, 'text-xs', calls === 0 ? 'text-ink-3' : 'text-ink-2')}>
        {usage && (calls === 0 ? '–' : formatNumber(calls))}
        {calls > 0 && <span className="sr-only"> {calls === 1 ? 'call' : 'calls'} in the last 24 hours</span>}
      </span>
      <span className={cx(columns.lastUse, 'text-ink-3 text-xs')}>
        {usage && (usage.lastUsedAt === null ? 'never' : formatHoursAgo(usage.lastUsedAt))}
      </span>
    </>
  );
}

/** The version in production, the other labels, and the latest version if it is not in production. */
function Labels({ prompt }: { prompt: Prompt }) {
  const { labels, latestVersion } = prompt;
  const { [productionLabel]: production, ...others } = labels;
  const names = Object.entries(others);
  const release = activeRelease(prompt, productionLabel);
  return (
    <span className="flex shrink-0 items-center gap-1">
      {production !== latestVersion && (
        // On a phone, there is no space for both the latest version and a release.
        <span className={cx('flex', release && 'max-sm:hidden')}>
          <Badge>v{latestVersion}</Badge>
        </span>
      )}
      <span className="hidden gap-1 lg:flex">
        {names.slice(0, 1).map(([label, version]) => (
          <LabelBadge key={label} label={shorten(label)} version={version} release={activeRelease(prompt, label)} isNarrow />
        ))}
        {names.length > 1 && <Badge>+{names.length - 1}</Badge>}
      </span>
      {production !== undefined && <LabelBadge label={productionLabel} version={production} release={release} isNarrow />}
    </span>
  );
}

function shorten(label: string): string {
  return label.length > maxLabelCharacters ? `${label.slice(0, maxLabelCharacters - 1)}…` : label;
}

/** The maximum number of characters of a label that are shown. A label of 50 characters would leave no space for the name. */
const maxLabelCharacters = 16;

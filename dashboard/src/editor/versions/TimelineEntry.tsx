import {
  ArrowRight,
  Copy,
  Ellipsis,
  FolderInput,
  GitCommitHorizontal,
  ListChecks,
  type LucideIcon,
  PenLine,
  Plus,
  Split,
  Tag,
  Trash2,
  Undo2,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { describeOverridden } from '../../lib/overridden.ts';
import type { HistoryEntry, Prompt } from '../../lib/types.ts';
import { mayEdit, useWorkspace } from '../../lib/workspace.ts';
import { ProposalLink } from '../../proposals/ProposalLink.tsx';
import { activeRelease } from '../../releases/release.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge, LabelBadge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { ReleaseChange } from './ReleaseChange.tsx';
import { labelsAt } from './use-version-titles.ts';

interface TimelineEntryProps {
  entry: HistoryEntry;
  prompt: Prompt;
  /** Whether the comparison currently shows what this version changed. */
  isCompared: boolean;
  onCompare: (version: number) => void;
  onReuse: (version: number) => void;
  onDeploy: (version: number) => void;
  /** Asks whether to delete the version. Undefined if this is the only version. */
  onDelete: ((version: number) => void) | undefined;
}

export function TimelineEntry({ entry, prompt, isCompared, onCompare, onReuse, onDeploy, onDelete }: TimelineEntryProps) {
  const canEdit = mayEdit(useWorkspace());
  const { type, at, by, version, message, override, overridden, release, proposal } = entry;
  const Icon = icons[type];
  const isVersion = (type === 'version_saved' || type === 'created') && version !== undefined;
  const isDeleted = isVersion && (prompt.deletedVersions?.includes(version) ?? false);
  const names = isVersion ? labelsAt(prompt.labels, version) : [];
  return (
    <li
      id={isVersion ? `version-${version}` : undefined}
      className="relative flex gap-3 border-line py-2.5 not-last:before:absolute not-last:before:top-9 not-last:before:bottom-0 not-last:before:left-3 not-last:before:w-px not-last:before:bg-line"
    >
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full border ${isVersion ? 'border-line-strong text-ink-2' : 'border-line text-ink-3'} bg-surface`}
      >
        <Icon className="size-3.5" strokeWidth={1.75} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1 leading-6">
          {describe(entry)}
          {names.map((label) => (
            <LabelBadge key={label} label={label} release={activeRelease(prompt, label)} />
          ))}
          {isDeleted && <Badge>deleted</Badge>}
        </div>
        {message !== undefined && message !== '' && (
          <p dir="auto" className="wrap-anywhere text-ink-2">
            {message}
          </p>
        )}
        {override !== undefined && (
          <p dir="auto" className="wrap-anywhere text-warn">
            {capitalize(describeOverridden(overridden))}: {override}
          </p>
        )}
        {proposal && <ProposalLink id={proposal.id} />}
        <p className="flex items-center gap-1.5 text-ink-3 text-xs">
          <Avatar userId={by.userId ?? by.name} name={by.name} size="sm" />
          <span className="min-w-0 break-words">
            <span className="text-ink-2">{release?.automatic ? `The service, for ${by.name}` : by.name}</span>
            {by.via === 'api' && !release?.automatic && ' via API'}
            {by.imported && ' (imported)'} ·{' '}
            <time dateTime={at} title={formatDateTime(at)}>
              {formatAgo(at)}
            </time>
          </span>
        </p>
        {isVersion && !isDeleted && (
          <div className="-ml-2 flex flex-wrap items-center">
            <Button
              size="sm"
              kind={isCompared ? 'secondary' : 'ghost'}
              aria-pressed={isCompared}
              onClick={() => onCompare(version)}
              aria-label={`Compare v${version} with the previous version`}
            >
              Compare
            </Button>
            <Button size="sm" kind="ghost" onClick={() => onReuse(version)} aria-label={`Open in editor: v${version}`}>
              Open in editor
            </Button>
            {canEdit && (
              <Button size="sm" kind="ghost" onClick={() => onDeploy(version)} aria-label={`Deploy v${version}`}>
                Deploy
              </Button>
            )}
            {canEdit && onDelete && (
              <Menu
                trigger={
                  <IconButton label={`More for v${version}`}>
                    <Ellipsis aria-hidden className="size-4" />
                  </IconButton>
                }
              >
                <MenuItem icon={Trash2} danger onSelect={() => onDelete(version)}>
                  Delete version
                </MenuItem>
              </Menu>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const icons: Record<HistoryEntry['type'], LucideIcon> = {
  created: Plus,
  version_saved: GitCommitHorizontal,
  version_deleted: Trash2,
  label_moved: Tag,
  label_removed: Tag,
  release_started: Split,
  release_widened: Split,
  release_paused: Split,
  release_resumed: Split,
  release_rolled_back: Split,
  release_finished: Split,
  renamed: PenLine,
  described: PenLine,
  deleted: Trash2,
  restored: Undo2,
  cases_changed: ListChecks,
  copied: Copy,
  moved_in: FolderInput,
  moved_out: FolderInput,
};

/** Describes an entry. The return type excludes undefined, so that the compiler reports a missing case. */
function describe({ type, version, label, from, to, cases, workspace, release }: HistoryEntry): ReactElement | string {
  const strong = (text: string) => <span className="wrap-anywhere font-medium">{text}</span>;
  switch (type) {
    case 'created':
      return strong(`Created with version ${version}`);
    case 'version_saved':
      return strong(`Version ${version}`);
    case 'version_deleted':
      return <>Version {version} deleted</>;
    case 'label_moved':
      return (
        <>
          {strong(label ?? '')}
          {from === undefined || from === null ? (
            <span className="text-ink-2">set to v{to}</span>
          ) : (
            <span className="flex items-center gap-1 text-ink-2 tabular">
              v{from} <ArrowRight aria-label="to" className="size-3" /> v{to}
            </span>
          )}
        </>
      );
    case 'label_removed':
      return <>{strong(label ?? '')} removed</>;
    case 'release_started':
    case 'release_widened':
    case 'release_paused':
    case 'release_resumed':
    case 'release_rolled_back':
    case 'release_finished':
      return <ReleaseChange type={type} label={label} release={release} />;
    case 'renamed':
      return (
        <span className="wrap-anywhere">
          Renamed from {from} to {strong(String(to))}
        </span>
      );
    case 'described':
      return 'Description or tags changed';
    case 'deleted':
      return 'Moved to the bin';
    case 'restored':
      return 'Restored from the bin';
    case 'copied':
    case 'moved_in':
      return (
        <span className="wrap-anywhere">
          {type === 'copied' ? 'Copied' : 'Moved here'} from {strong(String(from))} in {workspace}
        </span>
      );
    case 'moved_out':
      return (
        <span className="wrap-anywhere">
          Moved to {strong(String(to))} in {workspace}
        </span>
      );
    case 'cases_changed':
      return (
        <span className="wrap-anywhere">
          {cases && cases.count > 1 ? `${cases.count} test cases` : <>Test case {strong(cases?.name ?? '')}</>} {cases?.action}
        </span>
      );
  }
}

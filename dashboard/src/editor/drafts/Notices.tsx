import { History, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../lib/cx.ts';
import { formatAgo } from '../../lib/format.ts';
import type { Prompt } from '../../lib/types.ts';
import { Button } from '../../ui/Button.tsx';
import type { Work } from './use-draft.ts';

interface NoticesProps {
  prompt: Prompt;
  work: Work;
  onReview: () => void;
}

/** Tells the user that a draft was restored, that it cannot be stored, or that a newer version was saved. */
export function Notices({ prompt, work, onReview }: NoticesProps) {
  const { base, lostBase, isDirty, isStored, restoredAt, dismissRestored } = work;
  const isBehind = isDirty && (lostBase !== undefined || prompt.latestVersion > base.version);
  return (
    <>
      {isBehind && (
        <Notice tone="warn" action={<Button onClick={onReview}>Review</Button>}>
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          Version {prompt.latestVersion} was saved in the meantime. Your changes are based on version {lostBase ?? base.version}
          {lostBase !== undefined && ', which was deleted, so they cannot be merged automatically'}.
        </Notice>
      )}
      {restoredAt !== undefined && isDirty && !isBehind && <RestoredNotice at={restoredAt} onDismiss={dismissRestored} />}
      {!isStored && <NotStoredNotice />}
    </>
  );
}

/** Says that a draft was restored when the user reloaded the page or returned to it. */
export function RestoredNotice({ at, onDismiss }: { at: string; onDismiss: () => void }) {
  return (
    <Notice
      tone="neutral"
      action={
        <Button size="sm" kind="ghost" onClick={onDismiss}>
          OK
        </Button>
      }
    >
      <History aria-hidden className="size-4 shrink-0" />
      Your unsaved changes from {formatAgo(at)} were restored.
    </Notice>
  );
}

export function NotStoredNotice() {
  return (
    <Notice tone="warn">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      This browser cannot keep your unsaved changes. Save before you leave the page.
    </Notice>
  );
}

export function Notice({ tone, action, children }: { tone: 'warn' | 'neutral'; action?: ReactNode; children: ReactNode }) {
  return (
    <div
      role="status"
      className={cx(
        'mb-4 flex shrink-0 flex-wrap items-center justify-between gap-2 rounded-lg px-3 py-2',
        tone === 'warn' ? 'bg-warn-soft text-warn' : 'border border-line bg-surface text-ink-2',
      )}
    >
      <p className="flex items-center gap-2">{children}</p>
      <div className="flex gap-1">{action}</div>
    </div>
  );
}

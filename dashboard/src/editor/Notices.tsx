import { History, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { formatAgo } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import type { Work } from './use-draft.ts';

interface NoticesProps {
  prompt: Prompt;
  work: Work;
  onReview: () => void;
}

/** Tells the user that a draft was restored or that a newer version was saved. */
export function Notices({ prompt, work, onReview }: NoticesProps) {
  const { base, isDirty, restoredAt, restart, dismissRestored } = work;
  const isBehind = isDirty && prompt.latestVersion > base.version;
  return (
    <>
      {isBehind && (
        <Notice tone="warn" action={<Button onClick={onReview}>Review</Button>}>
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          Version {prompt.latestVersion} was saved in the meantime. Your changes are based on version {base.version}.
        </Notice>
      )}
      {restoredAt !== undefined && isDirty && !isBehind && (
        <Notice
          tone="neutral"
          action={
            <>
              <Button size="sm" onClick={() => restart(base)}>
                Discard
              </Button>
              <Button size="sm" kind="ghost" onClick={dismissRestored}>
                Keep
              </Button>
            </>
          }
        >
          <History aria-hidden className="size-4 shrink-0" />
          Your unsaved changes from {formatAgo(restoredAt)} were restored.
        </Notice>
      )}
    </>
  );
}

function Notice({ tone, action, children }: { tone: 'warn' | 'neutral'; action: ReactNode; children: ReactNode }) {
  return (
    <div
      role="status"
      className={cx(
        'mb-4 flex flex-wrap items-center justify-between gap-2 rounded-lg px-3 py-2',
        tone === 'warn' ? 'bg-warn-soft text-warn' : 'border border-line bg-surface text-ink-2',
      )}
    >
      <p className="flex items-center gap-2">{children}</p>
      <div className="flex gap-1">{action}</div>
    </div>
  );
}

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { formatNumber, plural } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { BulkProgress, BulkResult } from './actions.ts';

interface BulkDialogProps {
  title: string;
  confirm: string;
  isDangerous?: boolean;
  isPossible: boolean;
  onClose: () => void;
  /** Makes the change while the dialog stays open. Returns the result, unless the caller reports it or the change failed. */
  onConfirm: (progress: BulkProgress) => Promise<BulkResult | undefined>;
  /** Called after all prompts were changed, or after the user has read which prompts were not changed. */
  onDone: () => void;
  children: ReactNode;
}

/**
 * A dialog about several prompts. While the prompts are being changed, the dialog shows how many are done. Cancel waits for the requests in
 * progress and starts no more.
 */
export function BulkDialog({ title, confirm, isDangerous = false, isPossible, onClose, onConfirm, onDone, children }: BulkDialogProps) {
  const [progress, setProgress] = useState<{ count: number; total: number }>();
  const [isStopping, setIsStopping] = useState(false);
  const [result, setResult] = useState<BulkResult>();
  const controller = useRef<AbortController>(undefined);
  const isBusy = progress !== undefined;

  // The change stops when the dialog is removed, for example because the user left the page.
  useEffect(() => () => controller.current?.abort(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible || isBusy) return;
    controller.current = new AbortController();
    setProgress({ count: 0, total: 0 });
    const { signal } = controller.current;
    const outcome = await onConfirm({ signal, onProgress: (count, total) => setProgress({ count, total }) });
    if (!outcome) return setProgress(undefined);
    if (outcome.failed.length + outcome.left > 0) setResult(outcome);
    else onDone();
  };
  const cancel = () => {
    if (!isBusy) return onClose();
    setIsStopping(true);
    controller.current?.abort();
  };

  if (result) return <BulkReport result={result} onClose={onDone} />;
  return (
    <Dialog open onOpenChange={cancel} title={title}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <fieldset disabled={isBusy} className="space-y-4">
          {children}
        </fieldset>
        {progress !== undefined && progress.total > 1 && (
          <div className="space-y-1.5">
            <progress
              aria-label={title}
              className="block h-1.5 w-full overflow-hidden rounded-full accent-accent"
              value={progress.count}
              max={progress.total}
            />
            <p className="text-ink-3 text-xs tabular">
              {formatNumber(progress.count)} of {formatNumber(progress.total)}
            </p>
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={cancel} disabled={isStopping}>
            {isStopping ? 'Stopping…' : 'Cancel'}
          </Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} busy={isBusy} disabled={!isPossible}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const maxShown = 200;

/** Reports which prompts were changed, which were not, and why not. */
function BulkReport({ result: { done, failed, left }, onClose }: { result: BulkResult; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={left > 0 ? 'Stopped' : 'Not all prompts were changed'}>
      <p className="mb-3">
        {plural(done.length, 'prompt')} changed
        {failed.length > 0 && `, ${formatNumber(failed.length)} failed`}
        {left > 0 && `, ${formatNumber(left)} not changed`}.
      </p>
      {failed.length > 0 && (
        <ul aria-label="Failures" className="mb-4 max-h-72 space-y-2 overflow-y-auto">
          {failed.slice(0, maxShown).map(({ name, text }) => (
            <li key={name} className="wrap-anywhere">
              <span dir="auto" className="font-medium">
                {name}
              </span>
              <span className="block text-ink-2">{text}</span>
            </li>
          ))}
          {failed.length > maxShown && <li className="text-ink-3">and {formatNumber(failed.length - maxShown)} more</li>}
        </ul>
      )}
      <div className="flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

export interface BulkDialogOptions<T> {
  prompts: T[];
  onClose: () => void;
  onDone: () => void;
}

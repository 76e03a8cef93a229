import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, RotateCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { accountQuery, fetchKey, resetKey } from './account.ts';

const mask = `ph_${'•'.repeat(24)}`;

export function ApiKeysPage() {
  const [shown, setShown] = useState<string>();
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <KeySection shown={shown} isNew={isNew} onShow={setShown} onNew={() => setIsNew(true)} />
      <HandlingRules />
    </>
  );
}

interface KeySectionProps {
  shown: string | undefined;
  isNew: boolean;
  onShow: (key: string | undefined) => void;
  onNew: () => void;
}

function KeySection({ shown, isNew, onShow, onNew }: KeySectionProps) {
  const account = useQuery(accountQuery);
  const [busy, setBusy] = useState<'show' | 'reset'>();
  const [asking, setAsking] = useState(false);

  const run = async (kind: 'show' | 'reset', work: () => Promise<void>) => {
    setBusy(kind);
    try {
      await work();
    } catch (err) {
      toastFailure(messageOf(err));
    } finally {
      setBusy(undefined);
      setAsking(false);
    }
  };
  const show = () => run('show', async () => onShow(await fetchKey()));
  const reset = () =>
    run('reset', async () => {
      onShow(await resetKey());
      onNew();
      void account.refetch();
      toast('The key is reset. The old one no longer works.');
    });

  return (
    <Section
      title="Your API key"
      description={
        <>
          Your account has exactly one. Programs send it with every call:{' '}
          <code className="font-mono text-xs">Authorization: Bearer {'<key>'}</code>
        </>
      }
      footer={
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-3 text-xs">
            {account.data ? (
              <>
                Made <time title={formatDateTime(account.data.keyCreatedAt)}>{formatAgo(account.data.keyCreatedAt)}</time>. Reset it from
                time to time, and at once if it may have leaked.
              </>
            ) : (
              'Reset it from time to time, and at once if it may have leaked.'
            )}
          </p>
          <Button onClick={() => setAsking(true)}>
            <RotateCw aria-hidden className="size-4" />
            Reset
          </Button>
        </div>
      }
    >
      {isNew && (
        <div role="status" className="mb-3 flex gap-2 rounded-md bg-accent-soft px-3 py-2 text-accent-ink">
          This is your new key. Put it wherever the old one was: the old one is refused from now on.
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <code
          data-testid="api-key"
          className="flex min-h-8 min-w-0 flex-1 basis-72 items-center rounded-md border border-line-strong bg-sunken px-2.5 py-1 font-mono text-xs break-all"
        >
          {shown ?? (
            <>
              <span aria-hidden>{mask}</span>
              <span className="sr-only">Hidden key</span>
            </>
          )}
        </code>
        <Button busy={busy === 'show'} onClick={() => (shown === undefined ? show() : onShow(undefined))}>
          {shown === undefined ? <Eye aria-hidden className="size-4" /> : <EyeOff aria-hidden className="size-4" />}
          {shown === undefined ? 'Show' : 'Hide'}
        </Button>
        <CopyButton text={shown ?? fetchKey} />
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Reset the API key?"
        confirm="Reset key"
        busy={busy === 'reset'}
        onConfirm={reset}
      >
        <p>A new key is made and the current one stops working at once, everywhere.</p>
        <p>
          Every program that still uses the current key gets <b className="font-medium text-ink">401 Unauthorized</b> until you give it the
          new one. This cannot be undone.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

const rules = [
  'Keep the key out of source code and version control. Use an environment variable or a secret store.',
  'Do not expose it in client-side code: whatever a browser or an app receives, others can read.',
  'Pass it only where it is needed.',
  'Reset it periodically, and after a suspected leak.',
];

function HandlingRules() {
  return (
    <Section title="Handle it with care">
      <ul className="space-y-2 text-ink-2">
        {rules.map((rule) => (
          <li key={rule} className="flex gap-2.5">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
            {rule}
          </li>
        ))}
      </ul>
    </Section>
  );
}

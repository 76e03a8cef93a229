import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye, EyeOff, RotateCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { messageOf } from '../lib/api.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import { mayManage, titleOf, useWorkspace } from '../lib/workspace.ts';
import { membersQuery } from '../members/queries.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { accountQuery, fetchKey, resetKey } from './account.ts';

const resetAdvice = 'Reset it periodically, and immediately if it may have leaked.';
const mask = `ph_${'•'.repeat(24)}`;

export function ApiKeysPage() {
  const [shown, setShown] = useState<string>();
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <KeySection shown={shown} isNew={isNew} onShow={setShown} onNew={() => setIsNew(true)} />
      <WorkspaceKeys />
      <KeySafety />
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
  const [confirming, setConfirming] = useState(false);

  const run = async (kind: 'show' | 'reset', work: () => Promise<void>) => {
    setBusy(kind);
    try {
      await work();
    } catch (err) {
      toastFailure(messageOf(err));
    } finally {
      setBusy(undefined);
      setConfirming(false);
    }
  };
  const show = () => run('show', async () => onShow(await fetchKey()));
  const reset = () =>
    run('reset', async () => {
      onShow(await resetKey());
      onNew();
      void account.refetch();
      toast('API key reset. The old key no longer works.');
    });

  return (
    <Section
      title="Your API key"
      description={
        <>
          Your account has one key. Send it with every request: <code className="font-mono text-xs">Authorization: Bearer {'<key>'}</code>
        </>
      }
      footer={
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-3 text-xs">
            {account.data ? (
              <>
                Created <time title={formatDateTime(account.data.keyCreatedAt)}>{formatAgo(account.data.keyCreatedAt)}</time>. {resetAdvice}
              </>
            ) : (
              resetAdvice
            )}
          </p>
          <Button onClick={() => setConfirming(true)}>
            <RotateCw aria-hidden className="size-4" />
            Reset
          </Button>
        </div>
      }
    >
      {isNew && (
        <div role="status" className="mb-3 flex gap-2 rounded-md bg-accent-soft px-3 py-2 text-accent-ink">
          This is your new key. Use it everywhere instead of the old key, which no longer works.
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
        open={confirming}
        onOpenChange={setConfirming}
        title="Reset the API key?"
        confirm="Reset key"
        busy={busy === 'reset'}
        onConfirm={reset}
      >
        <p>This creates a new key. The current key stops working immediately.</p>
        <p>
          Every application that still uses the current key gets <b className="font-medium text-ink">401 Unauthorized</b> until it uses the
          new key. This cannot be undone.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

/** Explains how the key works in a workspace that is not the user's own and, for admins, lists the keys of programs. */
function WorkspaceKeys() {
  const workspace = useWorkspace();
  const canManage = mayManage(workspace);
  const { data } = useQuery({ ...membersQuery, enabled: canManage });
  const programs = data?.members.filter(({ kind }) => kind === 'service') ?? [];
  return (
    <>
      {!workspace.isOwn && workspace.listed && (
        <Section
          title={`In ${titleOf(workspace.listed)}`}
          description="Your key works in your own workspace. To use the key in this workspace, send this header. Service accounts need no header."
        >
          <div className="flex items-center gap-1">
            <code className="min-w-0 font-mono text-xs break-all">
              {workspaceHeader}: {workspace.id}
            </code>
            <CopyButton iconOnly label="Copy header" text={`${workspaceHeader}: ${workspace.id}`} />
          </div>
        </Section>
      )}
      {canManage && (
        <Section
          title="Keys for programs"
          description="Create a service account for each program. Its key has its own role and does not depend on a person."
          actions={
            <Link to="/dashboard/settings/members" className={buttonClass('secondary')}>
              Go to Members
            </Link>
          }
        >
          {programs.length > 0 && (
            <ul className="divide-y divide-line">
              {programs.map(({ userId, name, role, keyLastUsedAt }) => (
                <li key={userId} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0">
                  <span className="min-w-0 truncate font-medium">{name}</span>
                  <Badge>{role}</Badge>
                  <span className="ml-auto text-ink-3 text-xs">{keyLastUsedAt ? `Used ${formatAgo(keyLastUsedAt)}` : 'Never used'}</span>
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
    </>
  );
}

const rules = [
  'Keep it out of source code and version control. Use an environment variable or a secret manager.',
  'Do not use it in client-side code. Anyone can read what a browser or a mobile app receives.',
  'Give it only to the applications that need it.',
];

function KeySafety() {
  return (
    <Section title="Keep your key safe">
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

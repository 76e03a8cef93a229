import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { createPasskey, findPasskeyObstacle } from '../auth/passkeys.ts';
import { call } from '../lib/api.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Account, Passkey } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { accountQuery, passkeysQuery, sessionsQuery } from './account.ts';
import { PasskeyNameDialog } from './PasskeyNameDialog.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useFreshSignIn } from './use-fresh-sign-in.tsx';

type Step = { add: true } | { rename: Passkey } | { remove: Passkey } | { recoveryCodes: string[] };

export function Passkeys({ account }: { account: Account }) {
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [step, setStep] = useState<Step>();
  const { runFresh, dialog } = useFreshSignIn(account);
  const obstacle = findPasskeyObstacle();
  const close = () => setStep(undefined);
  const refresh = () => {
    for (const { queryKey } of [accountQuery, passkeysQuery, sessionsQuery]) void queries.invalidateQueries({ queryKey });
  };

  const add = async (name: string) => {
    close();
    await runFresh(async () => {
      const { recoveryCodes } = await createPasskey(name);
      refresh();
      if (recoveryCodes) setStep({ recoveryCodes });
      else toast('Passkey added.');
    });
  };
  const rename = async (id: string, name: string) => {
    await call('renamePasskey', { path: { id }, body: { name } });
    close();
    refresh();
  };
  const remove = async ({ id }: Passkey) => {
    close();
    await runFresh(async () => {
      await call('removePasskey', { path: { id } });
      refresh();
      toast('Passkey removed. All other sessions were signed out.');
    });
  };

  return (
    <Section
      title="Passkeys"
      description={
        obstacle ??
        'Sign in with your fingerprint, face, PIN or security key instead of your password. After you add a passkey, your password alone no longer signs you in: you also need the passkey or a code.'
      }
      actions={
        <Button disabled={obstacle !== undefined} onClick={() => setStep({ add: true })}>
          Add a passkey
        </Button>
      }
    >
      {passkeys.isPending && <Loading rows={1} />}
      {passkeys.isError && <Problem error={passkeys.error} onRetry={() => passkeys.refetch()} />}
      {passkeys.data && passkeys.data.length > 0 && (
        <ul className="divide-y divide-line">
          {passkeys.data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setStep({ rename: passkey })}
              onRemove={() => setStep({ remove: passkey })}
            />
          ))}
        </ul>
      )}
      {account.hasPasskeys && !account.twoFactor && (
        <NewRecoveryCodes account={account} onDone={(recoveryCodes) => setStep({ recoveryCodes })} />
      )}
      {step && 'add' in step && <PasskeyNameDialog title="Add a passkey" confirm="Continue" onSave={add} onClose={close} />}
      {step && 'rename' in step && (
        <PasskeyNameDialog
          title="Rename the passkey"
          confirm="Rename"
          name={step.rename.name}
          onSave={(name) => rename(step.rename.id, name)}
          onClose={close}
        />
      )}
      {step && 'remove' in step && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={`Remove the passkey “${step.remove.name}”?`}
          confirm="Remove"
          busy={false}
          onConfirm={() => void remove(step.remove)}
        >
          You can no longer sign in with it. All your other sessions are signed out. Delete the passkey from the device or password manager
          too.
        </ConfirmDialog>
      )}
      {step && 'recoveryCodes' in step && <RecoveryCodes codes={step.recoveryCodes} onClose={close} />}
      {dialog}
    </Section>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey: { name, host, createdAt, lastUsedAt }, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-3" strokeWidth={1.5} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
          {name}
          {host !== location.hostname && <Badge>Only for {host}</Badge>}
        </div>
        <div className="text-ink-3 text-xs">
          Added <time title={formatDateTime(createdAt)}>{formatAgo(createdAt)}</time>
          {lastUsedAt !== null && (
            <>
              {' · last used '}
              <time title={formatDateTime(lastUsedAt)}>{formatAgo(lastUsedAt)}</time>
            </>
          )}
        </div>
      </div>
      <Button size="sm" onClick={onRename} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      <Button size="sm" kind="danger-quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </li>
  );
}

/** Replaces the recovery codes of an account that has only passkeys as its second factor. */
function NewRecoveryCodes({ account, onDone }: { account: Account; onDone: (codes: string[]) => void }) {
  const { runFresh, dialog } = useFreshSignIn(account);
  const replace = () => runFresh(async () => onDone((await call('replaceRecoveryCodes', { body: {} })).recoveryCodes));
  return (
    <div className="mt-3">
      <Button onClick={replace}>New recovery codes</Button>
      {dialog}
    </div>
  );
}

import { type ReactNode, useState } from 'react';
import { isCanceled } from '../auth/passkeys.ts';
import { call, messageOf } from '../lib/api.ts';
import type { Account } from '../lib/types.ts';
import { toastFailure } from '../ui/toasts.ts';
import { ConfirmedDialog, isStaleSignIn } from './ConfirmedDialog.tsx';

/**
 * Runs actions that require a fresh sign-in. If the sign-in was too long ago, asks the user to confirm their identity, and then runs the
 * action again.
 */
export function useFreshSignIn(account: Account): { runFresh: (action: () => Promise<void>) => Promise<void>; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ action: () => Promise<void> }>();

  const run = async (action: () => Promise<void>) => {
    try {
      await action();
    } catch (err) {
      if (isStaleSignIn(err)) setWaiting({ action });
      else if (!isCanceled(err)) toastFailure(messageOf(err));
    }
  };

  const dialog = waiting && (
    <ConfirmedDialog
      account={account}
      title="Confirm that it is you"
      description="You signed in more than ten minutes ago."
      confirm="Confirm"
      kind="primary"
      isStale
      onConfirm={async (proof) => {
        if (proof.password !== undefined) await call('confirmSession', { body: proof });
        setWaiting(undefined);
        await run(waiting.action);
      }}
      onClose={() => setWaiting(undefined)}
    />
  );
  return { runFresh: run, dialog };
}

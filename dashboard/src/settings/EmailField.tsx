import { useState } from 'react';
import { VerificationEffect } from '../auth/VerificationEffect.tsx';
import { call, messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { accountQuery } from './account.ts';
import { type Confirmation, ConfirmedDialog } from './ConfirmedDialog.tsx';
import { credentialErrors } from './credential-errors.ts';

/** Shows the account's email address and, if there is one, a new address that awaits confirmation. */
export function EmailField({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  const { email, pendingEmail } = account;
  return (
    <div>
      <Field label="Email" value={email} disabled hint="You sign in with this address." />
      {pendingEmail === null ? (
        <Button size="sm" className="mt-2" onClick={() => setOpen(true)}>
          Change email…
        </Button>
      ) : (
        <PendingChange account={account} pendingEmail={pendingEmail} onRepeat={() => setOpen(true)} />
      )}
      {open && <EmailDialog account={account} onClose={() => setOpen(false)} />}
    </div>
  );
}

function PendingChange({ account, pendingEmail, onRepeat }: { account: Account; pendingEmail: string; onRepeat: () => void }) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      await call('cancelEmailChange', {});
      toast('Your email address stays the same.');
    } catch (err) {
      toastFailure(messageOf(err));
    }
    await queryClient.invalidateQueries(accountQuery);
    setBusy(false);
  };
  return (
    <div role="status" className="mt-2 rounded-md bg-sunken px-3 py-2 text-ink-2 text-xs">
      <p className="wrap-anywhere">
        Waiting for confirmation of <span className="font-medium text-ink">{pendingEmail}</span>.{' '}
        {account.sendsEmail
          ? 'Open the link that we sent to it.'
          : 'This server does not send email. Ask its operator for the link in the log.'}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={onRepeat}>
          Send again…
        </Button>
        <Button size="sm" busy={busy} onClick={cancel}>
          Cancel change
        </Button>
      </div>
    </div>
  );
}

function EmailDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const [email, setEmail] = useState(account.pendingEmail ?? '');
  const [error, setError] = useState<string>();
  const request = async (proof: Confirmation) => {
    setError(undefined);
    try {
      const { mailed } = await call('requestEmailChange', { body: { ...proof, email } });
      if (mailed) toast(`Link sent to ${email.trim()}. Open it while you are signed in.`);
      else toastFailure(account.sendsEmail ? 'The email could not be sent yet. Try again later.' : noMailText);
    } catch (err) {
      setError(credentialErrors(err).email);
      throw err;
    }
    await queryClient.invalidateQueries(accountQuery);
    onClose();
  };
  return (
    <ConfirmedDialog
      account={account}
      title="Change your email address"
      description={
        account.sendsEmail
          ? 'We send a link to the new address. Your address changes when you open the link while you are signed in. Your other sessions then end.'
          : noMailText
      }
      confirm={account.sendsEmail ? 'Send link' : 'Create link'}
      kind="primary"
      isReady={email.trim() !== ''}
      onConfirm={request}
      onClose={onClose}
    >
      <Field
        label="New email"
        type="email"
        autoComplete="email"
        maxLength={254}
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={error}
        hint={account.emailVerified ? 'Your API key and two-factor authentication stay the same.' : undefined}
      />
      {!account.emailVerified && <VerificationEffect />}
    </ConfirmedDialog>
  );
}

const noMailText =
  'This server does not send email. Ask its operator to send you the link from the server log, or to change your address with ' +
  '"promptharbor accounts set-email".';

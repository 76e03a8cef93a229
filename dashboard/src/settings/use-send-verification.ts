import { useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { toast, toastFailure } from '../ui/toasts.ts';

const unsentText =
  'No email was sent. If this server does not send email, ask its operator for the link in the log. Otherwise, try again later.';

/** Sends the link that verifies the account's email address, and says whether that succeeded. */
export function useSendVerification(email: string): { send: () => Promise<void>; busy: boolean } {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const { mailed } = await call('requestVerification', {});
      if (mailed) toast(`Verification link sent to ${email}.`);
      else toastFailure(unsentText);
    } catch (err) {
      toastFailure(messageOf(err));
    } finally {
      setBusy(false);
    }
  };
  return { send, busy };
}

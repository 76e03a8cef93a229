import { useState } from 'react';
import { VerificationEffect } from '../auth/VerificationEffect.tsx';
import { call, messageOf } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';

const unsentText =
  'No email was sent. If this server is not set up to send email, its operator can find the link in the log. Otherwise, try again later.';

/** Shown to an account whose email address is not verified. */
export function EmailVerification({ email }: { email: string }) {
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
  return (
    <Section
      title="Your email address is not verified"
      description="Until you verify it, you get no notifications by email, for example when a webhook is disabled."
      actions={
        <Button busy={busy} onClick={send}>
          Send verification email
        </Button>
      }
    >
      <VerificationEffect />
    </Section>
  );
}

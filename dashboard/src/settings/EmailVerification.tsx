import { useState } from 'react';
import { VerificationEffect } from '../auth/VerificationEffect.tsx';
import { messageOf, request } from '../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';

/** For an account whose address nobody has verified yet. */
export function EmailVerification({ email }: { email: string }) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await request('POST', '/api/account/verification');
      toast(`Verification link sent to ${email}. Without a mail server, the operator finds it in the log.`);
    } catch (err) {
      toastFailure(messageOf(err));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="Your email address is not verified"
      description="Until it is, this server sends no notifications to it, such as about a webhook that was disabled."
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

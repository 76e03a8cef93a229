import { VerificationEffect } from '../auth/VerificationEffect.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { useSendVerification } from './use-send-verification.ts';

/** Shown to an account whose email address is not verified. */
export function EmailVerification({ email }: { email: string }) {
  const { send, busy } = useSendVerification(email);
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

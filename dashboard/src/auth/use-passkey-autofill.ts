import { useEffect, useRef } from 'react';
import type { User } from '../lib/types.ts';
import { canAutofillPasskeys, isRefused, signInByPasskey } from './passkeys.ts';

/** The interval at which a new challenge is requested. A challenge is valid for five minutes. */
const renewAfterMs = 4 * 60 * 1000;

/** Lets the browser offer passkeys in the field for the email address, as long as the page is open. */
export function usePasskeyAutofill({ onSignedIn, onError }: { onSignedIn: (user: User) => void; onError: (error: unknown) => void }): void {
  const handlers = useRef({ onSignedIn, onError });
  handlers.current = { onSignedIn, onError };

  useEffect(() => {
    let isOpen = true;
    const offer = async () => {
      try {
        const user = await signInByPasskey({ autofill: true });
        if (isOpen) handlers.current.onSignedIn(user);
      } catch (err) {
        // Only a refused passkey is a result of the user's action. Other errors are not shown, such as when the browser refuses the
        // service's address.
        if (!isOpen || !isRefused(err)) return;
        handlers.current.onError(err);
        await offer();
      }
    };
    let timer: ReturnType<typeof setInterval> | undefined;
    const start = async () => {
      if (!(await canAutofillPasskeys()) || !isOpen) return;
      timer = setInterval(() => void offer(), renewAfterMs);
      await offer();
    };
    void start().catch(() => undefined);
    return () => {
      isOpen = false;
      clearInterval(timer);
      void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
    };
  }, []);
}

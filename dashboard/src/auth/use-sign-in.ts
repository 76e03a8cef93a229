import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import type { User } from '../lib/types.ts';
import { findMissingFields } from './missing-fields.ts';
import { signInByPasskey } from './passkeys.ts';

/**
 * Signs in with a passkey, or with a password in one or two steps. Only after a correct password does the server reveal whether a code is
 * needed too.
 */
export function useSignIn(onSignedIn: (user: User) => void) {
  const [needsCode, setNeedsCode] = useState(false);
  const [codeHint, setCodeHint] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<{ form?: string; fields: Record<string, string> }>({ fields: {} });

  const signIn = async ({ email, password, code }: { email: string; password: string; code: string }) => {
    const missing = findMissingFields({ email, password });
    setError({ fields: missing });
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      onSignedIn(await call('signIn', { body: { email, password, ...(needsCode && code && { code }) } }));
    } catch (err) {
      if (err instanceof ApiError && err.code === 'code_required') {
        setNeedsCode(true);
        // If the account has no authenticator app, the message says what else is accepted.
        if (!err.message.includes('authenticator app')) setCodeHint(err.message);
        if (needsCode) setError({ fields: { code: err.message } });
      } else if (err instanceof ApiError && err.code === 'invalid_code') {
        setError({ fields: { code: 'The code is wrong or was already used. Try the next one.' } });
      } else {
        const fields = errorsByField(err);
        setError({ fields, ...(Object.keys(fields).length === 0 && { form: messageOf(err) }) });
      }
    } finally {
      setBusy(false);
    }
  };

  const usePasskey = async () => onSignedIn(await signInByPasskey());
  const showError = (err: unknown) => setError({ fields: {}, ...(err !== undefined && { form: messageOf(err) }) });

  return { signIn, signInByPasskey: usePasskey, needsCode, codeHint, busy, error, showError };
}

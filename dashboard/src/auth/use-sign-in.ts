import { useState } from 'react';
import { ApiError, faultsByField, messageOf, request } from '../lib/api.ts';
import type { User } from '../lib/types.ts';

/** Signing in, in one step or two: whether a code is wanted too is known only once the password was right. */
export function useSignIn(onSignedIn: (user: User) => void) {
  const [wantsCode, setWantsCode] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<{ form?: string; fields: Record<string, string> }>({ fields: {} });

  const signIn = async ({ email, password, code }: { email: string; password: string; code: string }) => {
    setBusy(true);
    setError({ fields: {} });
    try {
      onSignedIn(await request<User>('POST', '/api/session/sign-in/email', { email, password, ...(wantsCode && code && { code }) }));
    } catch (err) {
      if (err instanceof ApiError && err.code === 'code_required') {
        setWantsCode(true);
        if (wantsCode) setError({ fields: { code: 'Enter the code from your authenticator app' } });
      } else if (err instanceof ApiError && err.code === 'invalid_code') {
        setError({ fields: { code: 'This code is not right, or was used already. Try the next one.' } });
      } else {
        const fields = faultsByField(err);
        setError({ fields, ...(Object.keys(fields).length === 0 && { form: messageOf(err) }) });
      }
    } finally {
      setBusy(false);
    }
  };

  return { signIn, wantsCode, busy, error };
}

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { signOut } from '../lib/session.ts';
import { Button } from '../ui/Button.tsx';
import { toastFailure } from '../ui/toasts.ts';

/** Signs out. After someone else signs in, opens the same page again. */
export function SwitchAccount({ next }: { next: string }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const change = async () => {
    setBusy(true);
    try {
      await signOut({ atProvider: false });
      await navigate({ to: '/login', search: { next } });
    } catch (err) {
      toastFailure(messageOf(err));
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" busy={busy} onClick={change} className="w-full">
      Sign in with another account
    </Button>
  );
}

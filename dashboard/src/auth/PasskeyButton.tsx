import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { findPasskeyObstacle, isCanceled } from './passkeys.ts';

interface PasskeyButtonProps {
  /** Asks for a passkey and performs the action that requires it. */
  onUse: () => Promise<void>;
  onError: (error: unknown) => void;
  className?: string;
}

/** Asks for a passkey. The button is not shown where passkeys do not work. */
export function PasskeyButton({ onUse, onError, className }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);
  if (findPasskeyObstacle() !== undefined) return null;

  const use = async () => {
    setBusy(true);
    onError(undefined);
    try {
      await onUse();
    } catch (err) {
      if (!isCanceled(err)) onError(err);
    }
    setBusy(false);
  };

  return (
    <Button onClick={use} busy={busy} {...(className !== undefined && { className })}>
      <KeyRound aria-hidden className="size-4" />
      Use a passkey
    </Button>
  );
}

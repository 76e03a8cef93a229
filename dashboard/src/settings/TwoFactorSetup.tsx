import { type FormEvent, useState } from 'react';
import { encode } from 'uqr';
import { CodeField } from '../auth/CodeField.tsx';
import { call, messageOf } from '../lib/api.ts';
import type { TwoFactorSecret } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { credentialErrors } from './credential-errors.ts';

interface TwoFactorSetupProps {
  secret: TwoFactorSecret;
  onClose: () => void;
  onDone: (recoveryCodes: string[]) => void;
}

/** Shows the secret, and confirms with a first code that the app has stored it. */
export function TwoFactorSetup({ secret, onClose, onDone }: TwoFactorSetupProps) {
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = credentialErrors(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      onDone((await call('confirmTwoFactor', { body: { code } })).recoveryCodes);
    } catch (err) {
      setError(err);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Set up two-factor authentication"
      description="Scan this with your authenticator app, then enter the code it shows."
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
        <div className="flex flex-col items-center gap-3 rounded-lg border border-line bg-sunken p-4">
          <QrCode text={secret.uri} />
          <div className="flex items-center gap-1">
            <code className="break-all font-mono text-xs">{secret.secret}</code>
            <CopyButton iconOnly label="Copy secret" text={secret.secret} />
          </div>
        </div>
        <CodeField value={code} onChange={setCode} error={fields.code} recovery={false} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Turn on
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg role="img" aria-label="QR code with the secret" viewBox={`0 0 ${size} ${size}`} className="size-44 rounded-md bg-[#fff]">
      <path d={path} className="fill-[#000]" shapeRendering="crispEdges" />
    </svg>
  );
}

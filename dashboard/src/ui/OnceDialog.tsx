import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';
import { useHoldPage } from './use-hold-page.ts';

interface OnceDialogProps {
  title: string;
  description: string;
  secret: string;
  copyLabel: string;
  testId: string;
  /** A description of the secret's purpose. */
  children: ReactNode;
  onClose: () => void;
}

/** Shows a secret once. Only the button closes the dialog, so that no secret is lost by a stray click. */
export function OnceDialog({ title, description, secret, copyLabel, testId, children, onClose }: OnceDialogProps) {
  useHoldPage();
  const footer = (
    <>
      <CopyButton text={secret} label={copyLabel} />
      <Button kind="primary" onClick={onClose}>
        I have saved it
      </Button>
    </>
  );
  return (
    <Dialog open title={title} description={description} footer={footer}>
      <code data-testid={testId} className="block rounded-md border border-line bg-sunken p-3 font-mono text-xs break-all">
        {secret}
      </code>
      <p className="mt-2 text-ink-3 text-xs">{children}</p>
    </Dialog>
  );
}

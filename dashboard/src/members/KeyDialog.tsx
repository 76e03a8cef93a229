import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { ShownKey } from './ServiceAccounts.tsx';

/** Shows a key once. Only the button closes it, so that no key is lost by a stray click. */
export function KeyDialog({ shownKey: { name, token }, onClose }: { shownKey: ShownKey; onClose: () => void }) {
  return (
    <Dialog
      open
      title={`The key of ${name}`}
      description="Copy it now. It is not shown again; if it gets lost, reset it."
      footer={
        <>
          <CopyButton text={token} label="Copy key" />
          <Button kind="primary" onClick={onClose}>
            I have saved it
          </Button>
        </>
      }
    >
      <code data-testid="service-key" className="block rounded-md border border-line bg-sunken p-3 font-mono text-xs break-all">
        {token}
      </code>
      <p className="mt-2 text-ink-3 text-xs">The program sends it as “Authorization: Bearer”. It acts in this workspace.</p>
    </Dialog>
  );
}

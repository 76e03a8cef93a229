import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save your recovery codes"
      description="If you lose access to your authenticator app, sign in with one of these instead. Each works once. They will not be shown again."
      footer={
        <>
          <CopyButton text={codes.join('\n')} label="Copy recovery codes" />
          <Button kind="primary" onClick={onClose}>
            I have saved them
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}

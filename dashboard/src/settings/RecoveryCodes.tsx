import { Download } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useHoldPage } from '../ui/use-hold-page.ts';

/** Shows the recovery codes. They are shown only once, so the dialog stays open until the user confirms that they are saved. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  useHoldPage();
  return (
    <Dialog
      open
      title="Save your recovery codes"
      description="If you lose your authenticator app or your passkeys, sign in with your password and one of these codes. Each code works once. The codes are not shown again."
      footer={
        <Button kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      }
    >
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] gap-x-4 gap-y-1.5 rounded-lg border border-line bg-sunken p-4 font-mono text-xs">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex gap-2">
        <CopyButton text={text} label="Copy recovery codes" />
        <Button onClick={() => download('promptharbor-recovery-codes.txt', `${text}\n`)} aria-label="Download recovery codes">
          <Download aria-hidden className="size-4" />
          Download
        </Button>
      </div>
    </Dialog>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

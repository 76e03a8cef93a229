import { OnceDialog } from '../ui/OnceDialog.tsx';

/** A new key, which is shown only once. */
export interface ShownKey {
  name: string;
  token: string;
}

export function KeyDialog({ shownKey: { name, token }, onClose }: { shownKey: ShownKey; onClose: () => void }) {
  return (
    <OnceDialog
      title={`API key for ${name}`}
      description="Copy the key now. It is not shown again. If you lose the key, reset it."
      secret={token}
      copyLabel="Copy key"
      testId="service-key"
      onClose={onClose}
    >
      The program sends the key in the header “Authorization: Bearer”. The key works in this workspace.
    </OnceDialog>
  );
}

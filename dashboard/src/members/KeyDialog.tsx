import { OnceDialog } from '../ui/OnceDialog.tsx';

/** A new key, which is shown once. */
export interface ShownKey {
  name: string;
  token: string;
}

export function KeyDialog({ shownKey: { name, token }, onClose }: { shownKey: ShownKey; onClose: () => void }) {
  return (
    <OnceDialog
      title={`The key of ${name}`}
      description="Copy it now. It is not shown again; if it gets lost, reset it."
      secret={token}
      copyLabel="Copy key"
      testId="service-key"
      onClose={onClose}
    >
      The program sends it as “Authorization: Bearer”. It acts in this workspace.
    </OnceDialog>
  );
}

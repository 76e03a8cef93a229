import { useRouterState } from '@tanstack/react-router';
import { ProviderButtons } from '../auth/ProviderButtons.tsx';
import { SwitchAccount } from '../auth/SwitchAccount.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Asks to sign in again before a change that a stolen session must not make. */
export function SignInAgain({ onClose }: { onClose: () => void }) {
  const next = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Sign in again"
      description="You signed in more than 10 minutes ago. Confirm that it is you, then repeat the change."
    >
      <ProviderButtons next={next} fresh />
      <SwitchAccount next={next} label="Sign in another way" />
    </Dialog>
  );
}

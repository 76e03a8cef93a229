import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { SwitchAccount } from '../auth/SwitchAccount.tsx';
import { sessionQuery } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useEnterWorkspace } from './use-switch-workspace.ts';

/** Shown for a link to a workspace that the user is not a member of. The page does not reveal whether the workspace exists. */
export function NoAccessPage() {
  useTitle('No access');
  const { data: user } = useQuery(sessionQuery);
  const enter = useEnterWorkspace();
  const next = useLocation({ select: ({ href }) => href });
  return (
    <main className="py-16">
      <h1 className="sr-only">No access</h1>
      <EmptyState
        icon={Lock}
        title="You are not a member of this workspace"
        action={
          user && (
            <div className="flex flex-col gap-2">
              <SwitchAccount next={next} />
              <Button onClick={() => enter(user.userId, '/dashboard/prompts')}>Go to your workspace</Button>
            </div>
          )
        }
      >
        Ask the person who sent you this link to invite {user?.email}, or sign in with another account.
      </EmptyState>
    </main>
  );
}

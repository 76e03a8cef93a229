import { useQuery } from '@tanstack/react-query';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { ActivityList } from './ActivityList.tsx';
import { accountQuery } from './account.ts';
import { Identities } from './Identities.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SessionList } from './SessionList.tsx';
import { TwoFactor } from './TwoFactor.tsx';

export function SecurityPage() {
  const account = useQuery(accountQuery);
  if (account.isPending) return <Loading rows={8} />;
  if (account.isError) return <Problem error={account.error} onRetry={() => account.refetch()} />;
  return (
    <>
      <PasswordForm account={account.data} />
      <Passkeys account={account.data} />
      <Identities account={account.data} />
      {/* An account without a password needs no second factor here, because its provider can ask for one. */}
      {(account.data.hasPassword || account.data.twoFactor) && <TwoFactor account={account.data} />}
      <SessionList />
      <ActivityList />
    </>
  );
}

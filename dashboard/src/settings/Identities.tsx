import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { describeProblem, signInOptionsQuery } from '../auth/sign-in-options.ts';
import { call } from '../lib/api.ts';
import { formatAgo } from '../lib/format.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { FormError } from '../ui/Field.tsx';
import { Problem } from '../ui/Problem.tsx';
import { toast } from '../ui/toasts.ts';
import { identitiesQuery } from './account.ts';
import { useFreshSignIn } from './use-fresh-sign-in.tsx';

/** The providers at which the account's owner can sign in. */
export function Identities({ account }: { account: Account }) {
  const queries = useQueryClient();
  const { problem } = useSearch({ from: '/dashboard/settings/security' });
  const { data: options } = useQuery(signInOptionsQuery);
  const identities = useQuery(identitiesQuery);
  const { runFresh, dialog } = useFreshSignIn(account);
  const link = useMutation({
    mutationFn: (provider: string) => call('linkIdentity', { path: { provider } }),
  });
  const unlink = useMutation({
    mutationFn: (issuer: string) => call('unlinkIdentity', { body: { issuer } }),
    onSuccess: () => toast('Provider unlinked. Other sessions that signed in with it were ended.'),
    onSettled: () => queries.invalidateQueries(identitiesQuery),
  });

  if (identities.isError) return <Problem error={identities.error} onRetry={() => identities.refetch()} />;
  const linked = identities.data ?? [];
  const linkable = (options?.providers ?? []).filter(({ id }) => !linked.some(({ provider }) => provider === id));
  if (linked.length === 0 && linkable.length === 0) return null;
  return (
    <Section
      title="Sign-in providers"
      description="Sign in with an account that you have at a provider. The email address of your account here does not change."
    >
      <FormError>{describeProblem(problem)}</FormError>
      <ul className="divide-y divide-line">
        {linked.map(({ issuer, name, email, lastUsedAt }) => (
          <li key={issuer} className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1">
              <div className="font-medium">{name}</div>
              <div className="text-ink-3 text-xs wrap-anywhere">
                {email !== null && `${email} · `}last used {formatAgo(lastUsedAt)}
              </div>
            </div>
            <Button
              size="sm"
              busy={unlink.isPending && unlink.variables === issuer}
              onClick={() => runFresh(() => unlink.mutateAsync(issuer))}
            >
              Unlink<span className="sr-only"> {name}</span>
            </Button>
          </li>
        ))}
        {linkable.map(({ id, name }) => (
          <li key={id} className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1 font-medium">{name}</div>
            <Button
              size="sm"
              busy={link.isPending && link.variables === id}
              onClick={() => runFresh(() => link.mutateAsync(id).then(({ url }) => location.assign(url)))}
            >
              Link<span className="sr-only"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {dialog}
    </Section>
  );
}

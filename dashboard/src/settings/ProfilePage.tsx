import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { maxAccountNameLength } from '../../../src/contract/limits.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { formatDate } from '../lib/format.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Account } from '../lib/types.ts';
import { workspacesQuery } from '../lib/workspace.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Field } from '../ui/Field.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { accountQuery } from './account.ts';
import { DeleteAccount } from './DeleteAccount.tsx';
import { EmailField } from './EmailField.tsx';
import { EmailVerification } from './EmailVerification.tsx';

export function ProfilePage() {
  const account = useQuery(accountQuery);
  if (account.isPending) return <Loading rows={4} />;
  if (account.isError) return <Problem error={account.error} onRetry={() => account.refetch()} />;
  return (
    <>
      <ProfileForm account={account.data} />
      {!account.data.emailVerified && <EmailVerification email={account.data.email} />}
      <Section
        title="API key"
        description="Show, copy or reset your key in the API Keys tab."
        actions={
          <Link to="/dashboard/settings/api-keys" className={buttonClass('secondary')}>
            Go to API Keys
          </Link>
        }
      />
      <DeleteAccount account={account.data} />
    </>
  );
}

function ProfileForm({ account }: { account: Account }) {
  const queries = useQueryClient();
  const [name, setName] = useState(account.name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await call('changeAccount', { body: { name } });
      await Promise.all([accountQuery, sessionQuery, workspacesQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));
      toast('Name saved.');
    } catch (err) {
      const message = errorsByField(err).name;
      if (message) setError(message);
      else toastFailure(messageOf(err));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={save} noValidate>
      <Section
        title="Profile"
        footer={
          <div className="flex items-center justify-between gap-3">
            <p className="text-ink-3 text-xs">Member since {formatDate(account.createdAt)}</p>
            <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === account.name || name.trim() === ''}>
              Save
            </Button>
          </div>
        }
      >
        <div className="grid max-w-md gap-4">
          <Field
            label="Name"
            autoComplete="name"
            maxLength={maxAccountNameLength}
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={error}
          />
          <EmailField account={account} />
          <div>
            <div className="mb-1.5 font-medium">User ID</div>
            <div className="flex items-center gap-1">
              <code className="truncate font-mono text-ink-2 text-xs">{account.userId}</code>
              <CopyButton iconOnly label="Copy user ID" text={account.userId} />
            </div>
          </div>
        </div>
      </Section>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, messageOf } from '../lib/api.ts';
import { formatAgo } from '../lib/format.ts';
import { sessionQuery } from '../lib/session.ts';
import type { CliSignIn } from '../lib/types.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { SwitchAccount } from './SwitchAccount.tsx';

const title = 'Sign in on the command line';

/** The page on which a person approves a command-line sign-in. */
export function CliSignInPage() {
  const { code } = useSearch({ from: '/cli' });
  const session = useQuery(sessionQuery);
  if (session.isPending) {
    return (
      <AuthLayout title={title}>
        <Loading label="Loading" rows={2} />
      </AuthLayout>
    );
  }
  const next = code === undefined ? '/cli' : `/cli?code=${encodeURIComponent(code)}`;
  if (!session.data) {
    return (
      <AuthLayout title={title} description="Sign in to the account whose API key the command line should use.">
        <Link to="/login" search={{ next }} className={`${buttonClass('primary')} w-full`}>
          Sign in
        </Link>
      </AuthLayout>
    );
  }
  const { email } = session.data;
  return code === undefined ? <EnterCode email={email} /> : <Answer key={code} code={code} next={next} email={email} isLink />;
}

/**
 * Asks for the code, and then whether to approve the sign-in to which the code belongs. The code never becomes part of the page's address.
 */
function EnterCode({ email }: { email: string }) {
  const [code, setCode] = useState('');
  const [entered, setEntered] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEntered(code.trim());
  };
  if (entered !== undefined) return <Answer code={entered} next="/cli" email={email} onRetry={() => setEntered(undefined)} />;
  return (
    <AuthLayout title={title} description="Enter the code that your own terminal shows. Never enter a code that someone sent you.">
      <form onSubmit={submit} className="space-y-4" noValidate>
        <Field
          label="Code"
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" kind="primary" disabled={code.trim() === ''} className="w-full">
          Continue
        </Button>
      </form>
    </AuthLayout>
  );
}

type Outcome = 'approved' | 'denied';

interface AnswerProps {
  code: string;
  next: string;
  email: string;
  /** Whether the code comes from the address of the page. */
  isLink?: boolean;
  onRetry?: () => void;
}

function Answer({ code, next, email, isLink = false, onRetry }: AnswerProps) {
  const request = useQuery({
    queryKey: ['own', 'cli', code],
    queryFn: () => call('getCliSignIn', { path: { code } }),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, setBusy] = useState<Outcome>();
  const [error, setError] = useState<unknown>();

  const answer = async (given: Outcome) => {
    setBusy(given);
    setError(undefined);
    try {
      const { redirect } = await call(given === 'approved' ? 'approveCliSignIn' : 'denyCliSignIn', { path: { code } });
      setOutcome(given);
      if (redirect !== null) location.assign(redirect);
    } catch (err) {
      setError(err);
    }
    setBusy(undefined);
  };

  if (outcome) {
    const text = outcome === 'approved' ? 'The command line is signed in.' : 'The sign-in was denied.';
    return <AuthLayout title={title}>{text} You can close this page and return to the terminal.</AuthLayout>;
  }
  if (request.isPending) {
    return (
      <AuthLayout title={title}>
        <Loading label="Loading" rows={3} />
      </AuthLayout>
    );
  }
  if (request.isError) {
    return (
      <AuthLayout title={title}>
        <div className="space-y-4">
          <FormError>{messageOf(request.error)}</FormError>
          <Link to="/cli" onClick={onRetry} className={`${buttonClass('secondary')} w-full`}>
            Enter a code
          </Link>
        </div>
      </AuthLayout>
    );
  }
  // Anyone can send the user a link with the code of their own sign-in. Approving a link is safe only if the API key is sent to this
  // computer. Otherwise, the user has to enter the code from their own terminal.
  if (isLink && !request.data.returnsToBrowser) return <EnterCode email={email} />;
  return (
    <AuthLayout title={title} footer={<SwitchAccount next={next} />}>
      <div className="space-y-4">
        <FormError>{error === undefined ? undefined : messageOf(error)}</FormError>
        <p>
          A program asks for the API key of <b className="font-medium">{email}</b>. Approve only if you started this sign-in and your
          terminal shows this code:
        </p>
        <p className="rounded-lg border border-line bg-sunken py-3 text-center font-mono text-lg tracking-widest">
          {request.data.userCode}
        </p>
        <Details request={request.data} />
        <div className="flex gap-2">
          <Button className="flex-1" busy={busy === 'denied'} disabled={busy !== undefined} onClick={() => answer('denied')}>
            Deny
          </Button>
          <Button
            kind="primary"
            className="flex-1"
            busy={busy === 'approved'}
            disabled={busy !== undefined}
            onClick={() => answer('approved')}
          >
            Approve
          </Button>
        </div>
      </div>
    </AuthLayout>
  );
}

function Details({ request: { computer, address, sameNetwork, returnsToBrowser, createdAt } }: { request: CliSignIn }) {
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-ink-2 wrap-anywhere">
        <dt>Computer</dt>
        <dd className="text-ink">{computer}</dd>
        <dt>Address</dt>
        <dd className="text-ink">{address}</dd>
        <dt>Asked</dt>
        <dd className="text-ink">{formatAgo(createdAt)}</dd>
      </dl>
      {!returnsToBrowser && !sameNetwork && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">
          This request comes from a different network than this browser. If someone else gave you the code, deny the request: they would get
          your API key.
        </p>
      )}
    </>
  );
}

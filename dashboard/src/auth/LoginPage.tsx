import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { safeNext } from '../lib/safe-next.ts';
import { acceptSession } from '../lib/session.ts';
import type { User } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { AuthLayout, textLinkClass } from './AuthLayout.tsx';
import { CodeField } from './CodeField.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordField } from './PasswordField.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { describeProblem, signInOptionsQuery } from './sign-in-options.ts';
import { usePasskeyAutofill } from './use-passkey-autofill.ts';
import { useSignIn } from './use-sign-in.ts';

export function LoginPage() {
  const { next, problem } = useSearch({ from: '/login' });
  const { data: options } = useQuery(signInOptionsQuery);
  const [asksPassword, setAsksPassword] = useState(false);
  const router = useRouter();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const onSignedIn = (user: User) => {
    acceptSession(user);
    router.history.push(safeNext(next));
  };
  const { signIn, signInByPasskey, needsCode, codeHint, busy, error, showError } = useSignIn(onSignedIn);
  usePasskeyAutofill({ onSignedIn, onError: showError });

  // If passwords are off, only some accounts may use one, such as the operator's.
  const takesPassword = options?.password !== false;
  const showsForm = takesPassword || asksPassword;

  const passkeyButton = <PasskeyButton onUse={signInByPasskey} onError={showError} className="w-full" />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn({ email, password, code });
  };

  return (
    <AuthLayout
      title="Sign in"
      footer={
        takesPassword && (
          <>
            New here?{' '}
            <Link to="/signup" search={next === undefined ? {} : { next }} className={textLinkClass}>
              Create an account
            </Link>
          </>
        )
      }
    >
      <div className="mb-4 space-y-4 empty:hidden">
        <FormError>{error.form ?? describeProblem(problem)}</FormError>
        {!needsCode && <ProviderButtons next={next} hasAlternative={showsForm} />}
        {!showsForm && (
          <>
            {passkeyButton}
            <Button kind="ghost" className="w-full" onClick={() => setAsksPassword(true)}>
              Sign in with a password
            </Button>
          </>
        )}
      </div>
      {showsForm && (
        <form onSubmit={submit} className="space-y-4" noValidate>
          {needsCode ? (
            <CodeField value={code} onChange={setCode} error={error.fields.code} hint={codeHint} />
          ) : (
            <>
              <Field
                label="Email"
                type="email"
                // With "webauthn", the browser also offers passkeys in this field.
                autoComplete="username webauthn"
                required
                autoFocus
                value={email}
                onChange={(event) => setEmail(event.target.value)}
                error={error.fields.email}
              />
              <PasswordField
                label="Password"
                autoComplete="current-password"
                value={password}
                onChange={setPassword}
                error={error.fields.password}
              />
            </>
          )}
          <Button type="submit" kind="primary" busy={busy} className="w-full">
            Sign in
          </Button>
          {passkeyButton}
          <p className="text-center">
            <Link to="/reset" className={textLinkClass}>
              Forgot your password?
            </Link>
          </p>
        </form>
      )}
    </AuthLayout>
  );
}

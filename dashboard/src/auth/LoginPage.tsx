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
import { usePasskeyAutofill } from './use-passkey-autofill.ts';
import { useSignIn } from './use-sign-in.ts';

export function LoginPage() {
  const { next } = useSearch({ from: '/login' });
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

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn({ email, password, code });
  };

  return (
    <AuthLayout
      title="Sign in"
      footer={
        <>
          New here?{' '}
          <Link to="/signup" search={next === undefined ? {} : { next }} className={textLinkClass}>
            Create an account
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error.form}</FormError>
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
        <PasskeyButton onUse={signInByPasskey} onError={showError} className="w-full" />
        <p className="text-center">
          <Link to="/reset" className={textLinkClass}>
            Forgot your password?
          </Link>
        </p>
      </form>
    </AuthLayout>
  );
}

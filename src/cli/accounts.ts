import { createAccount, resetPassword } from '../domain/accounts/accounts.ts';
import { disableTwoFactor } from '../domain/accounts/two-factor.ts';
import { StartError } from '../errors.ts';
import { readPassword } from './read-password.ts';
import { withContext } from './with-context.ts';

type Values = Record<string, string | undefined>;

export async function listAccounts(): Promise<void> {
  await withContext(async ({ store }) => {
    let afterId = '';
    for (;;) {
      const page = await store.accounts.list(afterId, 500);
      for (const { id, email, name, createdAt } of page) print(`${id}\t${email}\t${name}\t${createdAt}`);
      const last = page.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  });
}

/** REGISTRATION=closed does not apply to the operator. */
export async function createAccountCommand({ email, name }: Values): Promise<void> {
  const address = requireOption('email', email);
  await withContext(async (ctx) => {
    const password = await readPassword(`Password for ${address}: `);
    const info = await createAccount(ctx, { email: address, password, name });
    print(JSON.stringify(info, null, 2));
  });
}

export async function resetPasswordCommand({ email }: Values): Promise<void> {
  const address = requireOption('email', email);
  await withContext(async (ctx) => {
    await resetPassword(ctx, { email: address, newPassword: await readPassword(`New password for ${address}: `) });
    print('The password was changed and all sessions of the account were ended. Its API key is unchanged.');
  });
}

export async function disableTwoFactorCommand({ email }: Values): Promise<void> {
  const address = requireOption('email', email);
  await withContext(async (ctx) => {
    await disableTwoFactor(ctx, address);
    print('Two-factor authentication is off for the account: it can sign in with email and password alone.');
  });
}

function requireOption(name: string, value: string | undefined): string {
  if (!value) throw new StartError(`--${name} is missing.`);
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

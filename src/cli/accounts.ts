import { createAccount, getAccountByEmail, removeAccount, resetPassword } from '../domain/accounts/accounts.ts';
import { disableTwoFactor } from '../domain/accounts/two-factor.ts';
import type { Context } from '../domain/context.ts';
import { StartError } from '../errors.ts';
import type { MembershipRecord } from '../store/workspaces/memberships.ts';
import { readPassword } from './read-password.ts';
import { withContext } from './with-context.ts';

type Values = Record<string, string | undefined>;

const maxListed = 1000;
/** For the rows of a deleted account. What is left then is up to the housekeeping of the service. */
const drainTimeoutMs = 60_000;

export async function listAccounts(): Promise<void> {
  await withContext(async ({ store }) => {
    let afterId = '';
    for (;;) {
      const page = await store.accounts.list(afterId, 500);
      const memberships = await store.memberships.listOf(page.map(({ id }) => id));
      for (const { id, email, name, createdAt, homeWorkspaceId } of page) {
        const own = memberships.filter(({ accountId }) => accountId === id);
        print([id, email, name, createdAt, ...describeMemberships(own, homeWorkspaceId)].join('\t'));
      }
      const last = page.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  });
}

/** Says what goes with the account, and deletes it only with `--confirm`, because this cannot be undone. */
export async function deleteAccountCommand({ email, confirm }: Values): Promise<void> {
  const address = requireOption('email', email);
  await withContext(async (ctx) => {
    const account = await getAccountByEmail(ctx, address);
    print(`${account.id}\t${account.email}\t${account.name}`);
    for (const line of await describeDeletion(ctx, account.id)) print(line);
    if (confirm === undefined) return print(`Nothing was deleted. To delete the account, add --confirm ${account.email}`);
    if (confirm.trim().toLowerCase() !== account.email) throw new StartError(`--confirm is not ${account.email}. Nothing was deleted.`);
    await removeAccount(ctx, { accountId: account.id, name: account.name });
    await ctx.background.drain(drainTimeoutMs);
    print('The account was deleted.');
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

async function describeDeletion({ store }: Context, id: string): Promise<string[]> {
  const members = await store.memberships.list(id, { afterId: '', limit: maxListed });
  const people = members.filter(({ homeWorkspaceId }) => homeWorkspaceId === null).map(({ email }) => email);
  const programs = members.filter(({ homeWorkspaceId }) => homeWorkspaceId !== null).map(({ name }) => name);
  const memberships = (await store.memberships.listOf([id])).map(({ workspaceEmail }) => workspaceEmail);
  const more = members.length === maxListed ? ' and more' : '';
  return [
    'Deleting it deletes its workspace with all prompts, versions, statistics and invitations.',
    ...(people.length > 0 ? [`These people lose access to the workspace: ${people.join(', ')}${more}.`] : []),
    ...(programs.length > 0 ? [`The keys of these service accounts stop working: ${programs.join(', ')}${more}.`] : []),
    ...(memberships.length > 0 ? [`It leaves the workspaces of ${memberships.join(', ')}.`] : []),
  ];
}

/** A column with the workspaces of others, or none. */
function describeMemberships(memberships: MembershipRecord[], homeWorkspaceId: string | null): string[] {
  const texts = memberships.map(({ workspaceId, role }) =>
    workspaceId === homeWorkspaceId ? `service account of ${workspaceId} (${role})` : `${role} of ${workspaceId}`,
  );
  return texts.length > 0 ? [texts.join(', ')] : [];
}

function requireOption(name: string, value: string | undefined): string {
  if (!value) throw new StartError(`--${name} is missing.`);
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

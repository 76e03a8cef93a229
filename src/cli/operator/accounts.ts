import { createAccount, getAccountByEmail, removeAccount, resetPassword } from '../../domain/accounts/accounts.ts';
import { setEmail } from '../../domain/accounts/email-change.ts';
import { disableTwoFactor } from '../../domain/accounts/two-factor.ts';
import type { Context } from '../../domain/context.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { MembershipRecord } from '../../store/workspaces/memberships.ts';
import { type Options, textOf } from '../command.ts';
import { CliError, exitCodes } from '../errors.ts';
import { requireText, type TaskOutput } from './task.ts';

const maxListed = 1000;

export async function listAccounts({ store }: Context, _input: Options, { print }: TaskOutput): Promise<void> {
  let afterId = '';
  for (;;) {
    const page = await store.accounts.list(afterId, 500);
    const memberships = await store.memberships.listOf(page.map(({ id }) => id));
    for (const { id, email, name, createdAt, emailVerifiedAt, homeWorkspaceId } of page) {
      const own = memberships.filter(({ accountId }) => accountId === id);
      const address = homeWorkspaceId === null ? (emailVerifiedAt === null ? 'not verified' : 'verified') : 'no address';
      await print([id, email, name, createdAt, address, ...describeMemberships(own, homeWorkspaceId)].join('\t'));
    }
    const last = page.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

/** Lists what is deleted with the account. Deletes it only with `--confirm`, because a deletion cannot be undone. */
export async function deleteAccountTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  const account = await getAccountByEmail(ctx, requireText(input, 'email'));
  const confirm = textOf(input, 'confirm');
  await print(`${account.id}\t${account.email}\t${account.name}`);
  for (const line of await describeDeletion(ctx, account.id)) await print(line);
  if (confirm === undefined) return print(`Nothing was deleted. To delete the account, add --confirm ${account.email}`);
  if (confirm.trim().toLowerCase() !== account.email)
    throw new CliError(`--confirm is not ${account.email}. Nothing was deleted.`, exitCodes.usage);
  await removeAccount(ctx, { accountId: account.id, name: account.name });
  await print('The account was deleted.');
}

/** Creates an account. REGISTRATION=closed does not apply to the operator. */
export async function createAccountTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  const email = requireText(input, 'email');
  const info = await createAccount(ctx, { email, password: requireText(input, 'password'), name: textOf(input, 'name') });
  await print(JSON.stringify(info, null, 2));
}

export async function resetPasswordTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  await resetPassword(ctx, { email: requireText(input, 'email'), newPassword: requireText(input, 'password') });
  await print('The password was changed, and all sessions of the account were ended. The API key is unchanged.');
}

export async function setEmailTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  await setEmail(ctx, { email: requireText(input, 'email'), newEmail: requireText(input, 'to') });
  await print('The email address was changed, and all sessions of the account were ended. The API key is unchanged.');
  await print('The new address is not verified. Verifying it replaces the API key.');
}

export async function disableTwoFactorTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  await disableTwoFactor(ctx, requireText(input, 'email'));
  await print('Two-factor authentication is off. The account can sign in with email and password alone.');
}

async function describeDeletion({ store }: Context, id: string): Promise<string[]> {
  const members = await store.memberships.list(id, { afterId: '', limit: maxListed });
  const people = members.filter(({ homeWorkspaceId }) => homeWorkspaceId === null).map(({ email }) => email);
  const programs = members.filter(({ homeWorkspaceId }) => homeWorkspaceId !== null).map(({ name }) => name);
  const memberships = (await store.memberships.listOf([id])).filter(({ role }) => role !== 'owner');
  const left = memberships.map(({ workspaceId, workspaceName, workspaceEmail }) => (isTeam(workspaceId) ? workspaceName : workspaceEmail));
  const owned = (await store.memberships.listOwned(id)).map(({ name }) => name);
  const more = members.length === maxListed ? ' and more' : '';
  return [
    'Deleting the account deletes its workspace with all prompts, versions, statistics and invitations.',
    ...(people.length > 0 ? [`These people lose access to the workspace: ${people.join(', ')}${more}.`] : []),
    ...(programs.length > 0 ? [`The keys of these service accounts stop working: ${programs.join(', ')}${more}.`] : []),
    ...(left.length > 0 ? [`The account leaves these workspaces: ${left.join(', ')}.`] : []),
    ...(owned.length > 0
      ? [`The account owns these team workspaces, which must be transferred or deleted first: ${owned.join(', ')}.`]
      : []),
  ];
}

/** Returns a column with the account's memberships in workspaces other than its own, if there are any. */
function describeMemberships(memberships: MembershipRecord[], homeWorkspaceId: string | null): string[] {
  const texts = memberships.map(({ workspaceId, role }) =>
    workspaceId === homeWorkspaceId ? `service account of ${workspaceId} (${role})` : `${role} of ${workspaceId}`,
  );
  return texts.length > 0 ? [texts.join(', ')] : [];
}

import type { AcceptedInvitation, CreatedInvitation, Invitation, NewInvitation, ReceivedInvitation } from '../../contract/invitations.ts';
import { maxMemberships } from '../../contract/limits.ts';
import { includesRole, type MemberRole } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import type { FirstProof } from '../../store/accounts/earlier-access.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { InvitationRecord, OpenInvitation } from '../../store/workspaces/invitations.ts';
import { tooManyMemberships } from '../../store/workspaces/teams.ts';
import { invitationLimits, invitationLinkLimits, invitationMailLimits } from '../accounts/attempt-limits.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { recordEndedAccess } from '../accounts/earlier-access.ts';
import { getEmail, parseEmail } from '../accounts/emails.ts';
import { makeKey } from '../accounts/keys.ts';
import type { WithRemoval } from '../accounts/remove-accounts.ts';
import { makeSession } from '../accounts/sessions.ts';
import { assertNotThrottled, countAttempt, countMail } from '../accounts/throttles.ts';
import { type Actor, type Client, credentialOf, toPerson } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, invitationTokenOwner } from '../notifications/notify.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { addMemberEvent, changeWorkspace, describeWorkspace, recordInWorkspace } from './change-workspace.ts';
import { kindOf } from './workspaces.ts';

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
const tooManyInvitations = 'Too many invitations to this workspace. Try again later.';
const tooManyLinks = 'Too many invalid invitation links from your address. Try again later.';

interface InvitationRequest extends NewInvitation {
  /** The origin of this service, for the link. */
  origin: string;
  client: Client;
}

/** Invites an email address to the actor's workspace. If the address was invited before, the earlier link stops working. */
export async function inviteMember(
  ctx: WithKeyring & WithMail & WithAudit,
  actor: Actor,
  request: InvitationRequest,
): Promise<CreatedInvitation> {
  const { role, origin, client } = request;
  const { workspaceId } = actor;
  const email = getEmail(request.email);
  await countAttempt(ctx, invitationLimits(workspaceId), tooManyInvitations);
  const token = newToken();
  const now = Date.now();
  const invitation: InvitationRecord = {
    id: newId('i'),
    email,
    role,
    invitedBy: actor.accountId,
    invitedByName: actor.name,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + lifetimeMs).toISOString(),
  };
  const { workspace, invited } = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    if (await stores.memberships.hasEmail(workspaceId, email)) throw new AppError('already_member');
    await stores.invitations.removeByEmail(workspaceId, email);
    await stores.assertMemberQuota();
    await stores.invitations.insert(workspaceId, { ...invitation, tokenDigest: digestToken(token) });
    const workspace = await describeWorkspace(stores, workspaceId);
    // Only accounts with a verified address are notified in the dashboard. Otherwise, a stranger who registered the address could accept
    // the invitation.
    const invited = await stores.notifications.findByVerifiedEmail(email);
    await addNotification(stores, {
      kind: 'invited',
      workspace,
      by: toPerson(actor),
      subjectId: invitation.id,
      detail: { role, link: ctx.keyring.seal(token, invitationTokenOwner(invitation.id)) },
      recipients: invited ? [invited.accountId] : [],
    });
    return { workspace, invited };
  });
  recordInWorkspace(ctx, actor, { type: 'member_invited', detail: { email, role }, client });
  const url = `${origin}/invitations/${token}`;
  // The emails are counted by address, so that many workspaces together cannot flood anyone with invitations. If the email is refused, the
  // link can still be passed on by hand.
  const refusal = { kind: 'invitation', accountId: workspaceId, reason: 'the address has received too many invitations' } as const;
  const isWanted = !invited?.silenced.email.includes('invited');
  const mayMail = isWanted && ctx.mailer.isConfigured && (await countMail(ctx, invitationMailLimits(email), refusal));
  const link = `${origin}/invitations/${toMailedToken(ctx, token)}`;
  const message = {
    email,
    link,
    role,
    workspaceName: workspace.name,
    hasAccount: invited !== undefined,
    inviter: { name: actor.name, email: actor.email },
  };
  const send = () => ctx.mailer.sendInvitation(message);
  const mailed = mayMail && (await ctx.mails.sendNow({ kind: 'invitation', accountId: workspaceId, cause: workspaceId }, send));
  return { ...toInvitation(invitation), url, mailed };
}

/** Withdraws an invitation that has not been accepted yet. */
export async function removeInvitation(ctx: WithAudit, actor: Actor, { id, client }: { id: string; client: Client }): Promise<void> {
  const removed = await changeWorkspace(ctx, actor, 'admin', async ({ invitations }) =>
    invitations.remove(actor.workspaceId, toStorable(id)),
  );
  if (!removed) throw new AppError('not_found');
  recordRemovedInvitations(ctx, actor, [removed], client);
}

/** Returns the invitation behind a link, for anyone who has the link. The result reveals nothing about accounts. */
export async function getInvitation(
  ctx: WithStore & WithKeyring,
  { token, client }: { token: string; client: Client },
): Promise<ReceivedInvitation> {
  const { workspaceId, workspaceName, invitedByName, email, role, expiresAt } = await getByToken(ctx, { token, client });
  return { workspace: { name: workspaceName, kind: kindOf(workspaceId) }, invitedBy: { name: invitedByName }, email, role, expiresAt };
}

/**
 * Makes the actor a member of the workspace to which a link invites. The link works only once. If the link is the first proof of the
 * account's address, all earlier access is revoked, and the result contains the token of the session that replaces the actor's, as
 * `sessionToken`.
 */
export async function acceptInvitation(
  ctx: WithKeyring & WithRemoval & WithMail,
  actor: Actor,
  { token, client }: { token: string; client: Client },
): Promise<{ accepted: AcceptedInvitation; sessionToken: string | undefined }> {
  const { accountId } = actor;
  const invitation = await getByToken(ctx, { token, client });
  const { workspaceId, workspaceName, email } = invitation;
  if (email !== actor.email) throw forAnother(email, `You are signed in as ${actor.email}.`);
  if (workspaceId === accountId) throw new AppError('already_member', { text: 'You cannot join your own workspace' });
  const provider = actor.via === 'session' ? await ctx.store.sessions.findProvider(actor.sessionId) : undefined;
  const session = makeSession(ctx, { accountId, client, provider, provedAt: null });
  const nextKey = makeKey(ctx, accountId).stored;
  const proof: FirstProof = { accountId, by: invitation.proof, nextKey, keptIssuer: provider?.issuer };
  const accept = async (stores: WorkspaceStores) => {
    if (!(await stores.invitations.use(workspaceId, invitation))) {
      throw new AppError('invitation_not_found');
    }
    const previousRole = await stores.memberships.findRole(workspaceId, accountId);
    if (!previousRole && (await stores.memberships.countOf(accountId)) >= maxMemberships) {
      throw tooManyMemberships();
    }
    const role = previousRole && includesRole(previousRole, invitation.role) ? previousRole : invitation.role;
    await stores.memberships.put(workspaceId, accountId, role);
    const member = { userId: accountId, name: actor.name, role };
    if (!previousRole) await addMemberEvent(stores, actor, { type: 'member.added', member });
    else if (previousRole !== role) await addMemberEvent(stores, actor, { type: 'member.changed', member, previousRole });
    const ended = await stores.endEarlierAccess(proof);
    if (ended) await stores.startSession(session.record);
    return { role, previousRole, ended };
  };
  const { role, previousRole, ended } = await ctx.store.changeWorkspace(workspaceId, accept, credentialOf(actor));
  const workspace = { id: workspaceId, name: workspaceName };
  const change = { role, ...(previousRole && { previousRole }) };
  const by = { userId: accountId, name: actor.name };
  ctx.audit({ type: 'member_joined', accountId: workspaceId, client, by, detail: { ...by, ...change } });
  ctx.audit({ type: 'invitation_accepted', accountId, client, by, detail: { workspace, ...change } });
  if (ended && proof.by === 'mail') ctx.audit({ type: 'email_verified', accountId, client });
  if (ended) await recordEndedAccess(ctx, { id: accountId, name: actor.name }, { ended, client });
  return { accepted: { workspace: { ...workspace, kind: kindOf(workspaceId) }, role }, sessionToken: ended && session.token };
}

/**
 * Returns the kind of proof that a link gives for the email address that is being registered. Throws if the link does not invite this
 * address.
 */
export async function getInvitationProof(
  ctx: WithStore & WithKeyring,
  request: { token: string; email: string; client: Client },
): Promise<FirstProof['by']> {
  const invitation = await getByToken(ctx, request);
  if (invitation.email !== parseEmail(request.email)) throw forAnother(invitation.email, 'Only that email address can register with it.');
  return invitation.proof;
}

export function toInvitation({ id, email, role, invitedBy, invitedByName, createdAt, expiresAt }: InvitationRecord): Invitation {
  return { id, email, role, invitedBy: { userId: invitedBy, name: invitedByName }, createdAt, expiresAt };
}

export function recordRemovedInvitations(
  ctx: WithAudit,
  actor: Actor,
  removed: { email: string; role: MemberRole }[],
  client: Client,
): void {
  for (const detail of removed) recordInWorkspace(ctx, actor, { type: 'invitation_removed', detail, client });
}

/** Invalid links are counted and limited, so that nobody can find a valid link by guessing. */
async function getByToken(
  ctx: WithStore & WithKeyring,
  { token, client }: { token: string; client: Client },
): Promise<PresentedInvitation> {
  const limits = invitationLinkLimits(client);
  await assertNotThrottled(ctx, limits, tooManyLinks);
  const { tokenDigest, proof } = parseToken(ctx, token);
  const invitation = await ctx.store.invitations.findByToken(tokenDigest);
  if (invitation) return { ...invitation, tokenDigest, proof };
  await countAttempt(ctx, limits, tooManyLinks);
  throw new AppError('invitation_not_found');
}

/** An open invitation, with the digest and the proof of the link that was used to find it. */
interface PresentedInvitation extends OpenInvitation {
  tokenDigest: string;
  proof: FirstProof['by'];
}

/**
 * Creates the token for the link in the email. The token has a second part, which nobody can create without the master secret. Only the
 * link with the second part proves access to the mailbox. The person who invites sees the link without it, and might have registered the
 * invited address without owning it.
 */
function toMailedToken(ctx: WithKeyring, token: string): string {
  return `${token}~${ctx.keyring.seal('mailed', mailOwner(digestToken(token)))}`;
}

function parseToken(ctx: WithKeyring, text: string): { tokenDigest: string; proof: FirstProof['by'] } {
  const end = text.indexOf('~');
  const tokenDigest = digestToken(end < 0 ? text : text.slice(0, end));
  const isMailed = end >= 0 && ctx.keyring.open(text.slice(end + 1), mailOwner(tokenDigest)) === 'mailed';
  return { tokenDigest, proof: isMailed ? 'mail' : 'invitation' };
}

function mailOwner(tokenDigest: string): string {
  return `invitation:${tokenDigest}`;
}

function forAnother(email: string, reason: string): AppError {
  return new AppError('invitation_for_another_account', { text: `This invitation is for ${email}. ${reason}` });
}

import type { Kysely, Selection } from 'kysely';
import type { MemberRole } from '../../contract/roles.ts';
import type { Database } from '../tables.ts';

const columns = [
  'invitations.id',
  'invitations.email',
  'invitations.role',
  'invitations.invited_by as invitedBy',
  'invitations.invited_by_name as invitedByName',
  'invitations.created_at as createdAt',
  'invitations.expires_at as expiresAt',
] as const;

export type InvitationRecord = Selection<Database, 'invitations', (typeof columns)[number]>;
export type OpenInvitation = InvitationRecord & { workspaceId: string; workspaceName: string };

/** Reads and writes the invitations to workspaces, at most one for each email address. Only the digest of a link's token is stored. */
export function createInvitationStore(db: Kysely<Database>) {
  const selectOpen = () => db.selectFrom('invitations').where('invitations.expires_at', '>', new Date().toISOString());

  return {
    /** Inserts an invitation. Call `removeByEmail` first, because an email address has at most one invitation, including expired ones. */
    async insert(workspaceId: string, invitation: InvitationRecord & { tokenDigest: string }): Promise<void> {
      const { id, email, role, tokenDigest, invitedBy, invitedByName, createdAt, expiresAt } = invitation;
      await db
        .insertInto('invitations')
        .values({
          workspace_id: workspaceId,
          id,
          email,
          role,
          token_digest: tokenDigest,
          invited_by: invitedBy,
          invited_by_name: invitedByName,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute();
    },

    /** Finds the open invitation of a link. */
    async findByToken(tokenDigest: string): Promise<OpenInvitation | undefined> {
      return selectOpen()
        .innerJoin('accounts', 'accounts.id', 'invitations.workspace_id')
        .select([...columns, 'invitations.workspace_id as workspaceId', 'accounts.name as workspaceName'])
        .where('invitations.token_digest', '=', tokenDigest)
        .where('accounts.deleted_at', 'is', null)
        .executeTakeFirst();
    },

    /** Lists a page of the open invitations, ordered by id. */
    async list(workspaceId: string, { afterId, limit }: { afterId: string; limit: number }): Promise<InvitationRecord[]> {
      return selectOpen()
        .select(columns)
        .where('invitations.workspace_id', '=', workspaceId)
        .where('invitations.id', '>', afterId)
        .orderBy('invitations.id')
        .limit(limit)
        .execute();
    },

    /** Deletes an open invitation when its link is used. Of several concurrent uses, exactly one returns true. */
    async use(workspaceId: string, { id, tokenDigest }: { id: string; tokenDigest: string }): Promise<boolean> {
      const result = await db
        .deleteFrom('invitations')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('token_digest', '=', tokenDigest)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirstOrThrow();
      return result.numDeletedRows === 1n;
    },

    /** Removes an invitation, and returns it if it existed. */
    async remove(workspaceId: string, id: string): Promise<{ email: string; role: MemberRole } | undefined> {
      return db
        .deleteFrom('invitations')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .returning(['email', 'role'])
        .executeTakeFirst();
    },

    async removeByEmail(workspaceId: string, email: string): Promise<void> {
      await db.deleteFrom('invitations').where('workspace_id', '=', workspaceId).where('email', '=', email).execute();
    },

    /** Removes the invitations that a member sent, and returns them. */
    async removeSentBy(workspaceId: string, accountId: string): Promise<{ email: string; role: MemberRole }[]> {
      return db
        .deleteFrom('invitations')
        .where('workspace_id', '=', workspaceId)
        .where('invited_by', '=', accountId)
        .returning(['email', 'role'])
        .execute();
    },
  };
}

import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';

/** Throws if a workspace already has the maximum number of members, service accounts and open invitations. Its row must be locked. */
export async function assertMemberQuota(db: Kysely<Database>, workspaceId: string, quota: number): Promise<void> {
  if (quota === Number.POSITIVE_INFINITY) return;
  // Owners with a row are excluded, because the owner never counts.
  const members = db.selectFrom('memberships').where('workspace_id', '=', workspaceId).where('role', '<>', 'owner');
  const invitations = db.selectFrom('invitations').where('workspace_id', '=', workspaceId);
  const open = invitations.where('expires_at', '>', new Date().toISOString());
  if ((await countRows(members)) + (await countRows(open)) < quota) return;
  const text = `A workspace can have at most ${quota} members, service accounts and open invitations in total (setting QUOTA_MEMBERS).`;
  throw new AppError('quota_exceeded', { text });
}

/** Throws if a workspace already has the maximum number of webhooks. Its row must be locked. */
export async function assertWebhookQuota(db: Kysely<Database>, workspaceId: string, quota: number): Promise<void> {
  if (quota === Number.POSITIVE_INFINITY) return;
  if ((await countRows(db.selectFrom('webhooks').where('account_id', '=', workspaceId))) < quota) return;
  throw new AppError('quota_exceeded', { text: `A workspace can have at most ${quota} webhooks (setting QUOTA_WEBHOOKS).` });
}

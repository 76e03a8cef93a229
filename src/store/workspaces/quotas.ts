import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';

/** Throws if a workspace already has as many members, service accounts and open invitations as it may. Its row must be locked. */
export async function assertMemberQuota(db: Kysely<Database>, workspaceId: string, quota: number): Promise<void> {
  if (quota === Number.POSITIVE_INFINITY) return;
  const { members, invitations } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('memberships')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .$asScalar()
        .as('members'),
      eb
        .selectFrom('invitations')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .where('expires_at', '>', new Date().toISOString())
        .$asScalar()
        .as('invitations'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(members) + Number(invitations) < quota) return;
  const text = `A workspace has at most ${quota} members, service accounts and open invitations (setting QUOTA_MEMBERS).`;
  throw new AppError('quota_exceeded', { text });
}

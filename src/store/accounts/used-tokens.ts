import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** A token that works once, by its digest. It is stored until it expires. */
export interface UsedToken {
  digest: string;
  expiresAt: Date;
}

/** Records that a token was used. Of several concurrent uses, exactly one returns true. */
export async function useToken(db: Kysely<Database>, { digest, expiresAt }: UsedToken): Promise<boolean> {
  const result = await db
    .insertInto('used_tokens')
    .values({ id: digest, expires_at: expiresAt.toISOString() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n;
}

import type { Kysely, Selection } from 'kysely';
import { isDuplicate } from '../engine/errors.ts';
import type { Database } from '../tables.ts';
import { type Credential, changeWithCredential } from './credentials.ts';

interface NewCliSignIn {
  /** The digest of the verifier, which only the command knows. */
  id: string;
  userCode: string;
  computer: string;
  address: string;
  /** The local port to which the browser returns. Null if the command runs on a machine without a browser. */
  port: string | null;
  expiresAt: Date;
}

const columns = ['user_code as userCode', 'computer', 'address', 'port', 'created_at as createdAt', 'expires_at as expiresAt'] as const;

export type CliSignInRecord = Selection<Database, 'cli_sign_ins', (typeof columns)[number]>;

/** The state of a sign-in. An approved sign-in names the session in which it was approved. */
export type CliSignInState = 'unknown' | 'pending' | 'denied' | { accountId: string; sessionId: string };

export function createCliSignInStore(db: Kysely<Database>) {
  const selectOpen = () => db.selectFrom('cli_sign_ins').where('expires_at', '>', new Date().toISOString());

  return {
    /** Returns false if the code or the verifier is already in use. */
    async insert({ id, userCode, expiresAt, ...rest }: NewCliSignIn): Promise<boolean> {
      const times = { created_at: new Date().toISOString(), expires_at: expiresAt.toISOString() };
      const answer = { approved_by: null, session_id: null, code_digest: null, denied_at: null };
      try {
        await db
          .insertInto('cli_sign_ins')
          .values({ id, user_code: userCode, ...rest, ...times, ...answer })
          .execute();
        return true;
      } catch (err) {
        if (isDuplicate(err)) return false;
        throw err;
      }
    },

    /** Finds a sign-in that nobody has answered yet. */
    async findPending(userCode: string): Promise<CliSignInRecord | undefined> {
      return selectOpen()
        .select(columns)
        .where('user_code', '=', userCode)
        .where('approved_by', 'is', null)
        .where('denied_at', 'is', null)
        .executeTakeFirst();
    },

    /** Answers a sign-in. Of several concurrent answers, exactly one returns the sign-in. */
    async answer(
      credential: Credential & { via: 'session' },
      { userCode, codeDigest }: { userCode: string; codeDigest: string | null },
    ): Promise<CliSignInRecord | undefined> {
      const now = new Date().toISOString();
      const { accountId, sessionId } = credential;
      const answer = codeDigest === null ? { denied_at: now } : { approved_by: accountId, session_id: sessionId, code_digest: codeDigest };
      return changeWithCredential(db, credential, (transaction) =>
        transaction
          .updateTable('cli_sign_ins')
          .set(answer)
          .where('user_code', '=', userCode)
          .where('approved_by', 'is', null)
          .where('denied_at', 'is', null)
          .where('expires_at', '>', now)
          .returning(columns)
          .executeTakeFirst(),
      );
    },

    /**
     * Ends a sign-in that was answered, and returns its state. If the browser returns to a local port, `codeDigest` must be the digest of
     * the code that the browser brought. Of several concurrent claims, exactly one gets the approval.
     */
    async claim(id: string, codeDigest: string | undefined): Promise<CliSignInState> {
      // An answer never changes, so no transaction is needed. This request, which needs no authentication, therefore never waits for a
      // writer.
      const row = await selectOpen().selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return 'unknown';
      const isDenied = row.denied_at !== null;
      if (!isDenied && row.approved_by === null) return codeDigest === undefined ? 'pending' : 'unknown';
      if (!isDenied && row.port !== null && row.code_digest !== codeDigest) return 'unknown';
      const deleted = await db.deleteFrom('cli_sign_ins').where('id', '=', id).executeTakeFirstOrThrow();
      if (deleted.numDeletedRows !== 1n) return 'unknown';
      if (isDenied || row.approved_by === null || row.session_id === null) return 'denied';
      return { accountId: row.approved_by, sessionId: row.session_id };
    },
  };
}

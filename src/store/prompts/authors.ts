import { type Kysely, sql } from 'kysely';
import type { Person } from '../../contract/people.ts';
import { hasRows } from '../count-rows.ts';
import { listDistinct } from '../list-distinct.ts';
import type { Database } from '../tables.ts';
import { type PersonRow, personColumns, toPerson } from './people.ts';
import { ofPrompt } from './prompt-owner.ts';

/** Finds out who saved the versions of prompts. */
export function createAuthorStore(db: Kysely<Database>) {
  return {
    /** Finds the author of the newest version of each prompt. The result is indexed by the prompt's id. */
    async findAuthors(accountId: string, prompts: { id: string; latestVersion: number }[]): Promise<Map<string, Person>> {
      const [first, ...others] = prompts.map(({ id, latestVersion }) =>
        db
          .selectFrom('prompt_versions')
          .select(['prompt_id as promptId', 'by_via as byVia', ...personColumns('prompt_versions')])
          .where(ofPrompt({ accountId, promptId: id }))
          .where('version', '=', latestVersion),
      );
      if (!first) return new Map();
      const rows: ({ promptId: string } & PersonRow)[] = await others.reduce((all, other) => all.unionAll(other), first).execute();
      return new Map(rows.map(({ promptId, ...person }) => [promptId, toPerson(person)]));
    },

    /** Lists the accounts that have saved versions, each with a name that the account had when it saved a version. */
    async listAuthors(accountId: string, limit: number): Promise<{ userId: string; name: string }[]> {
      const where = sql`account_id = ${accountId}`;
      const ids = await listDistinct(db, { table: 'prompt_versions', column: 'by_account_id', where, limit });
      const found = ids.map((id) =>
        selectVersion().where('by_account_id', '=', id).orderBy('prompt_id', 'desc').orderBy('version', 'desc'),
      );
      // Versions without an author were saved by the owner.
      const isOwnerMissing = !ids.includes(accountId) && (await hasRows(selectUnnamed()));
      if (isOwnerMissing) found.push(selectVersion().where('by_account_id', 'is', null));
      const rows = [];
      for (const author of found) rows.push(await author.limit(1).executeTakeFirst());
      return rows.flatMap((row) => (row ? [{ userId: row.byAccountId, name: row.byName }] : []));

      function selectVersion() {
        return db.selectFrom('prompt_versions').select(personColumns('prompt_versions')).where('account_id', '=', accountId);
      }
      function selectUnnamed() {
        return db.selectFrom('prompt_versions').where('account_id', '=', accountId).where('by_account_id', 'is', null);
      }
    },
  };
}

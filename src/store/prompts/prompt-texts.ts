import { type Kysely, sql } from 'kysely';
import { separator, toSearchText } from '../../contract/searched-texts.ts';
import { contains } from '../contains.ts';
import { batchesOf, insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { isLive } from './versions.ts';

/** A version of a prompt. */
export interface VersionKey {
  promptId: string;
  version: number;
}

/** The position of a prompt among the prompts of all workspaces. */
export interface TextPosition {
  accountId: string;
  promptId: string;
}

/** The version number of the row with the name and description of a prompt. No real version has this number. */
const nameVersion = sql.lit(0);
/** The name and description of a prompt in the form that searches compare. Both columns are folded. */
const nameText = sql<string>`search_name || ${sql.lit(separator)} || search_description`;
/** The number of prompts, or of versions, per query. */
const batchSize = 100;
/**
 * The maximum number of bytes that one transaction folds. With the embedded database, all other requests wait for the transaction. The
 * remaining texts are added later.
 */
const maxBytes = 1024 * 1024;

/** Reads the texts that searches compare. */
export function createTextStore(db: Kysely<Database>) {
  return {
    /** Lists the versions of the given prompts whose search text contains a folded text, with the size of their content. */
    async listMatching(accountId: string, promptIds: string[], text: string): Promise<(VersionKey & { bytes: number })[]> {
      if (promptIds.length === 0) return [];
      return db
        .selectFrom('prompt_texts')
        .innerJoin('prompt_versions', (join) =>
          join
            .onRef('prompt_versions.account_id', '=', 'prompt_texts.account_id')
            .onRef('prompt_versions.prompt_id', '=', 'prompt_texts.prompt_id')
            .onRef('prompt_versions.version', '=', 'prompt_texts.version'),
        )
        .select(['prompt_texts.prompt_id as promptId', 'prompt_texts.version'])
        .select(sql<number>`octet_length(content) + octet_length(config)`.as('bytes'))
        .where('prompt_texts.account_id', '=', accountId)
        .where('prompt_texts.prompt_id', 'in', promptIds)
        .where(contains('prompt_texts.text', text))
        .execute();
    },

    /** Lists the content of the given versions as JSON. Deleted versions are left out. */
    listContents: (accountId: string, versions: VersionKey[]) => listContents(db, accountId, versions),

    /**
     * Lists prompts of all workspaces after a position, and whether their search texts are outdated. Up-to-date search texts contain the
     * name, the description, and the newest and labeled versions. Earlier versions of the service did not write them.
     */
    async listAfter({ accountId, promptId }: TextPosition, limit: number): Promise<(TextPosition & { isOutdated: boolean })[]> {
      const { rows } = await sql<TextPosition & { outdated: number }>`
        select p.account_id as "accountId", p.id as "promptId", case
          when not exists (select 1 from prompt_texts t where t.account_id = p.account_id and t.prompt_id = p.id and t.version = p.latest_version)
          then 1
          when exists (select 1 from prompt_labels l where l.account_id = p.account_id and l.prompt_id = p.id and not exists (
            select 1 from prompt_texts t where t.account_id = p.account_id and t.prompt_id = p.id and t.version = l.version))
          then 1
          when not exists (select 1 from prompt_texts t where t.account_id = p.account_id and t.prompt_id = p.id
            and t.version = ${nameVersion} and t.text = ${nameText})
          then 1
          when exists (select 1 from prompt_texts t where t.account_id = p.account_id and t.prompt_id = p.id
            and t.version not in (${nameVersion}, p.latest_version) and not exists (select 1 from prompt_labels l where l.account_id = p.account_id and l.prompt_id = p.id and l.version = t.version))
          then 1
          else 0 end as outdated
        from prompts p where (p.account_id, p.id) > (${accountId}, ${promptId})
        order by p.account_id, p.id limit ${limit}`.execute(db);
      return rows.map(({ outdated, ...position }) => ({ ...position, isOutdated: outdated === 1 }));
    },
  };
}

/**
 * Adds the missing search texts of the given prompts. Deletes the search texts of former names and of versions that are neither the newest
 * nor labeled. Runs inside a transaction that has locked the account's row. Returns false if more texts have to be added.
 */
export async function updateTexts(db: Kysely<Database>, accountId: string, promptIds: Iterable<string>): Promise<boolean> {
  let bytes = 0;
  for (const batch of batchesOf([...promptIds], batchSize)) {
    await deleteUnused(db, accountId, batch);
    await addNames(db, accountId, batch);
    const missing = await listMissing(db, accountId, batch);
    const added = missing.filter((version) => {
      bytes += version.bytes;
      return bytes <= maxBytes || bytes === version.bytes;
    });
    for (const versions of batchesOf(added, batchSize)) {
      const rows = (await listContents(db, accountId, versions)).map(({ promptId, version, ...content }) => ({
        account_id: accountId,
        prompt_id: promptId,
        version,
        text: toSearchText(content),
      }));
      await insertRows(db, 'prompt_texts', rows);
    }
    if (added.length < missing.length) return false;
  }
  return true;
}

/**
 * Lists the content of the given versions. There is one subquery for each version, because with a list of pairs either engine may read all
 * versions of the workspace.
 */
async function listContents(db: Kysely<Database>, accountId: string, versions: VersionKey[]) {
  const [first, ...others] = versions.map(({ promptId, version }) =>
    db
      .selectFrom('prompt_versions')
      .select(['prompt_id as promptId', 'version', 'content', 'config'])
      .where('account_id', '=', accountId)
      .where('prompt_id', '=', promptId)
      .where('version', '=', version)
      .where(isLive),
  );
  return first ? others.reduce((all, other) => all.unionAll(other), first).execute() : [];
}

/** Lists the newest and labeled versions that have no search texts yet, newest first. */
async function listMissing(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<(VersionKey & { bytes: number })[]> {
  const newest = db
    .selectFrom('prompts')
    .select(['id as prompt_id', 'latest_version as version'])
    .where('account_id', '=', accountId)
    .where('id', 'in', promptIds);
  const labeled = db
    .selectFrom('prompt_labels')
    .select(['prompt_id', 'version'])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds);
  return db
    .with('pointers', () => newest.union(labeled))
    .selectFrom('pointers')
    .innerJoin('prompt_versions', (join) =>
      join
        .on('prompt_versions.account_id', '=', accountId)
        .onRef('prompt_versions.prompt_id', '=', 'pointers.prompt_id')
        .onRef('prompt_versions.version', '=', 'pointers.version'),
    )
    .select(['prompt_versions.prompt_id as promptId', 'prompt_versions.version'])
    .select(sql<number>`octet_length(content) + octet_length(config)`.as('bytes'))
    .where(isLive)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('prompt_texts')
            .select('prompt_texts.version')
            .where('prompt_texts.account_id', '=', accountId)
            .whereRef('prompt_texts.prompt_id', '=', 'pointers.prompt_id')
            .whereRef('prompt_texts.version', '=', 'pointers.version'),
        ),
      ),
    )
    .orderBy('prompt_versions.version', 'desc')
    .execute();
}

/** Adds the missing texts of names and descriptions. */
async function addNames(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<void> {
  await sql`insert into prompt_texts (account_id, prompt_id, version, text)
    select account_id, id, ${nameVersion}, ${nameText} from prompts where account_id = ${accountId} and id in (${sql.join(promptIds)})
      and not exists (select 1 from prompt_texts t where t.account_id = ${accountId} and t.prompt_id = prompts.id and t.version = ${nameVersion})`.execute(
    db,
  );
}

async function deleteUnused(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<void> {
  await db
    .deleteFrom('prompt_texts')
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('prompts')
            .select('prompts.id')
            .where('prompts.account_id', '=', accountId)
            .whereRef('prompts.id', '=', 'prompt_texts.prompt_id')
            .where(({ eb, and, or }) =>
              or([
                eb('prompts.latest_version', '=', eb.ref('prompt_texts.version')),
                and([eb('prompt_texts.version', '=', nameVersion), eb('prompt_texts.text', '=', nameText)]),
              ]),
            ),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('prompt_labels')
            .select('prompt_labels.label')
            .where('prompt_labels.account_id', '=', accountId)
            .whereRef('prompt_labels.prompt_id', '=', 'prompt_texts.prompt_id')
            .whereRef('prompt_labels.version', '=', 'prompt_texts.version'),
        ),
      ),
    )
    .execute();
}

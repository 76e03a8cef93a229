import { type Kysely, sql } from 'kysely';
import { batchesOf } from '../insert-rows.ts';
import { createTable, integer, ofVersion, primaryKey, text } from './schema.ts';

interface Tables {
  prompt_versions: { account_id: string; prompt_id: string; version: number; partials: string };
  prompt_references: { account_id: string; prompt_id: string; version: number; name: string; label: string };
}

/** Adds a table of the prompts that each version includes, indexed by the included name, and an index of calls by prompt. */
export async function up(untyped: Kysely<unknown>): Promise<void> {
  // The tables have these columns at this step.
  const db = untyped as Kysely<Tables>;
  await createTable(untyped, 'prompt_references', [
    text('account_id', 'prompt_id'),
    integer('version'),
    text('name', 'label'),
    primaryKey('prompt_references_pk', 'account_id', 'prompt_id', 'version', 'name', 'label'),
    ofVersion('prompt_references_version'),
  ]);
  await fill(db);
  await sql`create index prompt_references_by_name on prompt_references (account_id, name, prompt_id, version, label)`.execute(db);
  await sql`create index prompt_statistics_by_prompt on prompt_statistics (account_id, prompt_id, time, version, label, status)`.execute(
    db,
  );
}

/** The number of versions per batch. A version has up to 100 references, which may take up to 100 KB. */
const batchVersions = 100;

/** Reads the existing versions in batches, so that a large database needs little memory. */
async function fill(db: Kysely<Tables>): Promise<void> {
  for (let last: { account_id: string; prompt_id: string; version: number } | undefined; ; ) {
    let query = db.selectFrom('prompt_versions').select(['account_id', 'prompt_id', 'version', 'partials']).where('partials', '<>', '[]');
    if (last)
      query = query.where(sql<boolean>`(account_id, prompt_id, version) > (${last.account_id}, ${last.prompt_id}, ${last.version})`);
    const found = await query.orderBy('account_id').orderBy('prompt_id').orderBy('version').limit(batchVersions).execute();
    last = found.at(-1);
    if (!last) return;
    const rows = found.flatMap(({ partials, ...version }) => referencesIn(partials).map((reference) => ({ ...version, ...reference })));
    for (const batch of batchesOf(rows, 1000)) await db.insertInto('prompt_references').values(batch).execute();
  }
}

/** Lists each pair once. Names that no prompt can have are left out, because a template may contain anything. */
function referencesIn(partials: string): { name: string; label: string }[] {
  const pairs = new Map<string, { name: string; label: string }>();
  for (const { name, label } of JSON.parse(partials) as { name: string; label: string }[]) {
    if ([...name].length <= 200 && label.length <= 50) pairs.set(`${name}|${label}`, { name, label });
  }
  return [...pairs.values()];
}

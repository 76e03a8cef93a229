import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import type { PromptType } from '../../contract/versions.ts';
import { batchesOf, insertRows } from '../insert-rows.ts';
import { listDistinct } from '../list-distinct.ts';
import { type WriteRows, writeAtOnce } from '../row-writes.ts';
import type { Database } from '../tables.ts';
import { ofPrompt } from './prompt-owner.ts';

/** An included prompt, and the label at which it is included. */
export interface Reference {
  name: string;
  label: string;
}

/** An include by a version that a label points at. */
export interface LiveReference {
  promptId: string;
  name: string;
  type: PromptType;
  version: number;
  /** The label of the including prompt, or `latest`. */
  pointer: string;
  /** The label at which the prompt is included. */
  label: string;
}

/** A version that includes another prompt by version number. */
export interface PinningVersion {
  promptId: string;
  name: string;
  version: number;
  /** The label with the number, such as `@2`. */
  label: string;
  /** The given labels that point at the version. */
  pointers: string[];
}

/** The name of a prompt that may be included, at one label or at any label. */
export interface Target {
  name: string;
  label: string | undefined;
}

/**
 * Stores the references of versions to the prompts that they include. A version never changes, so its references are written once and
 * deleted with it.
 */
export function createReferenceStore(db: Kysely<Database>, write: WriteRows = writeAtOnce(db)) {
  return {
    async insert(accountId: string, promptId: string, version: number, references: Reference[]): Promise<void> {
      const owner = { account_id: accountId, prompt_id: promptId, version };
      const rows = references.map(({ name, label }) => ({ ...owner, name, label }));
      await write(insertReferences, rows);
    },

    async delete(accountId: string, promptId: string, version: number): Promise<void> {
      await db.deleteFrom('prompt_references').where(ofPrompt({ accountId, promptId })).where('version', '=', version).execute();
    },

    /** Lists the targets that at least one version includes. */
    async listIncluded<T extends Target>(accountId: string, targets: T[]): Promise<T[]> {
      const found = new Set<number>();
      for (const batch of batchesOf([...targets.entries()], targetsAtOnce)) {
        const values = batch.map(([number, { name, label = '' }]) => sql`(${sql.lit(number)}, ${name}, ${label}, ${label || afterLabels})`);
        const { rows } = await sql<{ number: number }>`select column1 as number from (values ${sql.join(values)}) as changed where exists (
            select 1 from prompt_references where account_id = ${accountId} and name = column2 and label >= column3 and label <= column4
          )`.execute(db);
        for (const { number } of rows) found.add(number);
      }
      return targets.filter((_target, index) => found.has(index));
    },

    /**
     * Lists the ids of prompts that include the target in any of their versions. Each step is one index seek, so a prompt with thousands of
     * such versions costs no more than a prompt with one.
     */
    async listIncluding(accountId: string, target: Target, page: { after: string; limit: number }): Promise<string[]> {
      const where = sql`account_id = ${accountId} and ${isAt(target)}`;
      return listDistinct(db, { table: 'prompt_references', column: 'prompt_id', where, ...page });
    },

    /**
     * Lists the versions that include the target by version number and through which callers of the given labels may get it. This is the
     * case if one of the labels points at the version, if the version's prompt has a release, or if another version includes the version by
     * number. Versions of prompts in the bin count, because everyone can restore them.
     */
    async listPinning(
      accountId: string,
      { name, label }: Target,
      { labels, limit }: { labels: string[]; limit: number },
    ): Promise<PinningVersion[]> {
      const given = sql.join(labels);
      const { rows } = await sql<Omit<PinningVersion, 'pointers'> & { pointers: string | null }>`
        select r.prompt_id as "promptId", p.name, r.version, r.label, (
          select string_agg(l.label, ' ') from prompt_labels l
          where l.account_id = r.account_id and l.prompt_id = r.prompt_id and l.version = r.version and l.label in (${given})
        ) as pointers
        from prompt_references r join prompts p on p.account_id = r.account_id and p.id = r.prompt_id
        where r.account_id = ${accountId} and r.name = ${name} and r.label like '@%'
          ${label === undefined ? sql`` : sql`and r.label = ${label}`}
          and (
            exists (select 1 from prompt_labels l
              where l.account_id = r.account_id and l.prompt_id = r.prompt_id and l.version = r.version and l.label in (${given}))
            or exists (select 1 from releases s
              where s.account_id = r.account_id and s.prompt_id = r.prompt_id and s.label in (${given}) and s.state in ('running', 'paused'))
            or (p.name, '@' || r.version) in (
              select o.name, o.label from prompt_references o where o.account_id = ${accountId} and o.label like '@%')
          )
        order by r.prompt_id, r.version, r.label limit ${sql.lit(limit)}`.execute(db);
      return rows.map(({ pointers, ...row }) => ({ ...row, pointers: pointers?.split(' ') ?? [] }));
    },

    /** Lists what the given versions include by version number, up to a limit. */
    async listPins(
      accountId: string,
      versions: { promptId: string; version: number }[],
      limit: number,
    ): Promise<{ promptId: string; version: number; name: string; label: string }[]> {
      const found: { promptId: string; version: number; name: string; label: string }[] = [];
      for (const batch of batchesOf(versions, targetsAtOnce)) {
        if (found.length >= limit) break;
        const values = batch.map(({ promptId, version }) => sql`(${promptId}, ${sql.lit(version)})`);
        // A cross join makes SQLite begin with the given versions. Otherwise, it would read all references of the workspace.
        const { rows } = await sql<(typeof found)[number]>`
          select prompt_id as "promptId", version, name, label from (values ${sql.join(values)}) as given cross join prompt_references
          where account_id = ${accountId} and prompt_id = column1 and version = column2 and label like '@%'
          limit ${sql.lit(limit - found.length)}`.execute(db);
        found.push(...rows);
      }
      return found;
    },

    /** Lists the prompts outside the bin that have these names and versions. */
    async resolvePins(
      accountId: string,
      pins: { name: string; version: number }[],
    ): Promise<{ name: string; version: number; promptId: string }[]> {
      const found: { name: string; version: number; promptId: string }[] = [];
      for (const batch of batchesOf(pins, targetsAtOnce)) {
        const values = batch.map(({ name, version }) => sql`(${name}, ${sql.lit(version)})`);
        const { rows } = await sql<(typeof found)[number]>`
          select p.name, v.version, p.id as "promptId" from (values ${sql.join(values)}) as given
          join prompts p on p.account_id = ${accountId} and p.name = column1 and p.deleted_at is null
          join prompt_versions v on v.account_id = p.account_id and v.prompt_id = p.id and v.version = column2
          where octet_length(v.content) > 0`.execute(db);
        found.push(...rows);
      }
      return found;
    },

    /**
     * Lists where the given prompts outside the bin include the target, ordered by prompt id. Only versions that a label or `latest` points
     * at are searched. If the target has no label and a version includes the name at several labels, the result has one entry for each
     * label, up to a limit.
     */
    async listLive(accountId: string, target: Target, promptIds: string[]): Promise<LiveReference[]> {
      return promptIds.length === 0 ? [] : selectLive(db, accountId, target, promptIds);
    },
  };
}

const insertReferences = (db: Kysely<Database>, rows: Insertable<Database['prompt_references']>[]) =>
  insertRows(db, 'prompt_references', rows);

/** The maximum number of targets per query. */
const targetsAtOnce = 500;
/** This string sorts after every label. */
const afterLabels = '\u{10ffff}';

/** The maximum number of labels that are read for a version that includes the same name at very many labels. */
const maxLabels = 10;

/** Returns a condition for the references to a target. */
function isAt({ name, label }: Target) {
  return label === undefined ? sql`name = ${name}` : sql`name = ${name} and label = ${label}`;
}

/**
 * Selects one row for each prompt. A row for each label would take longer to read, and the event loop waits for the lookups of a change.
 */
async function selectLive(db: Kysely<Database>, accountId: string, target: Target, promptIds: string[]): Promise<LiveReference[]> {
  // Selects a label, its version, and the labels at which that version includes the target (null if there are none). Labels contain neither
  // spaces nor commas.
  const includes = (pointer: RawBuilder<unknown>, version: string) =>
    sql<string | null>`${pointer} || ' ' || ${sql.ref(version)} || ' ' || (select string_agg(included.label, ' ') from (
      select r.label from prompt_references r where r.account_id = ${accountId} and ${isAt(target)}
      and r.prompt_id = prompts.id and r.version = ${sql.ref(version)} order by r.label limit ${sql.lit(maxLabels)}
    ) as included)`;
  const prompts = await db
    .selectFrom('prompts')
    .select([
      'id as promptId',
      'name',
      'type',
      includes(sql.lit(latestLabel), 'latest_version').as('latest'),
      sql<string | null>`(select string_agg(${includes(sql.ref('l.label'), 'l.version')}, ',') from prompt_labels l
        where l.account_id = ${accountId} and l.prompt_id = prompts.id)`.as('labeled'),
    ])
    .where('account_id', '=', accountId)
    .where('id', 'in', promptIds)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return prompts.flatMap(({ latest, labeled, ...prompt }) =>
    [latest, ...(labeled?.split(',') ?? [])].flatMap((include) => {
      const [pointer = '', version, ...labels] = include?.split(' ') ?? [];
      return labels.map((label) => ({ ...prompt, version: Number(version), pointer, label }));
    }),
  );
}

import type { Insertable, Kysely, Selection } from 'kysely';
import type { Person } from '../../contract/people.ts';
import { insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { importedAuthor, type PersonRow, personColumns, toPerson } from './people.ts';

export const versionColumns = [
  'prompt_versions.prompt_id as promptId',
  'prompt_versions.version',
  'prompt_versions.syntax',
  'prompt_versions.content',
  'prompt_versions.config',
  'prompt_versions.variables',
  'prompt_versions.partials',
  'prompt_versions.message',
  'prompt_versions.created_at as createdAt',
  'prompt_versions.by_via as byVia',
  ...personColumns('prompt_versions'),
] as const;

/** A stored version. JSON columns remain strings, because only the domain knows their shapes. */
export type VersionRecord = Omit<Selection<Database, 'prompt_versions', (typeof versionColumns)[number]>, keyof PersonRow> & {
  by: Person;
  /** The ids of all accounts that contributed to the content. Undefined if only `by` contributed to it. */
  authors?: string[] | undefined;
};

export function toVersionRecord<T extends PersonRow>({ byAccountId, byName, byVia, ...record }: T) {
  return { ...record, by: toPerson({ byAccountId, byName, byVia }) };
}

type VersionRow = Required<Omit<Insertable<Database['prompt_versions']>, 'deleted_at' | 'imported_at'>>;

export function toVersionRow(accountId: string, version: VersionRecord): VersionRow {
  return {
    account_id: accountId,
    prompt_id: version.promptId,
    version: version.version,
    syntax: version.syntax,
    content: version.content,
    config: version.config,
    variables: version.variables,
    partials: version.partials,
    message: version.message,
    created_at: version.createdAt,
    by_account_id: version.by.userId ?? importedAuthor,
    by_name: version.by.name,
    by_via: version.by.via ?? null,
    authors: version.authors?.join(' ') ?? null,
  };
}

export const insertVersions = (db: Kysely<Database>, rows: VersionRow[]) => insertRows(db, 'prompt_versions', rows);

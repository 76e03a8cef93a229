import { type Kysely, sql } from 'kysely';
import type { Via } from '../../contract/people.ts';
import type { TemplateSyntax } from '../../contract/versions.ts';
import type { Database } from '../tables.ts';
import { personColumns } from './people.ts';

/** How far a prompt goes, and how large it is. */
export interface PromptExtent {
  /** The highest number that a version ever had. */
  lastVersion: number;
  deletedVersions: number;
  lastEvent: string | null;
  /** Versions and entries of the history, each up to a number. */
  lines: number;
  /** Of these versions, and of the cases. */
  bytes: number;
}

/** `content` and `config` are JSON; both are empty if the version is deleted. */
export interface ExportedVersion {
  promptId: string;
  version: number;
  syntax: TemplateSyntax;
  content: string;
  config: string;
  message: string;
  createdAt: string;
  deletedAt: string | null;
  byName: string;
  byVia: Via | null;
}

/** `content` is JSON: variables and checks. */
export interface ExportedCase {
  promptId: string;
  id: string;
  name: string;
  content: string;
  createdAt: string;
  updatedAt: string;
}

/** `detail` is JSON. */
export interface ExportedEvent {
  promptId: string;
  id: string;
  type: string;
  detail: string;
  at: string;
  byName: string;
  byVia: Via;
}

/** What follows a version, or comes first, up to another one. */
interface VersionRange {
  after: number;
  upTo: number;
}

/** Versions of which a part is chosen. */
const rangeVersions = 200;

/** As in versions.ts. */
const isLive = sql<boolean>`octet_length(content) > 0`;
const contentBytes = sql<number>`octet_length(content) + octet_length(config) + octet_length(message)`;

/** Reads whole prompts: several small ones at once, or a large one part by part. */
export function createExportStore(db: Kysely<Database>) {
  const selectVersions = (accountId: string) =>
    db
      .selectFrom('prompt_versions')
      .select([
        'prompt_id as promptId',
        'version',
        'syntax',
        'content',
        'config',
        'message',
        'created_at as createdAt',
        'deleted_at as deletedAt',
        'by_via as byVia',
        personColumns('prompt_versions')[1],
      ])
      .where('account_id', '=', accountId);

  const selectRange = (accountId: string, promptId: string, { after, upTo }: VersionRange) =>
    selectVersions(accountId)
      .where('prompt_id', '=', promptId)
      .where('version', '>', after)
      .where('version', '<=', upTo)
      .orderBy('version');

  const selectEvents = (accountId: string) =>
    db
      .selectFrom('prompt_events')
      .select(['prompt_id as promptId', 'id', 'type', 'detail', 'at', 'by as byVia', personColumns('prompt_events')[1]])
      .where('account_id', '=', accountId);

  return {
    /** By prompt. Looks at no more than `rows` versions and entries of each. */
    async measure(accountId: string, promptIds: string[], rows: number): Promise<Map<string, PromptExtent>> {
      const versions = sql`from prompt_versions where account_id = prompts.account_id and prompt_id = prompts.id`;
      const events = sql`from prompt_events where account_id = prompts.account_id and prompt_id = prompts.id`;
      const found = await db
        .selectFrom('prompts')
        .select((eb) => [
          'id',
          sql<number>`(select max(version) ${versions})`.as('lastVersion'),
          sql<number>`(select count(*) ${versions} and deleted_at is not null)`.as('deletedVersions'),
          sql<string | null>`(select max(id) ${events})`.as('lastEvent'),
          sql<number>`(select count(*) from (select 1 ${versions} limit ${rows}) as first)`.as('versions'),
          sql<number>`(select sum(bytes) from (select ${contentBytes} as bytes ${versions} limit ${rows}) as first)`.as('bytes'),
          sql<number>`(select count(*) from (select 1 ${events} limit ${rows}) as first)`.as('events'),
          eb
            .selectFrom('prompt_cases')
            .select((cases) => cases.fn.sum<number | null>('prompt_cases.bytes').as('bytes'))
            .whereRef('prompt_cases.account_id', '=', 'prompts.account_id')
            .whereRef('prompt_cases.prompt_id', '=', 'prompts.id')
            .as('caseBytes'),
        ])
        .where('account_id', '=', accountId)
        .where('id', 'in', promptIds)
        .execute();
      return new Map(
        found.map(({ id, lastVersion, lastEvent, ...row }): [string, PromptExtent] => [
          id,
          {
            lastVersion,
            deletedVersions: Number(row.deletedVersions),
            lastEvent,
            lines: Number(row.versions) + Number(row.events),
            bytes: Number(row.bytes) + Number(row.caseBytes ?? 0),
          },
        ]),
      );
    },

    /** All versions of some prompts, by their numbers. */
    async listVersions(accountId: string, promptIds: string[]): Promise<ExportedVersion[]> {
      return selectVersions(accountId).where('prompt_id', 'in', promptIds).orderBy('prompt_id').orderBy('version').execute();
    },

    /**
     * The next versions of a prompt, as many as have about `maxBytes`, but at least one. `last` is the last number that was looked at,
     * which may be that of a deleted version, or undefined if there are no more.
     */
    async listVersionRange(
      accountId: string,
      promptId: string,
      { after, upTo }: VersionRange,
      maxBytes: number,
    ): Promise<{ versions: ExportedVersion[]; last: number | undefined }> {
      const sizes = await db
        .selectFrom('prompt_versions')
        .select(['version', contentBytes.as('bytes')])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('version', '>', after)
        .where('version', '<=', upTo)
        .orderBy('version')
        .limit(rangeVersions)
        .execute();
      let bytes = 0;
      const end = sizes.findIndex((row, index) => {
        bytes += row.bytes;
        return index > 0 && bytes > maxBytes;
      });
      const last = sizes.at(end === -1 ? -1 : end - 1)?.version;
      if (last === undefined) return { versions: [], last };
      return { versions: await selectRange(accountId, promptId, { after, upTo: last }).where(isLive).execute(), last };
    },

    /** The next deleted versions of a prompt. */
    async listDeletedRange(accountId: string, promptId: string, range: VersionRange): Promise<ExportedVersion[]> {
      return selectRange(accountId, promptId, range).where('deleted_at', 'is not', null).limit(rangeVersions).execute();
    },

    async listCases(accountId: string, promptIds: string[]): Promise<ExportedCase[]> {
      return db
        .selectFrom('prompt_cases')
        .select(['prompt_id as promptId', 'id', 'name', 'content', 'created_at as createdAt', 'updated_at as updatedAt'])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .orderBy('prompt_id')
        .orderBy('id')
        .execute();
    },

    /** All entries of the history of some prompts, oldest first: ids sort by time. */
    async listEvents(accountId: string, promptIds: string[]): Promise<ExportedEvent[]> {
      return selectEvents(accountId).where('prompt_id', 'in', promptIds).orderBy('prompt_id').orderBy('id').execute();
    },

    /** The next entries of one prompt. */
    async listEventRange(
      accountId: string,
      promptId: string,
      { after, upTo, limit }: { after: string; upTo: string; limit: number },
    ): Promise<ExportedEvent[]> {
      return selectEvents(accountId)
        .where('prompt_id', '=', promptId)
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}

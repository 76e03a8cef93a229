import { type Kysely, sql } from 'kysely';
import type { Via } from '../../contract/people.ts';
import type { TemplateSyntax } from '../../contract/versions.ts';
import type { Database } from '../tables.ts';
import { personColumns } from './people.ts';

/** How much there is of a prompt. */
export interface PromptExtent {
  /** The highest number that a version ever had. */
  lastVersion: number;
  versions: number;
  /** Those that are not deleted. */
  liveVersions: number;
  events: number;
  lastEvent: string | null;
  /** Of its versions and cases. */
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

/** A part of the versions of a prompt, in the order of their numbers. */
interface VersionRange {
  isDeleted: boolean;
  after: number;
  upTo: number;
}

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

  const selectEvents = (accountId: string) =>
    db
      .selectFrom('prompt_events')
      .select(['prompt_id as promptId', 'id', 'type', 'detail', 'at', 'by as byVia', personColumns('prompt_events')[1]])
      .where('account_id', '=', accountId);

  return {
    /** By prompt. */
    async measure(accountId: string, promptIds: string[]): Promise<Map<string, PromptExtent>> {
      const versions = await db
        .selectFrom('prompt_versions')
        .select((eb) => [
          'prompt_id as promptId',
          eb.fn.max<number>('version').as('lastVersion'),
          eb.fn.countAll<number>().as('versions'),
          sql<number>`sum(case when ${isLive} then 1 else 0 end)`.as('liveVersions'),
          sql<number>`sum(${contentBytes})`.as('bytes'),
        ])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .groupBy('prompt_id')
        .execute();
      const cases = await db
        .selectFrom('prompt_cases')
        .select((eb) => ['prompt_id as promptId', eb.fn.sum<number>('bytes').as('bytes')])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .groupBy('prompt_id')
        .execute();
      const events = await db
        .selectFrom('prompt_events')
        .select((eb) => ['prompt_id as promptId', eb.fn.countAll<number>().as('events'), eb.fn.max<string>('id').as('lastEvent')])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .groupBy('prompt_id')
        .execute();
      const casesById = new Map(cases.map((row) => [row.promptId, row]));
      const eventsById = new Map(events.map((row) => [row.promptId, row]));
      return new Map(
        versions.map(({ promptId, ...row }): [string, PromptExtent] => [
          promptId,
          {
            lastVersion: row.lastVersion,
            versions: Number(row.versions),
            liveVersions: Number(row.liveVersions),
            events: Number(eventsById.get(promptId)?.events ?? 0),
            lastEvent: eventsById.get(promptId)?.lastEvent ?? null,
            bytes: Number(row.bytes) + Number(casesById.get(promptId)?.bytes ?? 0),
          },
        ]),
      );
    },

    /** All versions of some prompts, by their numbers. */
    async listVersions(accountId: string, promptIds: string[]): Promise<ExportedVersion[]> {
      return selectVersions(accountId).where('prompt_id', 'in', promptIds).orderBy('prompt_id').orderBy('version').execute();
    },

    /** The next versions of a prompt, as many as have about `maxBytes`, but at least one if there is one. */
    async listVersionRange(
      accountId: string,
      promptId: string,
      { isDeleted, after, upTo }: VersionRange,
      maxBytes: number,
    ): Promise<ExportedVersion[]> {
      const inRange = sql<boolean>`version > ${after} and version <= ${upTo} and ${isDeleted ? sql`not (${isLive})` : isLive}`;
      const sizes = await db
        .selectFrom('prompt_versions')
        .select(['version', contentBytes.as('bytes')])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where(inRange)
        .orderBy('version')
        .limit(500)
        .execute();
      let bytes = 0;
      const end = sizes.findIndex((row, index) => {
        bytes += row.bytes;
        return index > 0 && bytes > maxBytes;
      });
      const limit = end === -1 ? sizes.length : end;
      if (limit === 0) return [];
      return selectVersions(accountId).where('prompt_id', '=', promptId).where(inRange).orderBy('version').limit(limit).execute();
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

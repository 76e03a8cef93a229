import { type Kysely, type Selectable, sql } from 'kysely';
import type { ServicePerson } from '../../contract/people.ts';
import type { Split } from '../../contract/release-assignment.ts';
import type { Release, ReleaseCause, ReleaseState } from '../../contract/releases.ts';
import type { Database } from '../tables.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';

/** When the service widens a release or rolls it back. */
export interface ReleasePlan extends Pick<Release, 'metric' | 'guards' | 'steps' | 'minUnits' | 'everyMinutes' | 'onRegression'> {
  /** The proposal with which the release was approved, and how many people approved it. Absent if the label had no rule at that time. */
  approved?: { proposal: string; approvals: number } | undefined;
  /** Whether a rule of the label was overridden when the release started. */
  isOverridden?: true;
}

export interface ReleaseRecord extends PromptOwner {
  label: string;
  state: ReleaseState;
  cause: ReleaseCause | null;
  split: Split;
  plan: ReleasePlan;
  stage: number;
  startedAt: string;
  startedBy: ServicePerson;
  changedAt: string;
  endedAt: string | null;
}

type StoredSplit = Omit<Split, 'id'>;

export const activeStates = ['running', 'paused'] as const satisfies ReleaseState[];

export type ReleaseStore = ReturnType<typeof createReleaseStore>;

export function createReleaseStore(db: Kysely<Database>) {
  return {
    /** Finds the last release of a label, which may have ended. */
    async find(owner: PromptOwner, label: string): Promise<ReleaseRecord | undefined> {
      const row = await db.selectFrom('releases').selectAll().where(ofPrompt(owner)).where('label', '=', label).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Lists the releases of the given prompts that have not ended, for one label or for all labels. */
    async listActive(accountId: string, promptIds: string[], label?: string): Promise<ReleaseRecord[]> {
      if (promptIds.length === 0) return [];
      const rows = await db
        .selectFrom('releases')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .where('state', 'in', activeStates)
        .$if(label !== undefined, (query) => query.where('label', '=', label ?? ''))
        .orderBy('prompt_id')
        .orderBy('label')
        .execute();
      return rows.map(toRecord);
    },

    /** Finds the stages of the given releases, and when the releases ended. */
    async findStages(accountId: string, ids: string[]): Promise<Map<string, Pick<ReleaseRecord, 'stage' | 'endedAt'>>> {
      if (ids.length === 0) return new Map();
      const found = db.selectFrom('releases').select(['id', 'stage', 'ended_at']).where('account_id', '=', accountId);
      const rows = await found.where('id', 'in', ids).execute();
      return new Map(rows.map(({ id, stage, ended_at }) => [id, { stage, endedAt: ended_at }]));
    },

    /** Lists a page of the running releases of all workspaces, in the order of workspaces and ids. */
    async listRunning(after: { accountId: string; id: string } | undefined, limit: number): Promise<ReleaseRecord[]> {
      // The index has only rows with this state, and SQLite uses it only if the state is part of the statement.
      let running = db.selectFrom('releases').selectAll().where('state', '=', sql.lit('running'));
      if (after) running = running.where((eb) => eb(eb.refTuple('account_id', 'id'), '>', eb.tuple(after.accountId, after.id)));
      return (await running.orderBy('account_id').orderBy('id').limit(limit).execute()).map(toRecord);
    },

    /** Counts the running releases of a workspace. */
    async countRunning(accountId: string): Promise<number> {
      const running = db.selectFrom('releases').where('account_id', '=', accountId).where('state', '=', sql.lit('running'));
      const { count } = await running.select(({ fn }) => fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Lists the last releases of all labels of the given prompts. These releases may have ended. */
    async list(accountId: string, promptIds: string[]): Promise<ReleaseRecord[]> {
      if (promptIds.length === 0) return [];
      const ofPrompts = db.selectFrom('releases').selectAll().where('account_id', '=', accountId).where('prompt_id', 'in', promptIds);
      return (await ofPrompts.orderBy('prompt_id').orderBy('label').execute()).map(toRecord);
    },

    /** Deletes the last release of a label. */
    async delete({ accountId, promptId }: PromptOwner, label: string): Promise<void> {
      await db.deleteFrom('releases').where(ofPrompt({ accountId, promptId })).where('label', '=', label).execute();
    },

    /** Stores a release in place of the label's last release. */
    async put(record: ReleaseRecord): Promise<void> {
      const { accountId, promptId, label } = record;
      const { id, ...split } = record.split;
      const { state, cause, stage } = record;
      const values = {
        ...{ id, state, cause, stage, split: JSON.stringify(split satisfies StoredSplit), plan: JSON.stringify(record.plan) },
        ...{ started_at: record.startedAt, started_by: JSON.stringify(record.startedBy) },
        ...{ changed_at: record.changedAt, ended_at: record.endedAt },
      };
      await db
        .insertInto('releases')
        .values({ account_id: accountId, prompt_id: promptId, label, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'prompt_id', 'label']).doUpdateSet(values))
        .execute();
    },
  };
}

function toRecord(row: Selectable<Database['releases']>): ReleaseRecord {
  return {
    accountId: row.account_id,
    promptId: row.prompt_id,
    label: row.label,
    state: row.state,
    cause: row.cause,
    // `put` wrote the columns.
    split: { id: row.id, ...(JSON.parse(row.split) as StoredSplit) },
    plan: JSON.parse(row.plan) as ReleasePlan,
    stage: row.stage,
    startedAt: row.started_at,
    startedBy: JSON.parse(row.started_by) as ServicePerson,
    changedAt: row.changed_at,
    endedAt: row.ended_at,
  };
}

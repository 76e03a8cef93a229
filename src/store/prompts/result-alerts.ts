import type { Kysely } from 'kysely';
import type { ResultMetric } from '../../contract/event-types.ts';
import type { Database } from '../tables.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';

/** A version that a label points at. */
export interface DeployedVersion extends PromptOwner {
  label: string;
  version: number;
}

export interface ResultAlert extends DeployedVersion {
  metric: ResultMetric;
  at: string;
}

/** The maximum number of moves that are read at once. */
const maxMoves = 2000;

/** Reads and writes the alerts that a version has worse results than the version before it. */
export function createResultAlertStore(db: Kysely<Database>) {
  return {
    /** Lists the label moves of the given prompts since an id, newest first. The detail is JSON. */
    async listMoves(accountId: string, promptIds: string[], sinceId: string): Promise<{ promptId: string; detail: string }[]> {
      if (promptIds.length === 0) return [];
      return db
        .selectFrom('prompt_events')
        .select(['prompt_id as promptId', 'detail'])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .where('id', '>=', sinceId)
        .where('type', '=', 'label_moved')
        .orderBy('id', 'desc')
        .limit(maxMoves)
        .execute();
    },

    /** Lists the versions at the labels of the given prompts, except for prompts in the bin. */
    async listDeployed(accountId: string, promptIds: string[]): Promise<DeployedVersion[]> {
      if (promptIds.length === 0) return [];
      const rows = await db
        .selectFrom('prompt_labels')
        .innerJoin('prompts', (join) =>
          join.onRef('prompts.account_id', '=', 'prompt_labels.account_id').onRef('prompts.id', '=', 'prompt_labels.prompt_id'),
        )
        .select(['prompt_labels.prompt_id as promptId', 'prompt_labels.label', 'prompt_labels.version'])
        .where('prompt_labels.account_id', '=', accountId)
        .where('prompt_labels.prompt_id', 'in', promptIds)
        .where('prompts.deleted_at', 'is', null)
        .execute();
      return rows.map((row) => ({ accountId, ...row }));
    },

    /** Returns the prompt if its label points at the version and it is not in the bin. */
    async findDeployed({ accountId, promptId, label, version }: DeployedVersion): Promise<{ id: string; name: string } | undefined> {
      return db
        .selectFrom('prompts')
        .innerJoin('prompt_labels', (join) =>
          join.onRef('prompt_labels.account_id', '=', 'prompts.account_id').onRef('prompt_labels.prompt_id', '=', 'prompts.id'),
        )
        .select(['prompts.id', 'prompts.name'])
        .where('prompts.account_id', '=', accountId)
        .where('prompts.id', '=', promptId)
        .where('prompts.deleted_at', 'is', null)
        .where('prompt_labels.label', '=', label)
        .where('prompt_labels.version', '=', version)
        .executeTakeFirst();
    },

    /** Lists the metrics for which there already is an alert. */
    async listMetrics({ label, version, ...owner }: DeployedVersion): Promise<ResultMetric[]> {
      const alerts = db.selectFrom('result_alerts').select('metric').where(ofPrompt(owner));
      const rows = await alerts.where('label', '=', label).where('version', '=', version).execute();
      return rows.map(({ metric }) => metric);
    },

    /** Adds an alert. Returns false if it already exists, because another instance has just added it. */
    async insert({ accountId, promptId, ...alert }: ResultAlert): Promise<boolean> {
      const result = await db
        .insertInto('result_alerts')
        .values({ account_id: accountId, prompt_id: promptId, ...alert })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },
  };
}

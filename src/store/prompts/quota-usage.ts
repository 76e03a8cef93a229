import { type Kysely, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';

/** The amounts that a workspace has stored, or may store. Prompts in the bin count too. */
interface Usage {
  prompts: number;
  versions: number;
  contentBytes: number;
}

/** The maximum amounts that one workspace may have. Infinity means that there is no limit. */
export interface Quotas extends Usage {
  /** The maximum number of members, service accounts and open invitations together. */
  members: number;
  webhooks: number;
  models: number;
}

export const unlimited: Quotas = {
  prompts: Number.POSITIVE_INFINITY,
  versions: Number.POSITIVE_INFINITY,
  contentBytes: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
  webhooks: Number.POSITIVE_INFINITY,
  models: Number.POSITIVE_INFINITY,
};

export type UsageCounter = ReturnType<typeof createUsageCounter>;

/**
 * Counts the amounts that a transaction adds to a workspace. `current` must not change until they are stored, so the transaction must have
 * locked the account's row.
 */
export function createUsageCounter(current: Usage, quotas: Usage) {
  const added: Usage = { prompts: 0, versions: 0, contentBytes: 0 };
  return {
    added,
    /** Throws if a quota would be exceeded. Call it before the insert. */
    add(more: Partial<Usage>): void {
      for (const kind of usageKinds) {
        added[kind] += more[kind] ?? 0;
        if ((more[kind] ?? 0) > 0 && current[kind] + added[kind] > quotas[kind]) {
          throw new AppError('quota_exceeded', { text: describeQuota[kind](quotas[kind]) });
        }
      }
    },
  };
}

/** Adds amounts to the counters in the account's row, which the transaction must have locked. Removed amounts are negative. */
export async function storeUsage(db: Kysely<Database>, accountId: string, added: Partial<Usage>): Promise<void> {
  const { prompts = 0, versions = 0, contentBytes = 0 } = added;
  if (prompts === 0 && versions === 0 && contentBytes === 0) return;
  // Earlier versions did not count these amounts, so a counter may be smaller than the removed amount.
  const add = (column: string, count: number) =>
    sql<number>`case when ${sql.ref(column)} + ${count} > 0 then ${sql.ref(column)} + ${count} else 0 end`;
  await db
    .updateTable('accounts')
    .set({
      prompt_count: add('prompt_count', prompts),
      version_count: add('version_count', versions),
      content_bytes: add('content_bytes', contentBytes),
    })
    .where('id', '=', accountId)
    .execute();
}

const usageKinds = ['prompts', 'versions', 'contentBytes'] as const;

const binNote = 'Prompts in the bin count until they are removed after 30 days.';
const describeQuota: Record<keyof Usage, (quota: number) => string> = {
  prompts: (quota) => `A workspace can have at most ${quota} prompts (setting QUOTA_PROMPTS). ${binNote}`,
  versions: (quota) => `A workspace can have at most ${quota} prompt versions (setting QUOTA_VERSIONS). ${binNote}`,
  contentBytes: (quota) => `A workspace can have at most ${quota / 1024 / 1024} MiB of content (setting QUOTA_CONTENT_MIB). ${binNote}`,
};

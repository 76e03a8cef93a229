import { type Kysely, sql } from 'kysely';
import { createRest, splitInTurns } from '../../platform/event-loop.ts';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';
import { readSlices } from './prompt-statistics.ts';

export interface PromptUsage {
  /** Since the given time. */
  calls: number;
  /** The hour (`2026-03-01T14`) of the last call, or its day after the rollup. */
  lastUsed: string | undefined;
}

const afterAllTimes = '~';
/** How many prompts one query adds up, */
const promptsAtOnce = 25;
/** and how many counters of each: more have those that are called with very many versions or labels, which are added up one by one. */
const countersAtOnce = 200;

export function createPromptUsageStore(db: Kysely<Database>) {
  return {
    /** The calls of some prompts since an hour, and when each was last called. */
    async readUsage(accountId: string, promptIds: string[], since: string): Promise<Map<string, PromptUsage>> {
      if (promptIds.length === 0) return new Map();
      return readWithPending(db, accountId, async ({ prompts }) => {
        const usage = await readRows(db, accountId, promptIds, since);
        for await (const part of splitInTurns(prompts)) {
          for (const { promptId, time, calls } of part) {
            const counted = usage.get(promptId);
            if (!counted) continue;
            if (time >= since) counted.calls += calls;
            if (counted.lastUsed === undefined || time > counted.lastUsed) counted.lastUsed = time;
          }
        }
        return usage;
      });
    },
  };
}

async function readRows(db: Kysely<Database>, accountId: string, promptIds: string[], since: string): Promise<Map<string, PromptUsage>> {
  const usage = new Map<string, PromptUsage>();
  for (const { id, lastUsed } of await selectLastUses(db, accountId, promptIds).execute()) {
    usage.set(id, { calls: 0, lastUsed: lastUsed ?? undefined });
  }
  // Most prompts of a large workspace are not called every day.
  const called = [...usage].flatMap(([id, { lastUsed }]) => (lastUsed !== undefined && lastUsed >= since ? [id] : []));
  const rest = createRest();
  for (let start = 0; start < called.length; start += promptsAtOnce) {
    if (start > 0) await rest();
    const counted = await selectCounts(db, accountId, { promptIds: called.slice(start, start + promptsAtOnce), since }).execute();
    for (const { promptId, calls, counters } of counted) {
      const isAll = counters < countersAtOnce;
      const sum = isAll ? (calls ?? 0) : await addUpRows(db, { accountId, promptId, since });
      usage.set(promptId, { calls: sum, lastUsed: usage.get(promptId)?.lastUsed });
    }
  }
  return usage;
}

async function addUpRows(
  db: Kysely<Database>,
  { accountId, promptId, since }: { accountId: string; promptId: string; since: string },
): Promise<number> {
  let sum = 0;
  for await (const rows of readSlices(db, { accountId, promptId, times: [since, afterAllTimes] })) {
    for (const { calls } of rows) sum += calls;
  }
  return sum;
}

/** One seek per prompt: the last entry of its part of the index. */
export function selectLastUses(db: Kysely<Database>, accountId: string, promptIds: string[]) {
  return db
    .selectFrom('prompts')
    .select((eb) => [
      'prompts.id',
      eb
        .selectFrom('prompt_statistics')
        .select((inner) => inner.fn.max('time').as('time'))
        .where('prompt_statistics.account_id', '=', accountId)
        .whereRef('prompt_statistics.prompt_id', '=', 'prompts.id')
        .as('lastUsed'),
    ])
    .where('prompts.account_id', '=', accountId)
    .where('prompts.id', 'in', promptIds);
}

/** The calls of each prompt, added up of no more than `countersAtOnce` counters, and how many these were. */
export function selectCounts(db: Kysely<Database>, accountId: string, { promptIds, since }: { promptIds: string[]; since: string }) {
  const [first, ...others] = promptIds.map((promptId) =>
    db
      .selectFrom(
        db
          .selectFrom('prompt_statistics')
          .select('calls')
          .where('account_id', '=', accountId)
          .where('prompt_id', '=', promptId)
          .where('time', '>=', since)
          .limit(countersAtOnce)
          .as('counters'),
      )
      .select((eb) => [
        sql<string>`cast(${promptId} as text)`.as('promptId'),
        eb.fn.sum<number | null>('calls').as('calls'),
        eb.fn.countAll<number>().as('counters'),
      ]),
  );
  if (!first) throw new Error('There are no prompts to add up');
  return others.reduce((all, other) => all.unionAll(other), first);
}

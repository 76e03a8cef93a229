import type { Kysely, Selectable } from 'kysely';
import { createRest, splitInTurns } from '../../event-loop.ts';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';

export interface PromptUsage {
  /** Since the given time. */
  calls: number;
  /** The hour (`2026-03-01T14`) of the last call, or its day after the rollup. */
  lastUsed: string | undefined;
}

type PromptCounter = Selectable<Database['prompt_statistics']>;

/** Counters in one query: those of a page of prompts in an hour, unless they are called with very many versions. */
const sliceRows = 1000;

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
  const called = [...usage].filter(([, { lastUsed }]) => lastUsed !== undefined && lastUsed >= since).map(([id]) => id);
  const rest = createRest();
  for (let last: PromptCounter | undefined; called.length > 0; await rest()) {
    const slice: PromptCounter[] = await selectCounters(db, { accountId, promptIds: called, since, after: last }).execute();
    for (const { prompt_id, calls } of slice) {
      const counted = usage.get(prompt_id);
      if (counted) counted.calls += calls;
    }
    last = slice.at(-1);
    if (slice.length < sliceRows) break;
  }
  return usage;
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

interface CounterQuery {
  accountId: string;
  promptIds: string[];
  since: string;
  /** The last counter of the previous slice. */
  after?: PromptCounter | undefined;
}

export function selectCounters(db: Kysely<Database>, { accountId, promptIds, since, after }: CounterQuery) {
  let query = db
    .selectFrom('prompt_statistics')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', promptIds)
    .where('time', '>=', since);
  if (after) {
    query = query.where((eb) =>
      eb(
        eb.refTuple('prompt_id', 'time', 'version', 'label', 'status'),
        '>',
        eb.tuple(after.prompt_id, after.time, after.version, after.label, after.status),
      ),
    );
  }
  return query.orderBy('prompt_id').orderBy('time').orderBy('version').orderBy('label').orderBy('status').limit(sliceRows);
}

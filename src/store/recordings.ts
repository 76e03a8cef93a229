import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './tables.ts';
import { runTransaction } from './transaction.ts';

/** What an instance noted down since its last write. Written as a whole or not at all. */
export interface Recording {
  /** The instance, and the number of this recording of it: no recording is ever written twice. */
  writer: string;
  sequence: number;
  calls: CallCount[];
  prompts: PromptCount[];
  keyUses: { accountId: string; lastUsedAt: string }[];
  events: AccountEvent[];
}

export interface CallCount {
  accountId: string;
  time: string;
  route: string;
  status: number;
  bucket: number;
  calls: number;
}

export interface PromptCount {
  accountId: string;
  time: string;
  promptId: string;
  version: number;
  label: string;
  status: number;
  calls: number;
}

export interface AccountEvent {
  accountId: string;
  id: string;
  type: string;
  at: string;
  address: string | null;
  userAgent: string | null;
}

export type RecordingStore = ReturnType<typeof createRecordingStore>;

export function createRecordingStore(db: Kysely<Database>) {
  return {
    /**
     * Adds a recording to what is stored. When the outcome of an earlier try is unknown, try again: if that one was
     * committed after all, the sequence says so and nothing is added.
     */
    async write(recording: Recording): Promise<void> {
      await runTransaction(db, async (transaction) => {
        if (!(await claimSequence(transaction, recording))) return;
        const exists = await findExisting(transaction, recording);
        await addCalls(
          transaction,
          recording.calls.filter(({ accountId }) => exists.has(accountId)),
        );
        await addPrompts(
          transaction,
          recording.prompts.filter(({ accountId }) => exists.has(accountId)),
        );
        await noteKeyUses(
          transaction,
          recording.keyUses.filter(({ accountId }) => exists.has(accountId)),
        );
        await addEvents(transaction, recording.events);
      });
    },

    /** Forgets instances that are long gone. */
    async deleteWritersUnusedSince(time: Date): Promise<void> {
      await db.deleteFrom('statistics_writers').where('updated_at', '<', time.toISOString()).execute();
    },
  };
}

/** False when this recording is in the database already. Waits for a try of ours that still hangs on another connection. */
async function claimSequence(transaction: Transaction<Database>, { writer, sequence }: Recording): Promise<boolean> {
  const updated_at = new Date().toISOString();
  const result = await transaction
    .insertInto('statistics_writers')
    .values({ id: writer, sequence, updated_at })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ sequence, updated_at }).where('statistics_writers.sequence', '<', sequence),
    )
    .executeTakeFirstOrThrow();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Accounts may have been deleted since they called; one that goes at this very moment fails the try, and the next leaves it out. */
async function findExisting(transaction: Transaction<Database>, { keyUses }: Recording): Promise<Set<string>> {
  const found = new Set<string>();
  for (const chunk of chunks(keyUses)) {
    const ids = chunk.map(({ accountId }) => accountId);
    for (const { id } of await transaction.selectFrom('accounts').select('id').where('id', 'in', ids).execute()) found.add(id);
  }
  return found;
}

async function addCalls(transaction: Transaction<Database>, counts: CallCount[]): Promise<void> {
  for (const chunk of chunks(counts)) {
    await transaction
      .insertInto('call_statistics')
      .values(chunk.map(({ accountId, ...count }) => ({ account_id: accountId, ...count })))
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'time', 'route', 'status', 'bucket'])
          .doUpdateSet({ calls: sql<number>`call_statistics.calls + excluded.calls` }),
      )
      .execute();
  }
}

async function addPrompts(transaction: Transaction<Database>, counts: PromptCount[]): Promise<void> {
  for (const chunk of chunks(counts)) {
    await transaction
      .insertInto('prompt_statistics')
      .values(chunk.map(({ accountId, promptId, ...count }) => ({ account_id: accountId, prompt_id: promptId, ...count })))
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'time', 'prompt_id', 'version', 'label', 'status'])
          .doUpdateSet({ calls: sql<number>`prompt_statistics.calls + excluded.calls` }),
      )
      .execute();
  }
}

async function noteKeyUses(transaction: Transaction<Database>, uses: Recording['keyUses']): Promise<void> {
  for (const chunk of chunks(uses)) {
    await transaction
      .insertInto('key_uses')
      .values(chunk.map(({ accountId, lastUsedAt }) => ({ account_id: accountId, last_used_at: lastUsedAt })))
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet((eb) => ({ last_used_at: eb.ref('excluded.last_used_at') }))
          .whereRef('key_uses.last_used_at', '<', 'excluded.last_used_at'),
      )
      .execute();
  }
}

async function addEvents(transaction: Transaction<Database>, events: AccountEvent[]): Promise<void> {
  for (const chunk of chunks(events)) {
    await transaction
      .insertInto('account_events')
      .values(chunk.map(({ accountId, userAgent, ...event }) => ({ account_id: accountId, user_agent: userAgent, ...event })))
      .execute();
  }
}

// A few fixed sizes give a few statements, each prepared once, where any size would give hundreds.
const chunkSizes = [256, 32, 4, 1];

function* chunks<T>(rows: T[]): Generator<T[]> {
  let start = 0;
  for (const size of chunkSizes) {
    for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
  }
}

import { AppError } from '../../errors.ts';
import { addToCount } from '../../platform/add-to-count.ts';
import { itemLimits } from '../../platform/scheduling/limits.ts';
import type { NewResults, ResultBatch } from '../../store/statistics/result-batch.ts';
import type { Store } from '../../store/store.ts';
import { createCalledPrompts } from './called-prompts.ts';
import { createNameLimits } from './name-limits.ts';
import { countResults, type Dropped, type Measured } from './result-counters.ts';

export interface WithResults {
  results: ResultRecorder;
}

export type ResultRecorder = ReturnType<typeof createResultRecorder>;

/** The results that one request adds. */
export interface Recording extends Omit<ResultBatch<Measured>, 'minute'> {
  dropped: Dropped[];
}

interface Waiting extends Recording {
  size: number;
  resolve(): void;
  reject(err: unknown): void;
}

/** The maximum number of items in one transaction. */
const maxItems = 2000;
/** The number of new items of a workspace after which its oldest rows are deleted if there are too many. */
const itemsPerTrim = { calls: 100_000, scores: 10_000 };

/**
 * Records what programs report. A report is acknowledged after its parts have been committed. Reports that arrive during a transaction are
 * recorded by the next transaction, so that many reports need few transactions. Workspaces take turns.
 */
export function createResultRecorder({ statistics }: Pick<Store, 'statistics'>, { trim }: { trim(accountId: string): void }) {
  /** The waiting parts of reports, by tenant. When a part is taken, its tenant moves to the end. */
  const waiting = new Map<string, Waiting[]>();
  let running: Promise<void> | undefined;
  const newItems = { calls: new Map<string, number>(), scores: new Map<string, number>() };
  const calledPrompts = createCalledPrompts();
  const held = new Map<string, number>();
  let heldByAll = 0;

  async function recordAll(): Promise<void> {
    while (waiting.size > 0) await recordBatch(takeBatch());
  }

  async function recordBatch(taken: Waiting[]): Promise<void> {
    try {
      await writeBatch(taken);
      for (const { resolve } of taken) resolve();
      noteItems(taken);
    } catch (cause) {
      // If the database is available, the error means that one part in the batch cannot be written. That part must not make other requests
      // fail.
      if (taken.length > 1 && !(cause instanceof AppError)) {
        for (const recording of taken) await recordBatch([recording]);
        return;
      }
      const err = cause instanceof AppError ? cause : new AppError('database_unavailable', { cause });
      for (const { reject } of taken) reject(err);
    }
  }

  async function writeBatch(taken: Waiting[]): Promise<void> {
    const at = new Date();
    const batch = {
      minute: toMinute(at),
      calls: taken.flatMap(({ calls }) => calls),
      ends: taken.flatMap(({ ends }) => ends),
      scores: taken.flatMap(({ scores }) => scores),
    };
    const dropped = taken.flatMap((recording) => recording.dropped);
    let counted: NewResults<Measured>['calls'] = [];
    try {
      await statistics.recordResults(batch, (results: NewResults<Measured>) => {
        counted = results.calls;
        return countResults(results, { at, dropped });
      });
    } finally {
      // The prompts are also added after an error, because the transaction may have been committed.
      for (const { version } of counted) if (version.label !== '') calledPrompts.add(version.accountId, version.promptId);
    }
  }

  function takeBatch(): Waiting[] {
    const taken: Waiting[] = [];
    let size = 0;
    for (const [tenant, queue] of waiting) {
      const [next] = queue;
      if (next && taken.length > 0 && size + next.size > maxItems) break;
      // The tenant is removed and added again, which moves it to the end of the map. The loop then visits it again.
      waiting.delete(tenant);
      if (!next) continue;
      queue.shift();
      if (queue.length > 0) waiting.set(tenant, queue);
      size += next.size;
      taken.push(next);
    }
    return taken;
  }

  function noteItems(taken: Waiting[]): void {
    for (const { calls, scores } of taken) {
      noteNew('calls', calls[0]?.call.accountId, calls.length);
      noteNew('scores', scores[0]?.accountId, scores.length);
    }
  }

  function noteNew(kind: keyof typeof newItems, accountId: string | undefined, added: number): void {
    if (accountId === undefined) return;
    const count = (newItems[kind].get(accountId) ?? 0) + added;
    newItems[kind].set(accountId, count);
    if (count < itemsPerTrim[kind]) return;
    newItems[kind].delete(accountId);
    trim(accountId);
  }

  return {
    limits: createNameLimits(),

    /** The prompts that have new calls and whose versions have to be compared. */
    calledPrompts,

    /**
     * Reserves memory for a report until the returned function is called. Throws if the unrecorded reports of the tenant, or of all
     * tenants, take too much memory. Exporters then send the report again later.
     */
    reserve(tenant: string, items: number): () => void {
      const own = held.get(tenant) ?? 0;
      if (own > 0 && own + items > itemLimits.results.perTenant) throw new AppError('too_many_concurrent');
      if (heldByAll > 0 && heldByAll + items > itemLimits.results.total) throw new AppError('overloaded');
      addToCount(held, tenant, items);
      heldByAll += items;
      return () => {
        addToCount(held, tenant, -items);
        heldByAll -= items;
      };
    },

    /** Records a part of a report. Resolves once it is committed. */
    record(tenant: string, recording: Recording): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const queue = waiting.get(tenant) ?? [];
      waiting.set(tenant, queue);
      queue.push({ ...recording, size: sizeOf(recording), resolve, reject });
      running ??= recordAll().finally(() => {
        running = undefined;
      });
      return promise;
    },

    /** Waits for the current transactions. */
    async stop(): Promise<void> {
      await running;
    },
  };
}

/** Looking up the calls that a score rates takes several times as long as counting a call. */
function sizeOf({ calls, ends, scores }: Recording): number {
  return calls.length + 2 * ends.length + 4 * scores.length;
}

export function toMinute(time: Date): string {
  return time.toISOString().slice(0, '2026-03-01T14:05'.length);
}

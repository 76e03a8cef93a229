import type { AccountEventRecord, UsageBatch } from '../../store/statistics/usage-batches.ts';
import { newId } from '../ids.ts';
import {
  type Call,
  type Capacity,
  countCall,
  createHourlyCounts,
  dropPromptCounters,
  type HourlyCounts,
  hourOf,
  toLines,
} from './hourly-counts.ts';
import { createRenderErrorLimit } from './render-errors.ts';

/**
 * Buffers counted calls and account events in memory and writes them in batches, at least once a second. Recording never waits and
 * never fails. A batch that could not be written is kept and retried; memory stays bounded even while the database is down.
 */
export interface UsageRecorder {
  countCall(call: Call): void;
  addEvent(event: AccountEventRecord): void;
  /** Writes everything recorded so far. */
  flush(): Promise<void>;
  /** Writes the rest before a clean stop. Gives up after a few attempts; does not throw. */
  stop(): Promise<void>;
  readonly metrics: UsageRecorderMetrics;
}

interface UsageRecorderMetrics {
  /** Counters and events waiting to be written. */
  waiting: number;
  /** Calls and events dropped because the buffer was full, since the start. */
  dropped: number;
  /** Failed writes, since the start. */
  failures: number;
}

export interface UsageRecorderOptions {
  write(batch: UsageBatch): Promise<void>;
  /** Called on the first of several consecutive failures. */
  onFailure(err: unknown): void;
  /** Called with the number of counters and events that could not be written before the stop. */
  onLoss(err: unknown, lost: number): void;
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** Call counters, by workspace, route, status and duration. */
  entries: 50_000,
  /** Prompt counters, by version, label and status, and by the cause of an error. */
  promptEntries: 50_000,
  /** Of one workspace and in one batch, which is about a second. */
  promptEntriesOfWorkspace: 5_000,
  events: 10_000,
  /** With this many call counters, a batch is written at once instead of after `writeEveryMs`. More would keep requests waiting longer. */
  entriesPerWrite: 2_500,
  writeEveryMs: 1000,
  triesAtStop: 5,
};

export function createUsageRecorder({ write, onFailure, onLoss, limits: given }: UsageRecorderOptions): UsageRecorder {
  const limits = { ...defaultLimits, ...given };
  const writer = newId('w');
  let sequence = 0;
  let current = createHourlyCounts(0);
  /** The memory of counts that have been written, for the next ones. */
  let spare: Float64Array | undefined;
  let events: AccountEventRecord[] = [];
  /** Closed to new calls and waiting to be written, oldest first. */
  const queue: HourlyCounts[] = [];
  /** Being written or retried. It keeps its sequence, because a failed write may have been committed after all. */
  let inFlight: { batch: UsageBatch; counts: HourlyCounts } | undefined;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  let failures = 0;
  let failing = false;

  function waiting(): number {
    return entriesWaiting() + promptEntriesWaiting() + events.length + (inFlight?.batch.events.length ?? 0);
  }

  function entriesWaiting(): number {
    return queue.reduce((sum, counts) => sum + counts.entries, current.entries + (inFlight?.counts.entries ?? 0));
  }

  function promptEntriesWaiting(): number {
    return queue.reduce((sum, counts) => sum + counts.promptEntries, current.promptEntries + (inFlight?.counts.promptEntries ?? 0));
  }

  const capacity: Capacity = {
    hasRoom: () => entriesWaiting() < limits.entries,
    hasPromptRoom: (own) => own < limits.promptEntriesOfWorkspace && promptEntriesWaiting() < limits.promptEntries,
    limitRenderErrors: createRenderErrorLimit(),
  };

  function scheduleFlush(): void {
    timer ??= setTimeout(flushNow, limits.writeEveryMs).unref();
  }

  function flushNow(): void {
    clearTimeout(timer);
    timer = undefined;
    // writeAll has reported the error and scheduled a retry.
    startFlush().catch(() => undefined);
  }

  /** Joins a write that is running, which may have begun before the newest calls and events. */
  function startFlush(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => undefined);
    await startFlush();
  }

  async function writeAll(): Promise<void> {
    try {
      while (inFlight || queue.length > 0) await writeOldest();
      enqueueCurrent();
      while (inFlight || queue.length > 0) await writeOldest();
      failing = false;
    } catch (err) {
      failures += 1;
      if (!failing) onFailure(err);
      failing = true;
      dropOldestPromptCounters();
      throw err;
    } finally {
      if (waiting() > 0) scheduleFlush();
    }
  }

  /** Moves everything recorded so far to the queue; later calls belong to the next batch. */
  function enqueueCurrent(): void {
    if (current.rows.size > 0) queue.push(current);
    else if (events.length > 0) queue.push(createHourlyCounts(0));
    startCounts(current.hour);
  }

  function startCounts(hour: number): void {
    current = createHourlyCounts(hour, spare);
    spare = undefined;
  }

  async function writeOldest(): Promise<void> {
    if (!inFlight) {
      const counts = queue.shift();
      if (!counts) return;
      sequence += 1;
      inFlight = { batch: { writer, sequence, ...toLines(counts), events }, counts };
      events = [];
    }
    await write(inFlight.batch);
    spare = inFlight.counts.numbers;
    inFlight = undefined;
  }

  /** While the database is down, drops the oldest prompt counters to make room. Totals, routes and durations are kept. */
  function dropOldestPromptCounters(): void {
    if (promptEntriesWaiting() < limits.promptEntries / 2) return;
    const oldest = [...(inFlight ? [inFlight.counts] : []), ...queue].find((counts) => counts.promptEntries > 0);
    if (oldest) dropPromptCounters(oldest);
  }

  return {
    countCall(call) {
      const nowMs = Date.now();
      const hour = hourOf(nowMs);
      if (hour !== current.hour) {
        if (current.rows.size > 0) queue.push(current);
        startCounts(hour);
      }
      if (!countCall(current, call, nowMs, capacity)) dropped += 1;
      if (current.entries >= limits.entriesPerWrite && !writing && !inFlight) flushNow();
      else scheduleFlush();
    },

    addEvent(event) {
      if (events.length >= limits.events) dropped += 1;
      else events.push(event);
      scheduleFlush();
    },

    flush,

    async stop() {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await flush();
          return;
        } catch (err) {
          if (attempt >= limits.triesAtStop) return onLoss(err, waiting());
          await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
        } finally {
          clearTimeout(timer);
          timer = undefined;
        }
      }
    },

    get metrics() {
      return { waiting: waiting(), dropped, failures };
    },
  };
}

import type { AccountEventRecord } from '../../store/accounts/activity.ts';
import type { UsageBatch } from '../../store/statistics/usage-counts.ts';
import { newId } from '../ids.ts';
import { type Call, createCounters, hourOf, type ServedPrompt } from './counters.ts';
import type { CountedKey } from './key-counters.ts';
import type { CountedRun } from './run-counters.ts';

export interface WithRecorder {
  recorder: UsageRecorder;
}

export type UsageRecorder = ReturnType<typeof createUsageRecorder>;

export interface UsageRecorderOptions {
  writeCounts(batch: UsageBatch): Promise<void>;
  /** Writes events. The function may receive events that it has already written. */
  writeEvents(events: AccountEventRecord[]): Promise<void>;
  /** Called at the first of several consecutive failures. */
  onFailure(err: unknown): void;
  /** Called with the number of counters and events that could not be written before the stop. */
  onLoss(err: unknown, lost: number): void;
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /**
   * The maximum number of call counters that wait to be written. There is one counter for each combination of workspace, member, route,
   * status and duration.
   */
  entries: 50_000,
  /**
   * The maximum number of prompt counters. There is one counter for each combination of version, label and status, and one for each cause
   * of an error.
   */
  promptEntries: 50_000,
  /** The maximum number of prompt counters per workspace and hour. */
  promptEntriesOfWorkspace: 5_000,
  /** The maximum number of combinations of member, route and status per workspace and hour. */
  memberEntriesOfWorkspace: 1_000,
  /** The maximum number of combinations of member and model per workspace and hour. */
  runEntriesOfWorkspace: 200,
  /** The maximum number of prompts whose keys are kept in memory, each with up to 4 kB. */
  promptsWithKeys: 2_000,
  /** The maximum number of prompts whose keys are written in one batch. */
  sketchesPerWrite: 250,
  events: 10_000,
  /** The maximum number of counters of each kind in one batch. A larger batch would take too long to sort. */
  entriesPerWrite: 2_500,
  writeEveryMs: 1000,
  triesAtStop: 5,
};

const countedAtOnce = 256;

/**
 * Buffers counted calls and account events in memory and writes them in batches, at least once a second. Recording never waits and never
 * fails. A batch that could not be written is kept and retried. The memory is limited even while the database is unavailable.
 */
export function createUsageRecorder(options: UsageRecorderOptions) {
  const { writeCounts, writeEvents, onFailure, onLoss } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const writer = newId('w');
  let sequence = 0;
  /**
   * The batch that is being written or retried. A retry has the same sequence number, because a failed write may have been committed after
   * all.
   */
  let inFlight: UsageBatch | undefined;
  const counters = createCounters(limits);
  /** Calls are collected here and counted together, because counting each one separately takes many times as long. */
  let uncounted: Call[] = [];
  let lastCallMs = 0;
  let events: AccountEventRecord[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  let failures = 0;
  let failing = false;

  function countAll(): void {
    for (const call of uncounted) if (!counters.count(call, lastCallMs)) dropped += 1;
    uncounted = [];
  }

  function waiting(): number {
    countAll();
    const { calls = [], prompts = [], renderErrors = [], runs = [], releases = [], promptKeys = [] } = inFlight ?? {};
    const written = [calls, prompts, renderErrors, runs, releases, promptKeys].reduce((sum, { length }) => sum + length, 0);
    return counters.size + events.length + written;
  }

  function scheduleFlush(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // `writeAll` has already reported the error and scheduled a retry.
      startFlush().catch(() => undefined);
    }, limits.writeEveryMs).unref();
  }

  /** Starts a write, or waits for the running write. A running write may not include the newest calls and events. */
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

  /** Writes counts and events in parallel, because they are in different databases. */
  async function writeAll(): Promise<void> {
    const results = await Promise.allSettled([writeAllCounts(), writeAllEvents()]);
    const failed = results.find((result) => result.status === 'rejected');
    if (waiting() > 0) scheduleFlush();
    if (failed) {
      failures += 1;
      if (!failing) onFailure(failed.reason);
    }
    failing = failed !== undefined;
    if (failed) throw failed.reason;
  }

  async function writeAllCounts(): Promise<void> {
    countAll();
    for (let hasMore = true; inFlight || hasMore; inFlight = undefined) {
      if (!inFlight) {
        const counts = counters.take(limits.entriesPerWrite);
        const sizes = Object.values(counts).map((list) => list.length);
        hasMore = sizes.includes(limits.entriesPerWrite) || counters.size > 0;
        if (Math.max(...sizes) === 0) return;
        sequence += 1;
        inFlight = { writer, sequence, ...counts };
      }
      await writeCounts(inFlight);
    }
  }

  async function writeAllEvents(): Promise<void> {
    const written = events.length;
    if (written === 0) return;
    await writeEvents(events.slice());
    events = events.slice(written);
  }

  return {
    countCall(call: Call): void {
      const nowMs = Date.now();
      if (uncounted.length === countedAtOnce || hourOf(nowMs) !== hourOf(lastCallMs)) countAll();
      lastCallMs = nowMs;
      uncounted.push(call);
      scheduleFlush();
    },

    /** Counts a request to a model. */
    countRun(run: CountedRun): void {
      // Earlier calls are counted first, because they belong to the hour in which they were made.
      countAll();
      if (!counters.countRun(run, Date.now())) dropped += 1;
      scheduleFlush();
    },

    /** For a request that does not count as a call of the prompt, such as a run, counts the version that a release chose and the caller's key. */
    countServed(workspaceId: string, served: ServedPrompt): void {
      countAll();
      counters.countServed(workspaceId, served, Date.now());
      scheduleFlush();
    },

    /** Counts a key of a prompt, for which a call was reported. Reads are counted with the calls. */
    countKey(counted: CountedKey): void {
      countAll();
      counters.countKey(counted, Date.now());
      scheduleFlush();
    },

    addEvent(event: AccountEventRecord): void {
      if (events.length >= limits.events) dropped += 1;
      else events.push(event);
      scheduleFlush();
    },

    /** Writes all counts and events that were recorded so far. */
    flush,

    /** Writes all remaining counts and events before a clean stop. Gives up after a few attempts, and never throws. */
    async stop(): Promise<void> {
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

    /** The number of entries that wait to be written, and the numbers of dropped calls and events and of failed writes since the start. */
    get metrics() {
      return { waiting: waiting(), dropped, failures };
    },
  };
}

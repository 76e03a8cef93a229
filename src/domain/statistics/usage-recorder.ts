import type { AccountEvent, UsageBatch } from '../../store/statistics/usage-batches.ts';
import { newId } from '../ids.ts';
import { type Call, countCall, createHourlyCounts, type HourlyCounts, hourOf, type Room, toBatch } from './hourly-counts.ts';

/**
 * Notes calls and account events in memory and writes them at least once a second. Whoever notes something never waits and never
 * fails because of it. What could not be written is kept and tried again; memory is bounded whatever happens.
 */
export interface UsageRecorder {
  countCall(call: Call): void;
  addEvent(event: AccountEvent): void;
  /** Writes all that has been noted so far. */
  flush(): Promise<void>;
  /** Writes what is left, for a clean stop. Gives up when the database stays away; does not throw. */
  stop(): Promise<void>;
  readonly metrics: UsageRecorderMetrics;
}

/** How the recorder is doing. */
export interface UsageRecorderMetrics {
  /** Counters and events that wait to be written. */
  waiting: number;
  /** Calls and events that were not kept for lack of room, since the start. */
  dropped: number;
  /** Writes that failed, since the start. */
  failures: number;
}

export interface UsageRecorderOptions {
  write(recording: UsageBatch): Promise<void>;
  /** Hears of the first of several failures in a row. */
  onFailure(err: unknown): void;
  /** Hears how many counters and events could not be written before the stop. */
  onLoss(err: unknown, lost: number): void;
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** Counters of calls, by account, route, status and duration. */
  entries: 50_000,
  /** Counters of prompts, by version, label and status. */
  promptEntries: 50_000,
  events: 10_000,
  /** So many counters are written at once, without waiting for the second to end. */
  entriesPerWrite: 2_000,
  writeEveryMs: 1000,
  triesAtStop: 5,
};

export function createUsageRecorder({ write, onFailure, onLoss, limits: given }: UsageRecorderOptions): UsageRecorder {
  const limits = { ...defaultLimits, ...given };
  const writer = newId('w');
  let sequence = 0;
  let current = createHourlyCounts(0);
  let events: AccountEvent[] = [];
  /** Hours that ended while earlier ones could not be written. */
  const ended: HourlyCounts[] = [];
  /** Being written, or tried again: perhaps it is in the database already, so it keeps its sequence until that is known. */
  let pending: UsageBatch | undefined;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  let failures = 0;
  let failing = false;

  function waiting(): number {
    return entriesWaiting() + promptEntriesWaiting() + events.length + (pending?.events.length ?? 0);
  }

  function entriesWaiting(): number {
    return ended.reduce((sum, counts) => sum + counts.entries, current.entries) + (pending?.calls.length ?? 0);
  }

  function promptEntriesWaiting(): number {
    return ended.reduce((sum, counts) => sum + counts.promptEntries, current.promptEntries) + (pending?.prompts.length ?? 0);
  }

  const room: Room = {
    hasEntry: () => entriesWaiting() < limits.entries,
    hasPromptEntry: () => promptEntriesWaiting() < limits.promptEntries,
  };

  function writeSoon(): void {
    timer ??= setTimeout(tick, limits.writeEveryMs).unref();
  }

  function tick(): void {
    clearTimeout(timer);
    timer = undefined;
    // Already told of; it is tried again in a second.
    flush().catch(() => undefined);
  }

  function flush(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function writeAll(): Promise<void> {
    try {
      while (pending || ended.length > 0) await writeOldest();
      takeCurrent();
      while (pending || ended.length > 0) await writeOldest();
      failing = false;
    } catch (err) {
      failures += 1;
      if (!failing) onFailure(err);
      failing = true;
      forgetOldestPrompts();
      throw err;
    } finally {
      if (waiting() > 0) writeSoon();
    }
  }

  /** What is counted from here on waits for the next write. */
  function takeCurrent(): void {
    if (current.accounts.size > 0) ended.push(current);
    else if (events.length > 0) ended.push(createHourlyCounts(0));
    current = createHourlyCounts(current.hour);
  }

  async function writeOldest(): Promise<void> {
    if (!pending) {
      const counts = ended.shift();
      if (!counts) return;
      sequence += 1;
      pending = { writer, sequence, ...toBatch(counts), events };
      events = [];
    }
    await write(pending);
    pending = undefined;
  }

  /** While the database is away, the oldest prompt metrics make room for new ones. Totals, routes and durations stay. */
  function forgetOldestPrompts(): void {
    if (promptEntriesWaiting() < limits.promptEntries / 2) return;
    if (pending && pending.prompts.length > 0) {
      pending.prompts = [];
      return;
    }
    const oldest = ended.find((counts) => counts.promptEntries > 0);
    if (!oldest) return;
    for (const account of oldest.accounts.values()) account.prompts = undefined;
    oldest.promptEntries = 0;
  }

  return {
    countCall(call) {
      const now = Date.now();
      const hour = hourOf(now);
      if (hour !== current.hour) {
        if (current.accounts.size > 0) ended.push(current);
        current = createHourlyCounts(hour);
      }
      if (!countCall(current, call, now, room)) dropped += 1;
      if (current.entries >= limits.entriesPerWrite && !writing && !pending) tick();
      else writeSoon();
    },

    addEvent(event) {
      if (events.length >= limits.events) dropped += 1;
      else events.push(event);
      writeSoon();
    },

    flush,

    async stop() {
      for (let tries = 1; ; tries += 1) {
        try {
          await writing?.catch(() => undefined);
          await flush();
          return;
        } catch (err) {
          if (tries >= limits.triesAtStop) return onLoss(err, waiting());
          await new Promise((resolve) => setTimeout(resolve, 200 * tries));
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

import { ApiError } from '../errors.ts';
import { toRequest } from '../http/operations.ts';
import type { Sender } from '../http/request.ts';
import { backoff, unref } from '../http/timing.ts';
import { createBackgroundHeaders } from '../load/background.ts';
import { holdProcess } from '../load/tasks.ts';
import type { ReportReceipt } from '../types.ts';
import { type CallReport, withIdentity } from './call-report.ts';
import { flushAtExit } from './exit.ts';

/** Sends reports of calls to the service in the background. A program never waits for the reporter, and gets no errors from it. */
export interface Reporter {
  add(call: CallReport): void;
  /** Sends the waiting calls. Resolves when they have been sent, or when sending has failed. */
  flush(): Promise<void>;
  readonly state: ResultsState;
}

/** The state of the observed calls. */
export interface ResultsState {
  /** Calls that have not been sent yet. */
  waiting: number;
  /** Calls that the service has counted. */
  reported: number;
  /**
   * Calls that are not counted, because too many calls were waiting, the service stayed unavailable or refused the report, or the prompt or
   * version does not exist.
   */
  dropped: number;
  /** The reason why the last report failed. Undefined if it succeeded. */
  error: unknown;
}

const defaults = {
  /** The maximum number of waiting calls. Further calls are dropped. */
  maxWaiting: 10_000,
  /** When this many calls are waiting, a report is sent immediately. Fewer calls are sent after the interval. */
  enough: 100,
  intervalMs: 5000,
  /** The maximum number of calls in one report. */
  maxBatch: 500,
  timeoutMs: 5000,
  /** The maximum number of attempts to send a report. With these delays, its calls are dropped after about five minutes. */
  maxAttempts: 9,
  retry: { firstMs: 2000, maxMs: 60_000 },
};

/** Statuses that are not temporary, but after which a retry can succeed, because the program may receive a new key or a new role. */
const accessStatuses = [401, 403];

export function createReporter(sender: Sender, options: Partial<typeof defaults> = {}): Reporter {
  const { maxWaiting, enough, intervalMs, maxBatch, timeoutMs, maxAttempts, retry } = { ...defaults, ...options };
  /** The calls that are being sent stay at the front until the service has counted them. */
  const waiting: CallReport[] = [];
  let sending = 0;
  let failures = 0;
  let reported = 0;
  let dropped = 0;
  let error: unknown;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let turn: Promise<void> = Promise.resolve();
  let forget: (() => void) | undefined;

  /** Runs a task after all earlier tasks, so that only one request is sent at a time. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    turn = turn.then(task);
    return turn;
  }

  function sendLater(ms: number): void {
    timer ??= setTimeout(sendSoon, ms);
    unref(timer);
  }

  /** Schedules the next report if calls are left. The delay is the interval or, after failures, grows with each failure. */
  function sendRest(): void {
    if (waiting.length === 0) return;
    stopTimer();
    sendLater(failures > 0 ? delayOf(error) : intervalMs);
  }

  function sendSoon(): void {
    stopTimer();
    if (isDue) return;
    isDue = true;
    void inTurn(async () => {
      isDue = false;
      while (waiting.length > 0 && (await sendBatch({ isBackground: true })) && waiting.length >= enough);
      sendRest();
    });
  }

  function delayOf(err: unknown): number {
    const asked = err instanceof ApiError ? (err.retryAfterMs ?? 0) : 0;
    return Math.max(asked, backoff(failures - 1, retry));
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  /** Sends a batch once. Returns whether the next batch can be sent. */
  async function sendBatch({ isBackground }: { isBackground: boolean }): Promise<boolean> {
    const calls = waiting.slice(0, maxBatch);
    sending = calls.length;
    let mark: Awaited<ReturnType<typeof createBackgroundHeaders>> | undefined;
    try {
      if (isBackground) mark = await createBackgroundHeaders();
      // Each call has an id, so that a repeated report counts nothing twice.
      const request = { ...toRequest('reportResults', { body: { calls } }), isBackground, expects: { fields: ['accepted'] } };
      const receipt = await sender.send(request, { retries: 0, timeoutMs, ...(mark && { headers: mark.headers }) });
      take(calls.length, (receipt as ReportReceipt).accepted);
      error = undefined;
      return true;
    } catch (err) {
      error = err;
      if (isTemporary(err)) failures += 1;
      if (isTemporary(err) && failures < maxAttempts) return false;
      take(calls.length, 0);
      return true;
    } finally {
      sending = 0;
      mark?.end();
    }
  }

  /** Removes the calls of a report, of which the service has counted `counted`. */
  function take(count: number, counted: number): void {
    waiting.splice(0, count);
    failures = 0;
    reported += counted;
    dropped += count - counted;
    if (waiting.length > 0) return;
    forget?.();
    forget = undefined;
  }

  function flush(): Promise<void> {
    if (waiting.length === 0) return turn;
    return holdProcess(
      inTurn(async () => {
        stopTimer();
        while (waiting.length > 0 && (await sendBatch({ isBackground: false })));
        sendRest();
      }),
    );
  }

  /** Sends the waiting calls when the process is about to end. Calls that cannot be sent now are lost. */
  function flushLast(): void {
    void flush().then(() => {
      if (waiting.length > 0) take(waiting.length, 0);
    });
  }

  return {
    add(call) {
      if (waiting.length >= maxWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(withIdentity(call));
      forget ??= flushAtExit(flushLast);
      if (waiting.length - sending >= enough && failures === 0) sendSoon();
      else sendLater(intervalMs);
    },
    flush,
    get state() {
      return { waiting: waiting.length, reported, dropped, error };
    },
  };
}

/** Returns whether a retry can succeed. A request that the service refused as invalid would be refused again. */
function isTemporary(err: unknown): boolean {
  if (!(err instanceof ApiError)) return true;
  const { status } = err;
  return status >= 500 || status === 408 || status === 429 || accessStatuses.includes(status);
}

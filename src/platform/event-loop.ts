import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on in one turn of the event loop before other requests get theirs. */
const maxTurnMs = 1;
/** A request may begin this much even if others have taken long in the turn, so that a short one does not wait for the next. */
const shareMs = 0.3;
/** But only until all have taken this long. */
const maxSharedTurnMs = 8;
const maxPauseTurns = 20;

let turnStartedAt: number | undefined;
let shareStartedAt: number | undefined;

/**
 * Lets other requests run if this turn of the event loop has taken long. Call it between the steps of work that may have many: a
 * promise alone is no pause, because the event loop goes on only when no promise is left to resolve.
 */
export async function yieldIfLong(turnMs = maxTurnMs): Promise<void> {
  const now = performance.now();
  turnStartedAt ??= startTurn(now);
  shareStartedAt ??= startShare(now);
  const [elapsedMs, ownMs] = [now - turnStartedAt, now - shareStartedAt];
  if (ownMs > turnMs) await pause(Math.ceil(ownMs / turnMs));
  else if (elapsedMs > maxSharedTurnMs || (elapsedMs > turnMs && ownMs > shareMs)) await nextTurn();
}

/** Leaves turns of the event loop to others. They take microseconds if nobody needs them. */
export async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < Math.min(turns, maxPauseTurns); turn += 1) await nextTurn();
}

/** Maps a list whose items may take long, with pauses for other requests. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    await yieldIfLong();
    results.push(map(item));
  }
  return results;
}

/**
 * Lets those who wait through one by one, each in a turn of the event loop of its own, so that many at once do not delay others. Tenants
 * take turns too.
 */
export function createTurnstile(): (tenant: string) => Promise<void> {
  // The order of the map is the order of the turns.
  const waiting = new Map<string, (() => void)[]>();

  function letOneThrough(): void {
    const [next] = waiting;
    if (!next) return;
    const [tenant, starts] = next;
    const start = starts.shift();
    waiting.delete(tenant);
    if (starts.length > 0) waiting.set(tenant, starts);
    if (waiting.size > 0) setImmediate(letOneThrough);
    start?.();
  }

  return (tenant) =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(letOneThrough);
      const starts = waiting.get(tenant) ?? [];
      waiting.set(tenant, starts);
      starts.push(resolve);
    });
}

function startTurn(now: number): number {
  setImmediate(() => {
    turnStartedAt = undefined;
  });
  return now;
}

/** It ends when no promise is left to resolve, and thus at each pause. */
function startShare(now: number): number {
  process.nextTick(() => {
    shareStartedAt = undefined;
  });
  return now;
}

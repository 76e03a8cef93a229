import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on in one turn of the event loop before other requests get theirs. */
const maxTurnMs = 2;

let turnStartedAt: number | undefined;

/**
 * Lets other requests run if this turn of the event loop has taken long. Call it between the steps of work that may have many: a
 * promise alone is no pause, because the event loop goes on only when no promise is left to resolve.
 */
export async function yieldIfLong(): Promise<void> {
  if (turnStartedAt === undefined) startTurn();
  else if (performance.now() - turnStartedAt > maxTurnMs) await nextTurn();
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

function startTurn(): void {
  turnStartedAt = performance.now();
  setImmediate(() => {
    turnStartedAt = undefined;
  });
}

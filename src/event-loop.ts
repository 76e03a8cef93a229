import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on in one turn of the event loop before other requests get theirs. */
const maxTurnMs = 2;
/** The same for work that nobody waits for. */
export const backgroundTurnMs = 0.5;

let turnStartedAt: number | undefined;

/**
 * Lets other requests run if this turn of the event loop has taken long. Call it between the steps of work that may have many: a
 * promise alone is no pause, because the event loop goes on only when no promise is left to resolve.
 */
export async function yieldIfLong(turnMs = maxTurnMs): Promise<void> {
  if (turnStartedAt === undefined) startTurn();
  else if (performance.now() - turnStartedAt > turnMs) await nextTurn();
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

/** Sorts texts, of which there may be many, with pauses for requests: first a few at a time, which are then merged. */
export async function sortInTurns(texts: readonly string[]): Promise<string[]> {
  let runs: string[][] = [];
  for (let start = 0; start < texts.length; start += sortedAtOnce) {
    runs.push(texts.slice(start, start + sortedAtOnce).sort());
    await yieldIfLong(backgroundTurnMs);
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let index = 0; index < runs.length; index += 2) merged.push(await mergeInTurns(runs[index] ?? [], runs[index + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

const sortedAtOnce = 256;

async function mergeInTurns(first: string[], second: string[]): Promise<string[]> {
  const merged: string[] = [];
  let at = 0;
  for (const text of first) {
    for (let other = second[at]; other !== undefined && other < text; other = second[at]) {
      merged.push(other);
      at += 1;
    }
    merged.push(text);
    if (merged.length % sortedAtOnce === 0) await yieldIfLong(backgroundTurnMs);
  }
  return merged.concat(second.slice(at));
}

function startTurn(): void {
  turnStartedAt = performance.now();
  setImmediate(() => {
    turnStartedAt = undefined;
  });
}

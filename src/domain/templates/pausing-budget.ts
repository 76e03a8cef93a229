import { Budget } from './budget.ts';

/** The number of units between two pauses, about half a millisecond of work. */
const unitsBetweenPauses = 20_000;
const pauseMs = 0.05;
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/**
 * A budget for a process with low priority, which regularly sleeps for a moment. A scheduler lets a running process finish its time slice
 * of several milliseconds, regardless of its priority, even if the service wakes up meanwhile and all other cores are busy.
 */
export class PausingBudget extends Budget {
  #nextPause = unitsBetweenPauses;

  override use(units: number): void {
    super.use(units);
    if (this.used < this.#nextPause) return;
    this.#nextPause = this.used + unitsBetweenPauses;
    Atomics.wait(neverNotified, 0, 0, pauseMs);
  }
}

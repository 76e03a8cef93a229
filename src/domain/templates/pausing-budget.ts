import { Budget } from './budget.ts';

/** The number of units between two pauses, about half a millisecond of work. */
const unitsBetweenPauses = 20_000;
const pauseMs = 0.05;
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/**
 * A budget that makes a process with low priority sleep for a moment at regular intervals. Without these pauses, the service may have to
 * wait: when it wakes up and all cores are busy, the scheduler first lets the running process finish its time slice of several
 * milliseconds, regardless of its priority.
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

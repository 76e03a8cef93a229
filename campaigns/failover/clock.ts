// Loaded into an instance before its own code. What `Date` returns is shifted by a file's number of milliseconds, read again on SIGUSR2,
// as if somebody had set the machine's clock. Timers and the monotonic clock go on, as they do on Linux when a clock is set.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.CLOCK_FILE;
let shiftMs = 0;
const SystemDate = Date;

class ShiftedDate extends SystemDate {
  constructor(...args: ConstructorParameters<typeof Date> | []) {
    if (args.length === 0) super(SystemDate.now() + shiftMs);
    else super(...args);
  }

  static override now(): number {
    return SystemDate.now() + shiftMs;
  }
}

if (file && isMainThread) {
  // `Date` can also be called without `new`, which nothing here does.
  globalThis.Date = ShiftedDate as DateConstructor;
  process.on('SIGUSR2', () => {
    shiftMs = Number(readFileSync(file, 'utf8'));
  });
}

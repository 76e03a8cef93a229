// This file is loaded into an instance before its own code. Shifts the result of `Date` by the number of milliseconds in a file, as if
// someone had set the machine's clock. The file is read again on SIGUSR2. Timers and the monotonic clock continue, as they do on Linux
// when a clock is set.
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
  // `Date` can also be called without `new`, but no code here does so.
  globalThis.Date = ShiftedDate as DateConstructor;
  process.on('SIGUSR2', () => {
    shiftMs = Number(readFileSync(file, 'utf8'));
  });
}

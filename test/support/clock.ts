import { mock, type TestContext } from 'node:test';

export interface Clock {
  advance(ms: number): void;
}

/** Stops the clock that the service reads, until the test ends. Timers keep running. */
export function freezeClock(t: TestContext, now: number = Date.now()): Clock {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['Date'], now });
  return { advance: (ms) => mock.timers.tick(ms) };
}

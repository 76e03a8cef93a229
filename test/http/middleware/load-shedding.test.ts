import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLagMonitor } from '../../../src/http/middleware/load-shedding.ts';
import { call, register } from '../../support/client.ts';
import { retryUntil } from '../../support/retry.ts';
import { type Service, startService } from '../../support/service.ts';

/** Blocks the event loop, which this process shares with the service. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('The event loop lags', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('401: one long pause sheds nothing', async () => {
    block(3000);
    for (let count = 0; count < 3; count += 1) assert.equal((await call(service, 'GET', '/api/prompts')).status, 401);
  });

  it('ASVS 15.2.2: 503 with Retry-After while it lags for seconds, but /healthz responds', async () => {
    const { token } = await register(service);
    for (let count = 0; count < 8; count += 1) {
      block(1000);
      await turn();
    }
    const [health, ...responses] = await Promise.all([
      call(service, 'GET', '/healthz'),
      call(service, 'GET', '/api/prompts', { retries: 0 }),
      call(service, 'GET', '/api/auth/token', { key: token, retries: 0 }),
    ]);
    assert.equal(health.status, 200);
    for (const { status, headers, body } of responses) {
      assert.equal(status, 503);
      assert.equal(headers.get('retry-after'), '1');
      assert.equal((body as { code: string }).code, 'overloaded');
    }
  });

  it('401 again: requests are served once the event loop has caught up', async () => {
    let status: number | undefined;
    await retryUntil('the service still sheds load', async () => {
      status = (await call(service, 'GET', '/api/prompts')).status;
      return status !== 503;
    });
    assert.equal(status, 401);
  });
});

describe('Lag monitor', () => {
  /**
   * Feeds a monitor with these lags. Returns after how many milliseconds the monitor first reported an overload, and whether it reports one
   * at the end.
   */
  function feed(...lags: number[]): { firstMs: number | undefined; atEnd: boolean } {
    const monitor = createLagMonitor();
    let now = 1000;
    let firstMs: number | undefined;
    monitor.tick(now);
    for (const lag of lags) {
      now += 250 + lag;
      monitor.tick(now);
      if (monitor.isOverloaded()) firstMs ??= now - 1000;
    }
    return { firstMs, atEnd: monitor.isOverloaded() };
  }
  const repeat = (times: number, ...lags: number[]) => Array.from({ length: times }, () => lags).flat();
  const quiet = (seconds: number) => repeat(seconds * 4, 0);

  it('one late tick is never an overload, however late it is', () => {
    for (const lag of [600, 3000, 60_000, 3_600_000]) {
      assert.equal(feed(...quiet(1), lag, ...quiet(1)).firstMs, undefined, `${lag} ms`);
    }
  });

  it('occasional late ticks are no overload either: garbage collections, large writes, a busy machine', () => {
    assert.equal(feed(...repeat(50, 1000, ...quiet(2))).firstMs, undefined);
    assert.equal(feed(...repeat(500, 400)).firstMs, undefined);
  });

  it('counts time, not ticks: a few long pauses are an overload as much as many short ones', () => {
    const within = (...lags: number[]) => feed(...lags).firstMs ?? Number.POSITIVE_INFINITY;
    assert.ok(within(...repeat(20, 600)) < 5000);
    assert.ok(within(...repeat(20, 1000)) < 5000);
    assert.ok(within(...repeat(20, 3000, 0, 0)) < 12_000);
    assert.ok(within(8000, 8000) < 17_000);
  });

  it('an overload lasts until the lag is well below the limit, and then ends within seconds', () => {
    const overload = repeat(10, 1000);
    assert.equal(feed(...overload).atEnd, true);
    assert.equal(feed(...overload, ...repeat(40, 300)).atEnd, true);
    assert.equal(feed(...overload, ...repeat(40, 3000, 0, 0)).atEnd, true);
    assert.equal(feed(...overload, ...quiet(3)).atEnd, false);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLagMonitor } from '../../../src/http/steps/load-shedding.ts';
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

  it('ASVS 15.2.2: 503 with Retry-After while it lags for seconds, but /healthz lives', async () => {
    const { token } = await register(service);
    for (let count = 0; count < 8; count += 1) {
      block(1000);
      await turn();
    }
    const [health, ...responses] = await Promise.all([
      call(service, 'GET', '/healthz'),
      call(service, 'GET', '/api/prompts'),
      call(service, 'GET', '/api/auth/token', { key: token }),
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
  const feed = (lags: number[]) => {
    const monitor = createLagMonitor();
    return lags.map((lag) => {
      monitor.record(lag);
      return monitor.isOverloaded();
    });
  };

  it('is not overloaded by three late samples of seven, and is by four', () => {
    assert.deepEqual(feed([9000, 0, 9000, 0, 9000, 0, 0]), Array(7).fill(false));
    assert.deepEqual(feed([600, 600, 600, 600]), [false, false, false, true]);
  });

  it('recovers only when the lag is well below the limit again', () => {
    assert.equal(feed([600, 600, 600, 600, 300, 300, 300, 300, 300, 300, 300]).at(-1), true);
    assert.equal(feed([600, 600, 600, 600, 50, 50, 50, 50]).at(-1), false);
  });
});

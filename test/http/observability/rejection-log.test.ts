import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import { createRejectionLog } from '../../../src/http/observability/rejection-log.ts';

function setUp(t: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const lines: Record<string, unknown>[] = [];
  // The code under test calls only this overload.
  const warn = ((line: Record<string, unknown>) => void lines.push(line)) as never;
  return { lines, rejections: createRejectionLog({ warn }) };
}

describe('Log of rejected requests', () => {
  it('the first of a kind is logged at once, with its request id', (t) => {
    const { lines, rejections } = setUp(t);
    rejections.add({ code: 'overloaded', id: 'a' });
    rejections.add({ code: 'database_unavailable', id: 'b', reason: 'Connection terminated' });
    assert.deepEqual(lines, [
      { id: 'a', code: 'overloaded', count: 1, reason: undefined },
      { id: 'b', code: 'database_unavailable', count: 1, reason: 'Connection terminated' },
    ]);
  });

  it('a flood takes one line a second, and every rejection is counted', (t) => {
    const { lines, rejections } = setUp(t);
    for (let second = 0; second < 10; second += 1) {
      for (let count = 0; count < 1000; count += 1) rejections.add({ code: 'overloaded', id: `${second}-${count}` });
      mock.timers.tick(1000);
    }
    assert.equal(lines.length, 11);
    assert.equal(
      lines.reduce((sum, { count }) => sum + Number(count), 0),
      10_000,
    );
  });

  it('after a quiet second, the next one is logged at once again', (t) => {
    const { lines, rejections } = setUp(t);
    rejections.add({ code: 'overloaded', id: 'a' });
    mock.timers.tick(1000);
    assert.equal(lines.length, 1);
    rejections.add({ code: 'overloaded', id: 'b' });
    assert.deepEqual(lines.at(-1), { id: 'b', code: 'overloaded', count: 1, reason: undefined });
  });
});

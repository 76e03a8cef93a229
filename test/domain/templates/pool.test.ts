import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTemplatePool } from '../../../src/domain/templates/pool.ts';
import { AppError } from '../../../src/errors.ts';

const source = (text: string) => [{ path: '/template', text }];
const good = { kind: 'render', sources: source('Hello {{ name }}'), variables: { name: 'Ada' }, partials: {} } as const;
// Takes longer than a template may.
const endless = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}';
// Needs more than a worker has before any limit of the template engine applies.
const greedy = { kind: 'analyze', sources: Array.from({ length: 400 }, () => source('{{ a }}'.repeat(30_000))).flat() } as const;

describe('The template pool', () => {
  const pool = createTemplatePool(1);
  after(() => pool.close());
  const isTooCostly = (err: unknown) => err instanceof AppError && err.code === 'template_too_costly';

  it('runs jobs in turn', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => pool.run(good)));
    for (const result of results) assert.deepEqual(result, { ok: true, texts: ['Hello Ada'] });
  });

  it('stops a template at its own limit and keeps the worker', async () => {
    const result = await pool.run({ ...good, sources: source(endless) });
    assert.equal(result.ok, false);
    assert.deepEqual(await pool.run(good), { ok: true, texts: ['Hello Ada'] });
  });

  it('replaces a worker that exceeds its limits, and continues with the waiting jobs', async () => {
    const sources = { kind: 'diff', before: { title: 'a', text: 'x' }, after: { title: 'b', text: 'y' } } as const;
    const costly = pool.run(greedy);
    const waiting = [pool.run(good), pool.run(sources), pool.run(good)];
    await assert.rejects(costly, isTooCostly);
    const [first, second] = await Promise.all(waiting);
    assert.deepEqual(first, { ok: true, texts: ['Hello Ada'] });
    assert.match(String(second), /^--- a\n\+\+\+ b\n/);
  });

  it('refuses jobs beyond its queue, and rejects the waiting ones when it is closed', async () => {
    const small = createTemplatePool(1);
    const running = Array.from({ length: 129 }, () => small.run(good));
    const isBusy = (err: unknown) => err instanceof AppError && err.code === 'overloaded';
    await assert.rejects(small.run(good), isBusy);
    await Promise.all(running);
    const late = [small.run(good), small.run(good), small.run(good)];
    const closed = small.close();
    const outcomes = await Promise.allSettled(late);
    assert.ok(outcomes.slice(1).every(({ status }) => status === 'rejected'));
    await closed;
  });
});

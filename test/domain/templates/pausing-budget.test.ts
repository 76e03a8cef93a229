import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Budget, BudgetExceeded } from '../../../src/domain/templates/budget.ts';
import { PausingBudget } from '../../../src/domain/templates/pausing-budget.ts';
import { runJob } from '../../../src/domain/templates/template-jobs.ts';

describe('A budget that pauses', () => {
  it('sleeps after every 20,000 units', (t) => {
    const { mock } = t.mock.method(Atomics, 'wait');
    const budget = new PausingBudget({ units: 100_000, stepCost: 1 });
    for (let step = 0; step < 100; step += 1) budget.use(1000);
    assert.equal(mock.callCount(), 5);
  });

  it('counts and ends like a budget that does not pause', () => {
    const limits = { units: 50_000, stepCost: 1 };
    for (const budget of [new Budget(limits), new PausingBudget(limits)]) {
      for (const units of [30_000, Number.NaN, -1, 20_000]) budget.use(units);
      assert.equal(budget.used, 50_000);
      assert.throws(() => budget.use(1), BudgetExceeded);
    }
  });

  it('is used for renders in a child process', (t) => {
    const { mock } = t.mock.method(Atomics, 'wait');
    const text = '{% for a in (1..30) %}{% for b in (1..30) %}{{ a }}{{ b }} {% endfor %}{% endfor %}';
    for (const syntax of ['liquid', 'mustache'] as const) {
      const before = mock.callCount();
      const source = syntax === 'liquid' ? text : '{{#list}}{{#list}}{{.}}{{/list}}{{/list}}';
      const variables = { list: Array.from({ length: 60 }, (_, index) => index) };
      const result = runJob({ kind: 'render', sources: [{ path: '/template', text: source }], partials: {}, syntax, variables });
      assert.ok(result.ok);
      assert.ok(mock.callCount() > before, syntax);
    }
  });
});

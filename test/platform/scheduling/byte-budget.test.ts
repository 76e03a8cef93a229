import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BudgetError, createByteBudget } from '../../../src/platform/scheduling/byte-budget.ts';

describe('A budget of bytes', () => {
  it('refuses a workspace that needs more than its share, and releases what is closed', () => {
    const budget = createByteBudget({ perTenant: 10, total: 100 });
    const first = budget.open('a');
    const second = budget.open('a');
    first.set(6);
    assert.throws(() => second.set(5), BudgetError);
    assert.throws(() => second.set(1), BudgetError, 'what was refused holds nothing anymore');
    first.set(10);
    first.close();
    assert.equal(first.evicted.aborted, false);
    budget.open('a').set(10);
  });

  it('takes from the workspace that holds the most when the budget is used up, so that nobody is refused because of others', () => {
    const budget = createByteBudget({ perTenant: 60, total: 100 });
    const evicted: string[] = [];
    const open = (workspaceId: string, name: string) => {
      const holding = budget.open(workspaceId);
      holding.evicted.addEventListener('abort', () => evicted.push(name));
      return holding;
    };
    open('hostile', 'small').set(10);
    const large = open('hostile', 'large');
    large.set(50);
    open('other', 'other').set(40);
    open('newcomer', 'newcomer').set(20);
    assert.deepEqual(evicted, ['large']);
    assert.ok(large.evicted.reason instanceof BudgetError);
    assert.throws(() => large.set(1), BudgetError);
    assert.throws(() => open('other', 'second of other').set(40), BudgetError, 'it would be the largest itself');
    assert.deepEqual(evicted, ['large']);
  });
});

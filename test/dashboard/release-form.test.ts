import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findProblems, initialForm, parseWeight, type ReleaseForm, stepsOf, toRelease } from '../../dashboard/src/releases/release-form.ts';

const versions = { control: 3, version: 4 };
const change = (form: Partial<ReleaseForm>): ReleaseForm => ({ ...initialForm, ...form });

describe('the form of a release', () => {
  it('starts with 1% and usual steps, and watches the error rate', () => {
    assert.deepEqual(findProblems(initialForm), {});
    assert.deepEqual(toRelease(initialForm, versions), {
      control: 3,
      arms: [{ version: 4, weight: 100 }],
      guards: [{ metric: 'errorRate', margin: 0.02 }],
      onRegression: 'rollback',
      minUnits: 100,
      everyMinutes: 60,
      steps: [500, 2500, 5000],
    });
  });

  it('offers the usual steps above the share, until the user enters others', () => {
    assert.equal(stepsOf(change({ weight: 2500 })), '50');
    assert.equal(stepsOf(change({ weight: 2500, steps: '30, 60' })), '30, 60');
    assert.deepEqual(toRelease(change({ steps: '12.5,100%' }), versions).steps, [1250, 10_000]);
    assert.equal(toRelease(change({ isStepped: false, steps: 'x' }), versions).steps, undefined);
  });

  it('reads shares with a dot or a comma, and refuses those outside 0.1% to 100%', () => {
    assert.deepEqual(['0.1', '0,5', '5%', ' 100 '].map(parseWeight), [10, 50, 500, 10_000]);
    for (const text of ['', '0', '0.04', '100.1', '-1', 'x', 'Infinity']) assert.equal(parseWeight(text), undefined, text);
  });

  it('enters margins of shares and ratios in percent, and those of scores as they are', () => {
    const guards: ReleaseForm['guards'] = {
      errorRate: { isOn: false, margin: 'x', better: 'lower' },
      latency: { isOn: true, margin: '15', better: 'lower' },
      'score:stars': { isOn: true, margin: '0.5', better: 'higher' },
    };
    assert.deepEqual(findProblems(change({ guards })), {});
    assert.deepEqual(toRelease(change({ guards }), versions).guards, [
      { metric: 'latency', margin: 0.15 },
      { metric: 'score:stars', margin: 0.5, better: 'higher' },
    ]);
  });

  it('leaves out rules in which nothing was entered', () => {
    const empty = { id: 1, attribute: '', values: ' ', to: 'arm' } as const;
    const rules: ReleaseForm['rules'] = [empty, { id: 2, attribute: ' plan ', values: 'internal, beta,', to: 'control' }];
    assert.deepEqual(findProblems(change({ rules })), {});
    assert.deepEqual(toRelease(change({ rules }), versions).rules, [{ if: { plan: ['internal', 'beta'] }, version: 3 }]);
    assert.equal(toRelease(change({ rules: [empty] }), versions).rules, undefined);
  });

  it('says which field has a problem', () => {
    const guard = { isOn: true, margin: '', better: 'lower' } as const;
    const cases: [Partial<ReleaseForm>, string][] = [
      [{ weight: 0 }, 'weight'],
      [{ steps: '' }, 'steps'],
      [{ steps: '5, x' }, 'steps'],
      [{ steps: '5, 5' }, 'steps'],
      [{ steps: '0.5' }, 'steps'],
      [{ guards: { cost: guard } }, 'guards'],
      [{ guards: { cost: { ...guard, margin: '-1' } } }, 'guards'],
      [{ minUnits: '1' }, 'minUnits'],
      [{ minUnits: '2.5' }, 'minUnits'],
      [{ everyMinutes: '0' }, 'everyMinutes'],
      [{ rules: [{ id: 1, attribute: 'plan', values: ',', to: 'arm' }] }, 'rules'],
      [{ rules: [{ id: 1, attribute: '', values: 'a', to: 'arm' }] }, 'rules'],
    ];
    for (const [form, field] of cases) assert.deepEqual(Object.keys(findProblems(change(form))), [field], JSON.stringify(form));
  });
});

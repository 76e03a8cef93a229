import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Decision, decide, describeNext } from '../../../src/domain/releases/release-decision.ts';
import { measureArms } from '../../../src/domain/releases/release-measurement.ts';
import type { ReleasePlan, ReleaseRecord } from '../../../src/store/prompts/releases.ts';
import type { ArmResults, UnitSums } from '../../../src/store/statistics/release-results.ts';
import { createRandom } from '../../support/random.ts';

type Release = Pick<ReleaseRecord, 'split' | 'plan' | 'stage' | 'state' | 'changedAt'>;

const changedAt = '2026-11-15T09:30:00.000Z';
const later = new Date('2026-11-15T10:30:00.000Z');
const guard = (metric: string, margin = 0.02, better: 'higher' | 'lower' = 'lower') => ({ metric, margin, better });
const arm = (weight: number, version = 2) => ({ version, weight });

function newRelease({
  arms = [arm(500)],
  state = 'running',
  stage = 1,
  ...plan
}: Partial<ReleasePlan> & { arms?: { version: number; weight: number }[]; state?: Release['state']; stage?: number } = {}): Release {
  const guards = [guard('errorRate')];
  const defaults: ReleasePlan = { metric: null, guards, steps: [1000, 5000], minUnits: 100, everyMinutes: 60, onRegression: 'rollback' };
  return { split: { id: 'rel_1', salt: 'rel_1', control: 1, arms, rules: [] }, plan: { ...defaults, ...plan }, stage, state, changedAt };
}

/** Returns the sums of units, a share of which has the value 1. The others have the value 0. */
const sharesOf = (units: number, share: number): UnitSums => ({ units, total: units * share, squares: units * share });
/** Returns the sums of units with a mean and a standard deviation. */
const valuesOf = (units: number, mean: number, deviation: number): UnitSums => ({
  ...{ units, total: units * mean, squares: units * (mean ** 2 + deviation ** 2) },
});
const results = (version: number, units: number, metrics: Record<string, UnitSums> = {}): ArmResults => ({
  ...{ version, units, calls: units * 3, metrics: new Map(Object.entries(metrics)) },
});
/** Returns results of the control and one arm. */
const pair = (control: number, armUnits: number, metrics: Record<string, [UnitSums, UnitSums]> = {}): ArmResults[] => [
  results(1, control, Object.fromEntries(Object.entries(metrics).map(([metric, [sums]]) => [metric, sums]))),
  results(2, armUnits, Object.fromEntries(Object.entries(metrics).map(([metric, [, sums]]) => [metric, sums]))),
];
const errors = (control: number, armUnits: number, [a, b]: [number, number]) =>
  pair(control, armUnits, { errorRate: [sharesOf(control, a), sharesOf(armUnits, b)] });

const good = errors(19_000, 1000, [0.01, 0.01]);
const bad = errors(19_000, 1000, [0.01, 0.1]);
const unclear = errors(3800, 200, [0.05, 0.05]);
const widened: Decision = { type: 'widened', arms: [arm(1000)] };
const rolledBack: Decision = { type: 'rolled_back', cause: 'regression' };
const pausedByRegression: Decision = { type: 'paused', cause: 'regression' };
const pausedByRatio: Decision = { type: 'paused', cause: 'sample_ratio' };

const decideOn = (release: Release, found: ArmResults[], now = later) => decide(release, measureArms(release, found), now);

describe('decide', () => {
  const latency = (a: number, b: number) =>
    pair(9500, 500, { latency: [valuesOf(9500, Math.log(a), 0.5), valuesOf(500, Math.log(b), 0.5)] });
  const score = (a: number, b: number) => pair(9500, 500, { 'score:helpful': [valuesOf(9500, a, 0.3), valuesOf(500, b, 0.3)] });
  const helpful = guard('score:helpful', 0.1, 'higher');

  const cases: [string, Release, ArmResults[], Decision | undefined][] = [
    ['widens when every guard has passed', newRelease(), good, widened],
    ['rolls back when the arm is certainly worse', newRelease(), bad, rolledBack],
    ['pauses instead, if the release says so', newRelease({ onRegression: 'pause' }), bad, pausedByRegression],
    ['waits while nothing is certain', newRelease(), unclear, undefined],
    ['does nothing without results', newRelease(), [], undefined],
    ['does nothing without results and guards', newRelease({ guards: [] }), [], undefined],
    ['does nothing if the arm has no results', newRelease(), errors(100, 0, [0.01, 0]), undefined],
    ['does nothing if the control has no results', newRelease({ arms: [arm(9500)], steps: [9900] }), errors(0, 100, [0, 0.01]), undefined],
    ['waits for the units of the arm', newRelease({ minUnits: 1001 }), good, undefined],
    ['waits for the units of the control', newRelease({ minUnits: 20_000 }), good, undefined],
    ['widens with exactly enough units', newRelease({ minUnits: 1000 }), good, widened],
    ['widens after units and time only, without guards', newRelease({ guards: [] }), pair(1900, 100), widened],
    ['does nothing while paused, even if the arm is worse', newRelease({ state: 'paused' }), bad, undefined],
    ['does nothing while paused, even if the arm is good', newRelease({ state: 'paused' }), good, undefined],
    ['does nothing after a rollback', newRelease({ state: 'rolled_back' }), bad, undefined],
    ['does nothing after the end', newRelease({ state: 'finished' }), good, undefined],
    ['does nothing after the last step', newRelease({ arms: [arm(5000)] }), errors(5000, 5000, [0.01, 0.01]), undefined],
    ['rolls back after the last step', newRelease({ arms: [arm(5000)] }), errors(5000, 5000, [0.01, 0.1]), rolledBack],
    ['rolls back without steps, but never widens', newRelease({ steps: [] }), bad, rolledBack],
    ['never widens without steps', newRelease({ steps: [] }), good, undefined],
    [
      'skips the steps that people have passed',
      newRelease({ arms: [arm(1500)] }),
      errors(17_000, 3000, [0.01, 0.01]),
      { type: 'widened', arms: [arm(5000)] },
    ],
    ['pauses when the units do not match the weights', newRelease(), errors(10_000, 5000, [0.01, 0.01]), pausedByRatio],
    ['does not roll back by results that cannot be trusted', newRelease(), errors(10_000, 5000, [0.01, 0.2]), pausedByRatio],
    ['pauses when an arm stops reporting', newRelease(), pair(3000, 0), pausedByRatio],
    ['rolls back an arm that is slower', newRelease({ guards: [guard('latency', 0.1)] }), latency(200, 300), rolledBack],
    [
      'rolls back an arm that takes 2.5 times as long, if twice is allowed',
      newRelease({ guards: [guard('latency', 1)] }),
      latency(200, 500),
      rolledBack,
    ],
    [
      'widens an arm that takes 1.7 times as long, if twice is allowed',
      newRelease({ guards: [guard('latency', 1)] }),
      latency(200, 340),
      widened,
    ],
    ['widens an arm that is as fast', newRelease({ guards: [guard('latency', 0.1)] }), latency(200, 200), widened],
    ['widens an arm that is faster', newRelease({ guards: [guard('latency', 0)] }), latency(200, 100), widened],
    ['rolls back an arm with lower scores', newRelease({ guards: [helpful] }), score(0.8, 0.5), rolledBack],
    ['widens an arm with higher scores', newRelease({ guards: [helpful] }), score(0.5, 0.8), widened],
    [
      'rolls back an arm with higher scores, if lower ones are better',
      newRelease({ guards: [{ ...helpful, better: 'lower' }] }),
      score(0.5, 0.8),
      rolledBack,
    ],
    ['waits for every guard', newRelease({ guards: [guard('errorRate'), helpful] }), good, undefined],
    ['rolls back by any guard', newRelease({ guards: [helpful, guard('errorRate')] }), bad, rolledBack],
  ];
  for (const [title, release, found, expected] of cases) it(title, () => assert.deepEqual(decideOn(release, found), expected));

  it('waits until the time of the next step, but rolls back at once', () => {
    const early = new Date('2026-11-15T10:29:59.999Z');
    assert.equal(decideOn(newRelease(), good, early), undefined);
    assert.deepEqual(decideOn(newRelease(), bad, new Date(changedAt)), rolledBack);
  });

  it('rolls back if one of several arms is worse', () => {
    const release = newRelease({ arms: [arm(2500), arm(2500, 3)], steps: [] });
    const found = [
      results(1, 5000, { errorRate: sharesOf(5000, 0.01) }),
      results(2, 2500, { errorRate: sharesOf(2500, 0.01) }),
      results(3, 2500, { errorRate: sharesOf(2500, 0.1) }),
    ];
    assert.deepEqual(decideOn(release, found), rolledBack);
    const { guards } = measureArms(release, found);
    assert.deepEqual(
      guards.map((result) => [result.arm, result.verdict]),
      [
        ['v2', 'passed'],
        ['v3', 'worse'],
      ],
    );
  });

  it('never makes an arm smaller, whatever the results, steps and weights are', () => {
    const random = createRandom(8);
    let widenings = 0;
    for (let round = 0; round < 5000; round += 1) {
      const steps = [...new Set(Array.from({ length: random.below(6) }, () => 1 + random.below(10_000)))].sort((a, b) => a - b);
      const weight = random.below(10_001);
      const guards = random.pick([[], [guard('errorRate', random.below(10) / 10)]]);
      const release = newRelease({ arms: [arm(weight)], steps, guards, stage: 1 + random.below(5) });
      const units = 200 * random.below(100);
      const armUnits = Math.round((units * weight) / 10_000);
      const found = errors(units - armUnits, armUnits, [random.below(11) / 10, random.below(11) / 10]);
      const decision = decideOn(release, found);
      if (decision?.type !== 'widened') continue;
      widenings += 1;
      const [wider, ...others] = decision.arms;
      assert.deepEqual([wider?.version, others], [2, []]);
      assert.ok(wider && wider.weight > weight && steps.includes(wider.weight), `${weight} → ${wider?.weight} of ${steps}`);
    }
    assert.ok(widenings > 100, `${widenings}`);
  });
});

describe('measureArms', () => {
  it('compares every arm with the control, in the units of the metric', () => {
    const guards = [guard('errorRate'), guard('latency', 0.1)];
    const release = newRelease({ guards, metric: 'errorRate', arms: [arm(5000)] });
    const measured = measureArms(
      release,
      pair(1000, 1000, {
        errorRate: [sharesOf(1000, 0.2), sharesOf(1000, 0.23)],
        latency: [valuesOf(1000, Math.log(200), 0.5), valuesOf(1000, Math.log(220), 0.5)],
      }),
    );
    assert.deepEqual(measured.arms, [
      { arm: 'control', version: 1, weight: 5000, units: 1000, calls: 3000 },
      { arm: 'v2', version: 2, weight: 5000, units: 1000, calls: 3000 },
    ]);
    const [rate, slower] = measured.guards;
    assert.deepEqual([rate?.control, rate?.value, rate?.difference?.value, rate?.verdict], [0.2, 0.23, 0.03, 'undecided']);
    assert.deepEqual([slower?.control, slower?.value, slower?.difference?.value], [200, 220, 0.1]);
    assert.ok(slower?.difference && slower.difference.low < 0.1 && slower.difference.high > 0.1);
    const [control, v2] = measured.metric?.arms ?? [];
    assert.deepEqual(control, { arm: 'control', value: 0.2, difference: null, probabilityBetter: null });
    assert.deepEqual(v2?.difference, rate?.difference);
    assert.ok(Math.abs((v2?.probabilityBetter ?? 0) - (1 - 0.9486)) < 0.0005, 'fewer errors are better');
  });

  it('gives a probability for shares only', () => {
    const probabilityOf = (metric: string, sums: [UnitSums, UnitSums]) => {
      const release = newRelease({ metric, guards: [], arms: [arm(5000)] });
      return measureArms(release, pair(1000, 1000, { [metric]: sums })).metric?.arms[1]?.probabilityBetter;
    };
    const thumbs = probabilityOf('score:helpful', [sharesOf(1000, 0.2), sharesOf(1000, 0.23)]);
    assert.ok(Math.abs((thumbs ?? 0) - 0.9486) < 0.0005, 'higher scores are better');
    assert.equal(probabilityOf('score:stars', [valuesOf(1000, 4, 1), valuesOf(1000, 4.2, 1)]), null);
    assert.equal(probabilityOf('latency', [valuesOf(1000, 5, 1), valuesOf(1000, 5, 1)]), null);
    assert.equal(probabilityOf('errorRate', [sharesOf(0, 0), sharesOf(0, 0)]), null);
  });

  it('has no values without results', () => {
    const { guards, metric, isMismatch } = measureArms(newRelease({ metric: 'cost' }), []);
    const empty = { arm: 'v2', control: null, value: null, difference: null, verdict: 'undecided' };
    assert.deepEqual(guards, [{ ...guard('errorRate'), ...empty }]);
    assert.deepEqual(
      metric?.arms.map(({ value, difference }) => [value, difference]),
      [
        [null, null],
        [null, null],
      ],
    );
    assert.equal(isMismatch, false);
  });

  it('shows no difference between equal values, whatever they add up to', () => {
    const costs = (units: number): UnitSums => ({ units, total: 0, squares: 0 });
    const [control, v2] = [costs(300), costs(300)];
    for (let unit = 0; unit < 300; unit += 1) {
      control.total += 0.1;
      v2.total = (unit + 1) * 0.1;
      for (const sums of [control, v2]) sums.squares += 0.01;
    }
    assert.notEqual(control.total, v2.total);
    const { guards } = measureArms(newRelease({ guards: [guard('cost', 0.1)] }), pair(300, 300, { cost: [control, v2] }));
    assert.equal(guards[0]?.difference?.value, 0);
  });

  it('is stricter with more guards, arms, steps and stages', () => {
    const widthOf = (release: Release) => {
      const difference = measureArms(release, unclear).guards[0]?.difference;
      return difference ? difference.high - difference.low : assert.fail('there is no difference');
    };
    const base = widthOf(newRelease({ steps: [] }));
    const stricter = [
      newRelease({ steps: [1000] }),
      newRelease({ steps: [], guards: [guard('errorRate'), guard('cost')] }),
      newRelease({ steps: [], arms: [arm(500), arm(500, 3)] }),
      newRelease({ steps: [], stage: 2 }),
    ];
    for (const release of stricter) assert.ok(widthOf(release) > base);
    assert.equal(widthOf(newRelease({ stage: 2 })), widthOf(newRelease()), 'the stages of the steps are planned');
  });
});

describe('describeNext', () => {
  const describeOn = (release: Release, found: ArmResults[], now = later) => describeNext(release, measureArms(release, found), now);

  it('says what the next step waits for', () => {
    const next = describeOn(newRelease(), errors(1159, 61, [0.05, 0.05]), new Date('2026-11-15T10:00:00.000Z'));
    assert.deepEqual([next?.weight, next?.at], [1000, '2026-11-15T10:30:00.000Z']);
    const [units, certainty, time, ...others] = next?.waitsFor ?? [];
    assert.equal(units, '39 more units for v2');
    assert.match(
      certainty ?? '',
      /^certainty about the error rate of v2: the difference from the control is between -\d+ and \d+ percentage points, and up to 2 percentage points more is allowed$/,
    );
    assert.deepEqual([time, others], ['60 minutes since the last change', []]);
    assert.deepEqual(describeOn(newRelease(), [])?.waitsFor, [
      '100 more units for the control',
      '100 more units for v2',
      'certainty about the error rate of v2: there are too few results',
    ]);
    assert.deepEqual(describeOn(newRelease({ guards: [] }), pair(1881, 99))?.waitsFor, ['1 more unit for v2']);
  });

  it('waits for nothing when the step can be made, after the last step, and without steps', () => {
    assert.deepEqual(describeOn(newRelease(), good), { weight: 1000, at: '2026-11-15T10:30:00.000Z', waitsFor: [] });
    const none = { weight: null, at: null, waitsFor: [] };
    assert.deepEqual(describeOn(newRelease({ steps: [] }), good), none);
    assert.deepEqual(describeOn(newRelease({ arms: [arm(5000)] }), []), none);
  });

  it('is null unless the release is running', () => {
    for (const state of ['paused', 'rolled_back', 'finished'] as const) assert.equal(describeOn(newRelease({ state }), good), null);
  });
});

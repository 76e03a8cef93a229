import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Decision, decide } from '../../../src/domain/releases/release-decision.ts';
import { measureArms } from '../../../src/domain/releases/release-measurement.ts';
import type { ReleasePlan, ReleaseRecord } from '../../../src/store/prompts/releases.ts';
import type { UnitSums } from '../../../src/store/statistics/release-results.ts';
import { createRandom, type Random } from '../../support/random.ts';

// The seeds are fixed, so these tests compute the same numbers in every run.

const now = new Date('2026-11-15T12:00:00.000Z');
const looks = 100;

interface Setup {
  metric?: string;
  margin: number;
  weight: number;
  steps?: number[];
  unitsPerStage: number;
  /** Draws the value of a new unit of the control or the arm. */
  draw(isArm: boolean): number;
}

interface Outcome {
  last: Decision | undefined;
  units: number;
  weights: number[];
}

/** Runs a release until it is stopped or its last stage is over. The service looks at the release 100 times in each stage. */
function simulate(random: Random, { metric = 'errorRate', margin, weight, steps = [], unitsPerStage, draw }: Setup): Outcome {
  const guards: ReleasePlan['guards'] = [{ metric, margin, better: 'lower' }];
  const plan: ReleasePlan = { metric: null, guards, steps, minUnits: 100, everyMinutes: 1, onRegression: 'rollback' };
  const weights = [weight];
  let units = 0;
  for (let stage = 1; ; stage += 1) {
    const arms = [{ version: 2, weight: weights.at(-1) ?? 0 }];
    const split = { id: 'rel_1', salt: 'rel_1', control: 1, arms, rules: [] };
    const release = { split, plan, stage, state: 'running', changedAt: '2026-11-15T08:00:00.000Z' } satisfies Partial<ReleaseRecord>;
    const sums = [newSums(), newSums()] as const;
    let last: Decision | undefined;
    for (let look = 0; look < looks && !last; look += 1) {
      for (let unit = 0; unit < unitsPerStage / looks; unit += 1) {
        const isArm = random.below(10_000) < (arms[0]?.weight ?? 0);
        add(sums[isArm ? 1 : 0], draw(isArm));
      }
      units += unitsPerStage / looks;
      const results = sums.map((sum, index) => ({
        ...{ version: index + 1, units: sum.units, calls: sum.units },
        metrics: new Map([[metric, sum]]),
      }));
      last = decide(release, measureArms(release, results), now);
    }
    if (last?.type !== 'widened') return { last, units, weights };
    weights.push(last.arms[0]?.weight ?? 0);
  }
}

function newSums(): UnitSums {
  return { units: 0, total: 0, squares: 0 };
}

function add(sums: UnitSums, value: number): void {
  sums.units += 1;
  sums.total += value;
  sums.squares += value * value;
}

function run(releases: number, random: Random, setup: Setup): Outcome[] {
  return Array.from({ length: releases }, () => simulate(random, setup));
}

const shareOf = (outcomes: Outcome[], type: Decision['type'], cause?: string) =>
  outcomes.filter(({ last }) => last?.type === type && (cause === undefined || ('cause' in last && last.cause === cause))).length /
  outcomes.length;

/** Draws 1 with a probability in percent, and 0 otherwise. */
const percent = (random: Random, probability: number) => (random.below(100) < probability ? 1 : 0);

describe('an arm that equals the control', () => {
  it('is rolled back in fewer than 5 of 100 releases that are looked at 100 times, even without a margin', () => {
    const random = createRandom(1);
    const outcomes = run(1000, random, { margin: 0, weight: 5000, unitsPerStage: 10_000, draw: () => percent(random, 20) });
    const [rolledBack, mismatched] = [shareOf(outcomes, 'rolled_back'), shareOf(outcomes, 'paused', 'sample_ratio')];
    assert.ok(rolledBack < 0.05, `${rolledBack}`);
    assert.ok(mismatched <= 0.005, `${mismatched}`);
    assert.ok(outcomes.every(({ weights }) => weights.length === 1));
  });

  it('is rolled back as rarely if it gets few units, or almost all calls fail', () => {
    const random = createRandom(2);
    const outcomes = run(300, random, { margin: 0, weight: 500, unitsPerStage: 10_000, draw: () => percent(random, 95) });
    const rolledBack = shareOf(outcomes, 'rolled_back');
    assert.ok(rolledBack < 0.05, `${rolledBack}`);
  });

  it('is rolled back as rarely over all steps of a release, and most releases reach the last step', () => {
    const random = createRandom(3);
    const steps = [1000, 2500, 5000];
    const outcomes = run(100, random, { margin: 0.02, weight: 500, steps, unitsPerStage: 20_000, draw: () => percent(random, 1) });
    assert.ok(shareOf(outcomes, 'rolled_back') < 0.05);
    const complete = outcomes.filter(({ weights }) => weights.length === 4);
    assert.ok(complete.length > 90, `${complete.length}`);
    assert.ok(complete.every(({ weights }) => weights.join() === '500,1000,2500,5000'));
  });

  it('is rolled back as rarely for its latency, even if some calls take very long', () => {
    const random = createRandom(4);
    const draw = () => {
      const uniform = (random.below(1_000_000) + 0.5) / 1_000_000;
      return Math.log(200) + Math.log(uniform / (1 - uniform)) / 4 + (random.below(20) === 0 ? 3 : 0);
    };
    const outcomes = run(300, random, { metric: 'latency', margin: 0, weight: 1000, unitsPerStage: 5000, draw });
    const rolledBack = shareOf(outcomes, 'rolled_back');
    assert.ok(rolledBack < 0.05, `${rolledBack}`);
  });
});

describe('an arm that is worse than the control', () => {
  it('is rolled back in more than 99 of 100 releases, half of them within half of the traffic, if 30% of calls fail instead of 20%', () => {
    const random = createRandom(5);
    const draw = (isArm: boolean) => percent(random, isArm ? 30 : 20);
    const outcomes = run(300, random, { margin: 0.02, weight: 5000, unitsPerStage: 20_000, draw });
    assert.ok(shareOf(outcomes, 'rolled_back') > 0.99);
    const median = outcomes.map(({ units }) => units).sort((a, b) => a - b)[150] ?? 0;
    assert.ok(median < 10_000, `${median}`);
  });

  it('is never widened, and is rolled back with 5% of the units', () => {
    const random = createRandom(6);
    const draw = (isArm: boolean) => percent(random, isArm ? 30 : 20);
    const outcomes = run(100, random, { margin: 0.02, weight: 500, steps: [1000, 5000], unitsPerStage: 40_000, draw });
    assert.ok(shareOf(outcomes, 'rolled_back') > 0.99);
    assert.ok(outcomes.every(({ weights }) => weights.length === 1));
  });

  it('is rolled back for its latency if it is 30% slower', () => {
    const random = createRandom(7);
    const draw = (isArm: boolean) => Math.log(isArm ? 260 : 200) + (random.below(1000) / 1000 - 0.5) * 2;
    const outcomes = run(100, random, { metric: 'latency', margin: 0.1, weight: 1000, unitsPerStage: 20_000, draw });
    assert.ok(shareOf(outcomes, 'rolled_back') > 0.99);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEveryEngine } from '../support/prompts.ts';
import { queryStatistics } from '../support/statistics.ts';

describeOnEveryEngine('the scores of a release', (service) => {
  /** Stores the scores of one unit each, by version, and returns the sums by version. */
  async function sumsOf(releaseId: string, values: Record<number, number[]>) {
    const units = Object.entries(values).flatMap(([version, scores]) => scores.map((score) => ({ version, score })));
    const rows = units.map(({ version, score }, index) => [`('u_a', '${releaseId}', 1, ${version}`, `'u${index}'`, score] as const);
    const calls = rows.map(([start, unit]) => `${start}, ${unit}, 1, 0, 0, 0, 0, 0)`);
    await queryStatistics(
      service(),
      `insert into release_units (account_id, release_id, stage, version, unit, calls, errors, timed, log_duration, priced, log_cost)
        values ${calls.join(', ')}`,
    );
    const scores = rows.map(([start, unit, score]) => `${start}, 'helpful', ${unit}, 2, ${2 * score})`);
    await queryStatistics(
      service(),
      `insert into release_scores (account_id, release_id, stage, version, name, unit, count, total) values ${scores.join(', ')}`,
    );
    const query = { accountId: 'u_a', releaseId, stage: 1, scores: ['helpful'] };
    const arms = await service().ctx.store.statistics.readReleaseResults(query);
    return Object.fromEntries(arms.map(({ version, metrics }) => [version, metrics.get('score:helpful')]));
  }

  const repeat = (count: number, value: number) => Array<number>(count).fill(value);

  it('of a few extreme units count with the value of the next unit', async () => {
    const control = [...repeat(200, 0), ...repeat(100, 1)];
    const absurd = [...control, -1e12, -1e12, 1e12];
    assert.deepEqual(await sumsOf('rel_absurd', { 1: control, 2: absurd }), {
      1: { units: 300, total: 100, squares: 100 },
      2: { units: 303, total: 101, squares: 101 },
    });
  });

  it('count as they are if there are fewer than 100 units, or if they are not extreme', async () => {
    const few = { units: 2, total: 1e12, squares: 1e24 };
    assert.deepEqual(await sumsOf('rel_few', { 1: [0, 1e12], 2: [1] }), { 1: few, 2: { units: 1, total: 1, squares: 1 } });
    const rare = [...repeat(994, 0), ...repeat(6, 1)];
    assert.deepEqual(await sumsOf('rel_rare', { 1: rare }), { 1: { units: 1000, total: 6, squares: 6 } });
  });
});

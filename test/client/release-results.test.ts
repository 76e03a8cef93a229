import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PromptHarbor } from '../../client/src/index.ts';
import { describeOnEveryEngine } from '../support/prompts.ts';
import { releasedPrompt, startTestRelease } from '../support/releases.ts';
import { retryUntil } from '../support/retry.ts';

describeOnEveryEngine('the client and the results of a release', (service) => {
  it('counts the observed calls and the feedback of each key for the version that the client chose', async (t) => {
    const test = await startTestRelease(service(), { metric: 'score:helpful', rules: [{ if: { plan: ['internal'] }, version: 2 }] });
    const ph = new PromptHarbor({ baseUrl: service().url, apiKey: test.token });
    const prompts = await ph.prompts.load();
    t.after(() => prompts.close());
    const keys = Array.from({ length: 200 }, (_, index) => `KEY-${index} Zoë 😀`);
    for (const key of keys) {
      const prompt = prompts.get(releasedPrompt, { key });
      for (const _ of [1, 2]) await prompt.observe(async () => key);
      const fail = () => Promise.reject(new Error('failed'));
      if (prompt.version === 2) await assert.rejects(prompt.observe(fail));
    }
    // These calls count for the version, but not for the release.
    for (const caller of [{}, { key: 'KEY-0', context: { plan: 'internal' } }]) {
      await prompts.get(releasedPrompt, caller).observe(async () => 'answer');
    }
    for (const key of keys.slice(0, 10)) await prompts.get(releasedPrompt, { key }).feedback({ name: 'helpful', value: true });
    await ph.results.flush();
    const inArm = keys.filter((key) => test.versionOf(key) === 2).length;
    assert.equal(ph.results.state.dropped, 0);
    assert.equal(ph.results.state.reported, 400 + inArm + 2);
    let found = await test.results({ scores: ['helpful'] });
    await retryUntil('the feedback is counted', async () => {
      found = await test.results({ scores: ['helpful'] });
      return found.reduce((sum, { metrics }) => sum + (metrics.get('score:helpful')?.units ?? 0), 0) === 10;
    });
    assert.deepEqual(
      found.map(({ version, units, calls }) => ({ version, units, calls })).sort((a, b) => a.version - b.version),
      [
        { version: 1, units: 200 - inArm, calls: 2 * (200 - inArm) },
        { version: 2, units: inArm, calls: 3 * inArm },
      ],
    );
    const shareOfFailed = (version: number) => found.find((arm) => arm.version === version)?.metrics.get('errorRate');
    assert.equal(shareOfFailed(1)?.total, 0);
    assert.ok(Math.abs((shareOfFailed(2)?.total ?? 0) - inArm / 3) < 1e-6);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ReportReceipt } from '../../../src/contract/results.ts';
import { jsonSpan, jsonTraces } from '../../support/otlp.ts';
import { describeOnEveryEngine } from '../../support/prompts.ts';
import { releasedPrompt, startTestRelease } from '../../support/releases.ts';

describeOnEveryEngine('reports with a key, but without the release that is running', (service) => {
  it('get a hint, over REST and OpenTelemetry', async () => {
    const client = await startTestRelease(service());
    const [key = ''] = client.keysOf(1, 1);
    const hintOf = async (...calls: object[]) => ((await client.call('POST', '/api/results', { calls })).body as ReportReceipt).hint;
    const call = { prompt: releasedPrompt, version: 1, key, durationMs: 1 };
    assert.match((await hintOf(call, call)) ?? '', /^2 calls have a key, but not the id of the running release, and therefore do not/);
    assert.match((await hintOf({ ...call, label: 'production' })) ?? '', /^1 call has a key,/);
    for (const complete of [client.callOf(key), { ...call, key: undefined }, { ...call, label: 'staging' }])
      assert.equal(await hintOf(complete), undefined, JSON.stringify(complete));

    const span = jsonSpan({
      attributes: { 'gen_ai.prompt.name': releasedPrompt, 'gen_ai.prompt.version': '1', 'promptharbor.key': key },
    });
    const traced = await client.call('POST', '/v1/traces', jsonTraces(span));
    const { partialSuccess } = traced.body as { partialSuccess?: { rejectedSpans: string; errorMessage: string } };
    assert.equal(partialSuccess?.rejectedSpans, '0', traced.text);
    assert.match(partialSuccess?.errorMessage ?? '', /^1 call has a key,/);

    await client.change({ state: 'paused' });
    assert.equal(await hintOf(call), undefined, 'a paused release counts nothing');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIntake } from '../../../../src/domain/results/intake/intake.ts';
import type { Upload } from '../../../../src/domain/results/intake/intake-messages.ts';
import { queueLimits } from '../../../../src/platform/scheduling/limits.ts';
import { concat, writeTraces } from '../../../support/otlp.ts';

const upload = (): Upload => ({ kind: 'traces', format: 'protobuf', isCompressed: false, body: concat(writeTraces({})) });

describe('The thread that reads reports', () => {
  it('fails pending requests with a 503 when it ends, and starts again with the next one', async () => {
    const intake = createIntake();
    const failing = assert.rejects(intake.read('u_1', upload()), { code: 'overloaded', status: 503, retryAfterSeconds: 1 });
    await intake.close();
    await failing;
    const { report } = await intake.read('u_1', upload());
    assert.equal(report.calls.length, 1);
    await intake.close();
  });

  it('leaves the body of the caller intact', async () => {
    const intake = createIntake();
    const given = upload();
    const before = concat(given.body);
    await intake.read('u_1', given);
    assert.deepEqual(given.body, before);
    await intake.close();
  });

  it('ASVS 15.2.2: a workspace that floods the thread is refused with 429, and another workspace is served', async () => {
    const intake = createIntake();
    const { runningPerTenant, waitingPerTenant } = queueLimits.intake;
    const flood = Array.from({ length: runningPerTenant + waitingPerTenant }, () => intake.read('u_1', upload()));
    const all = Promise.allSettled(flood);
    await assert.rejects(intake.read('u_1', upload()), { code: 'too_many_concurrent', status: 429 });
    const { report } = await intake.read('u_2', upload());
    assert.equal(report.calls.length, 1);
    const states = await Promise.race([all, Promise.resolve('waiting')]);
    assert.equal(states, 'waiting', 'The other workspace did not wait for the whole queue');
    await all;
    await intake.close();
  });
});

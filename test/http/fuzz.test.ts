import assert from 'node:assert/strict';
import { it } from 'node:test';
import { register, signIn } from '../support/client.ts';
import { runFuzz } from '../support/fuzz/run-fuzz.ts';
import { describeOnEveryEngine, newClient } from '../support/prompts.ts';
import { createRandom } from '../support/random.ts';

/** The campaign sends a million. */
const count = 500;
const hidden = 'only the other account may see this';

describeOnEveryEngine('Requests mutated from openapi.json', (service) => {
  it(`${count} requests: no 5xx but 503, and no internals or data of another account`, async (t) => {
    const random = createRandom();
    t.diagnostic(`PROMPTHARBOR_SEED=${random.seed}`);
    const other = await newClient(service());
    await other.create({ name: 'hidden', template: hidden, description: hidden });
    const account = await register(service());
    const cookie = await signIn(service(), account);
    const { statuses, problems } = await runFuzz({ url: service().url, account, cookie, hidden, count, random });
    t.diagnostic(JSON.stringify(statuses));
    assert.deepEqual(problems, []);
    assert.doesNotMatch(service().logs(), /"level":50/);
    assert.ok((statuses[200] ?? 0) > count / 50 && (statuses[400] ?? 0) > count / 20, 'some are well-formed, and many are not');
  });
});

// Tests triage.ts without a service.
//   node --test triage.test.ts
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakePrompts } from '@promptharbor/client/testing';
import { describeTriage } from './triage.ts';

it('passes the request to the prompt, even after the prompt has changed', async () => {
  const prompts = fakePrompts({ 'support/triage': 'Classify: {{ request }}' });
  assert.equal(await describeTriage(prompts, 'It leaks'), 'Classify: It leaks');
  prompts.set('support/triage', 'Is this urgent? {{ request }}');
  assert.equal(await describeTriage(prompts, 'It leaks'), 'Is this urgent? It leaks');
  prompts.set('support/triage', 'Classify: {{ requst }}');
  await assert.rejects(describeTriage(prompts, 'It leaks'), { code: 'missing_variables' });
});

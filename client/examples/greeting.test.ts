// A test without a service.
//   node --test greeting.test.ts
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakePrompts } from '@promptharbor/client/testing';
import { greet } from './greeting.ts';

it('greets a customer, also after the prompt has changed', async () => {
  const prompts = fakePrompts({ greeting: 'Hello {{ customer }}!' });
  assert.equal(await greet(prompts, 'Ada'), 'Hello Ada!');
  prompts.set('greeting', 'Welcome back, {{ customer }}.');
  assert.equal(await greet(prompts, 'Ada'), 'Welcome back, Ada.');
  prompts.set('greeting', 'Hello {{ custmer }}');
  await assert.rejects(greet(prompts, 'Ada'), { code: 'missing_variables' });
});

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { type EvaluationContext, type Client as FlagClient, OpenFeature } from '@openfeature/server-sdk';
import type { SavedRelease } from '../../../src/contract/releases.ts';
import { type Client, describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

const keys = Array.from({ length: 20 }, (_, index) => `user ${index} Zoë&=?`);

after(() => OpenFeature.close());

/** Creates OpenFeature's client for JavaScript in the way that its documentation shows. */
async function newFlagClient({ service, token }: Client, headers = { Authorization: `Bearer ${token}` }): Promise<FlagClient> {
  const domain = crypto.randomUUID();
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl: service.url, headers: Object.entries(headers) }));
  return OpenFeature.getClient(domain);
}

interface Read extends VersionBody {
  release?: { id: string; arm: string; reason: string };
}

describeOnEveryEngine('The official client of OpenFeature', (service) => {
  it('gets the template of a text prompt for each key, as GET does', async () => {
    const client = await newClient(service());
    await client.create({ name: 'support/triage', template: 'one {{ x }}' });
    await client.save('support/triage', { template: 'two {{ x }}' });
    const flags = await newFlagClient(client);
    const before = await flags.getStringDetails('support/triage', 'fallback', { targetingKey: 'u' });
    assert.deepEqual([before.value, before.reason, before.variant], ['one {{ x }}', 'STATIC', 'v1']);
    assert.deepEqual(before.flagMetadata, { prompt: 'support/triage', label: 'production', version: 1 });

    const rules = [{ if: { plan: ['internal'], beta: ['true'] }, version: 2 }];
    const started = await client.call('PUT', pathOf('support/triage', '/labels/production/release'), {
      ...{ control: 1, arms: [{ version: 2, weight: 5000 }] },
      rules,
    });
    const { id } = started.body as SavedRelease;
    const seen = new Set<string>();
    for (const key of keys) {
      const read = await client.get<Read>(pathOf('support/triage', `?${new URLSearchParams({ key })}`));
      const flag = await flags.getStringDetails('support/triage', 'fallback', { targetingKey: key, plan: 'free', list: ['internal'] });
      assert.deepEqual([flag.value, flag.variant, flag.reason], [read.template, read.release?.arm, 'SPLIT']);
      assert.deepEqual(flag.flagMetadata, { prompt: 'support/triage', label: 'production', version: read.version, release: id });
      seen.add(flag.value);
    }
    assert.equal(seen.size, 2, 'both arms');

    const byRule = await flags.getStringDetails('support/triage', '', { targetingKey: 'u', plan: 'internal', beta: true });
    assert.deepEqual([byRule.value, byRule.reason, byRule.variant], ['two {{ x }}', 'TARGETING_MATCH', 'v2']);
    const contexts: EvaluationContext[] = [{}, { targetingKey: '' }, { plan: 'free' }];
    for (const context of contexts) {
      const flag = await flags.getStringDetails('support/triage', '', context);
      assert.deepEqual([flag.value, flag.reason, flag.variant, flag.errorCode], ['one {{ x }}', 'DEFAULT', 'control', undefined]);
    }
  });

  it('gets the messages of a chat prompt, at any label, with the texts of included prompts', async () => {
    const client = await newClient(service());
    const tools = [{ name: 'search', parameters: { type: 'object' } }];
    await client.create({ name: 'tone', template: 'Be {{ mood }}.' });
    await client.create({ name: 'a b/50%', messages: [{ role: 'user', content: 'one' }], config: { model: 'm' } });
    await client.save('a b/50%', { messages: [{ role: 'system', content: "{% render 'tone' %}" }, { placeholder: 'history' }], tools });
    await client.label('a b/50%', 'staging', 2);
    await client.call('PUT', pathOf('a b/50%', '/labels/staging/release'), { control: 1, arms: [{ version: 2, weight: 5000 }] });
    const flags = await newFlagClient(client, { 'X-API-Key': client.token } as never);
    const flagKey = `${encodeURIComponent('a b/50%')}|staging`;
    const values = [
      { messages: [{ role: 'user', content: 'one' }], config: { model: 'm' } },
      { messages: [{ role: 'system', content: 'Be {{ mood }}.' }, { placeholder: 'history' }], config: {}, tools },
    ];
    const seen = new Set<number>();
    for (const key of keys) {
      const read = await client.get<Read>(pathOf('a b/50%', `?${new URLSearchParams({ key, label: 'staging' })}`));
      const flag = await flags.getObjectDetails(flagKey, {}, { targetingKey: key });
      assert.deepEqual(flag.value, values[read.version - 1]);
      seen.add(read.version);
    }
    assert.equal(seen.size, 2, 'both arms');
    const newest = await flags.getObjectDetails(`${encodeURIComponent('a b/50%')}|latest`, {}, { targetingKey: 'u' });
    assert.deepEqual([newest.value, newest.reason, newest.variant], [values[1], 'STATIC', 'v2']);
  });

  it('falls back to its default if there is no such prompt or label, the type differs, or the key is wrong', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    await client.create({ name: 'draft', template: 'one', labels: [] });
    const flags = await newFlagClient(client);
    for (const key of ['nothing', 'a|staging', 'draft', 'a|b|c', 'a|', '']) {
      const flag = await flags.getStringDetails(key, 'fallback', { targetingKey: 'u' });
      assert.deepEqual([flag.value, flag.errorCode], ['fallback', 'FLAG_NOT_FOUND'], key);
    }
    assert.equal((await flags.getObjectDetails('a', { d: 1 })).errorCode, 'TYPE_MISMATCH');
    const stranger = await newFlagClient(client, { Authorization: `Bearer ph_${'0'.repeat(64)}` });
    assert.equal(await stranger.getStringValue('a', 'fallback'), 'fallback');
  });
});

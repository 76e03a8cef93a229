import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

describeOnEveryEngine('Declared variables of included prompts', (service) => {
  it('are marked as inherited, are the same in a list, and do not become own ones when they are sent back', async () => {
    const client = await newClient(service());
    const declared = { name: 'tone', type: 'enum', values: ['warm', 'dry'], default: 'warm' };
    await client.create({ name: 'shared/tone', template: 'Be {{ tone }}.', variables: [declared] });
    await client.create({ name: 'reply', template: "{% render 'shared/tone' %} {{ question }} {{ tone }}" });
    await client.create({ name: 'other', template: '{{ tone }}' });
    const read = async (name: string) => (await client.get<VersionBody>(pathOf(name))).variables;
    const inherited = { ...declared, required: false, inherited: true, kind: 'text' };
    assert.deepEqual(byName(await read('reply')).tone, inherited);
    assert.deepEqual(byName(await read('shared/tone')).tone, { ...declared, required: false, kind: 'text' });
    assert.deepEqual(byName(await read('other')).tone, { name: 'tone', required: true, kind: 'text' });
    const { data } = await client.get<{ data: { name: string; version: VersionBody }[] }>('/api/prompts?include=content');
    for (const { name, version } of data) assert.deepEqual(version.variables, await read(name), name);

    await client.save('reply', { template: '{{ tone }}', variables: await read('reply') });
    const { variables } = await client.get<VersionBody>(`${pathOf('reply')}?label=latest`);
    assert.deepEqual(variables, [{ name: 'tone', required: true, kind: 'text' }]);
  });
});

function byName<T extends { name: string }>(variables: T[]): Record<string, T> {
  return Object.fromEntries(variables.map((variable) => [variable.name, variable]));
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

describeOnEveryEngine('GET /api/prompts/{name}', (service) => {
  it('200: says which declarations come from included prompts, and does not save them when they are sent back', async () => {
    const client = await newClient(service());
    const tone = { name: 'tone', type: 'enum', values: ['formal', 'warm'], default: 'warm' };
    await client.create({ name: 'tone', template: 'Be {{ tone }}.', variables: [tone] });
    const name = { name: 'name', description: 'Who gets the letter' };
    const template = "{% render 'tone', tone: tone %} Dear {{ name }}. {{ tone }}";
    await client.create({ name: 'letter', template: "{% render 'tone' %} Dear {{ name }}", variables: [name] });
    await client.create({ name: 'own', template, variables: [{ ...tone, default: 'formal' }] });

    const { variables } = await client.get<VersionBody>(pathOf('letter'));
    assert.deepEqual(
      variables.map((variable) => [variable.name, variable.default, variable.inherited]),
      [
        ['name', undefined, undefined],
        ['tone', 'warm', true],
      ],
    );
    const own = await client.get<VersionBody>(pathOf('own'));
    assert.equal(own.variables.find((variable) => variable.name === 'tone')?.inherited, undefined);

    await client.save('letter', { template: "{% render 'tone' %} To {{ name }}", variables });
    await client.save('tone', { template: 'Be {{ tone }}.', variables: [{ ...tone, default: 'formal' }], labels: ['production'] });
    const saved = await client.get<VersionBody>(pathOf('letter', '?label=latest'));
    assert.deepEqual(
      saved.variables.map((variable) => [variable.name, variable.description, variable.default]),
      [
        ['name', 'Who gets the letter', undefined],
        ['tone', undefined, 'formal'],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { assertRefused, describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

const letters = [...'abcXYZ019._-'];
const segment = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 20 });
const isStep = (name: string) => name === '.' || name === '..';
const validName = fc
  .array(segment, { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join('/'))
  .filter((name) => !isStep(name));
const anyName = fc.string({ unit: fc.constantFrom(...letters, '/', ' ', '%', '?', '#', '\\', 'é', '\n', '\0', '😀'), maxLength: 12 });
const isValid = (name: string) => /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(name) && !/[\n]/.test(name) && !isStep(name);

describeOnEveryEngine('Names', (service) => {
  it('any valid name is found as one segment of a path, and in the list', async () => {
    const client = await newClient(service());
    const made = new Set<string>();
    await fc.assert(
      fc.asyncProperty(validName, async (name) => {
        if (made.has(name)) return;
        made.add(name);
        await client.create({ name, template: `text of ${name}` });
        const found = await client.get<VersionBody>(pathOf(name));
        assert.deepEqual([found.name, found.template], [name, `text of ${name}`]);
        const listed = await client.get<{ data: { name: string }[] }>(`/api/prompts?name=${encodeURIComponent(name)}`);
        assert.deepEqual(
          listed.data.map((prompt) => prompt.name),
          [name],
        );
      }),
      { numRuns: 60 },
    );
  });

  it('any other name is refused on creation and unknown on reads', async () => {
    const client = await newClient(service());
    await fc.assert(
      fc.asyncProperty(
        anyName.filter((name) => name !== '' && !isValid(name)),
        async (name) => {
          assertRefused(await client.call('POST', '/api/prompts', { name, template: 'x' }), 400, 'invalid_input', '/name');
          // A client resolves . and .. itself, which gives another path.
          if (!isStep(name)) assertRefused(await client.call('GET', pathOf(name)), 404, 'prompt_not_found');
        },
      ),
      { numRuns: 60 },
    );
  });
});

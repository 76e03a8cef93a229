import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { newMember } from '../../support/workspaces.ts';

describeOnEveryEngine('A copy of a prompt with candidates', (service) => {
  for (const move of [false, true]) {
    it(`${move ? 'a move' : 'a copy'} has no candidates, and says so`, async () => {
      const owner = await newClient(service());
      const member = await newMember(service(), owner, 'editor');
      await member.create({ name: 'a', template: 'one' });
      await member.create({ name: 'none', template: 'one' });
      await member.call('POST', pathOf('a', '/candidates'), { title: 'Kinder', template: 'two' });
      const copy = (name: string, query = '') => member.call('POST', pathOf(name, `/copy${query}`), { workspace: owner.userId, move });
      assert.equal(((await copy('a', '?strict=true')).body as { code: string }).code, 'has_warnings');
      const { warnings } = (await copy('a')).body as { warnings: unknown };
      const where = move ? ' It stays with the original in the bin.' : '';
      assert.deepEqual(warnings, [{ code: 'candidates_not_copied', message: `1 candidate of the prompt was not copied.${where}` }]);
      assert.deepEqual((await owner.get<ListBody>(pathOf('a', '/candidates'))).data, []);
      assert.deepEqual(((await copy('none')).body as { warnings: unknown }).warnings, []);
      if (move) await member.call('POST', pathOf('a', '/restore'));
      const { data } = await member.get<ListBody>(pathOf('a', '/candidates'));
      assert.equal(data.length, 1, 'the original keeps its candidate');
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findNameProblem } from '../../../src/contract/prompt-names.ts';
import { newId } from '../../../src/domain/ids.ts';
import { isCampaign } from '../../support/campaign.ts';
import {
  assertRefused,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';

const symbols = [...`abcXYZ019._-'%&?#=+;:,~!*()[]{}$^@\`éÅ語한😀`, ' ', 'á'];
const segment = fc
  .string({ unit: fc.constantFrom(...symbols), minLength: 1, maxLength: 20 })
  .filter((text) => text !== '.' && text !== '..' && text.trim() === text);
const validName = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/').normalize('NFC'));

const refused: Record<string, string[]> = {
  'a forbidden character': ['a\\b', 'a|b', 'a<b', 'a>b', 'a"b'],
  'a control character': ['a\0b', 'a\nb', 'a\tb', 'a\x7Fb', 'a\x85b'],
  'an empty segment': ['/', '/a', 'a/', 'a//b'],
  'a step': ['.', '..', '../x', 'a/../b', 'a/./b', 'a/..'],
  'a space at an end': [' ', ' a', 'a ', 'a /b', 'a/ b'],
  'another space': ['a\u00A0b', 'a\u2003b', 'a\u3000b', 'a\u2028b', 'a\u2029b'],
  'a character that is not shown': ['a\u200Bb', 'a\u200Db', 'a\uFEFFb', 'a\u00ADb', 'a\u3164b', 'a\uFE0Fb', '\u200D語', '語\u200D'],
  'a bidirectional control': ['a\u202Eb', 'a\u2066b', 'a\u200Fb'],
  'a private, unassigned or half character': ['a\uE000b', 'a\u0378b', 'a\uD800b', 'a\uDC00'],
  'too many characters': ['x'.repeat(201), '😀'.repeat(201)],
};

const accepted = ['a b', "it's", '100 %', 'a/b.c/..d', '...', '語/한', '👩‍💻', '1️⃣', '❤️', 'می‌خواهم', '😀'.repeat(200), 'c++ & c#?', 'a%2Fb'];

describe('findNameProblem', () => {
  for (const [kind, names] of Object.entries(refused)) {
    it(`finds ${kind}`, () => {
      for (const name of names) assert.ok(findNameProblem(name.normalize('NFC')), JSON.stringify(name));
    });
  }

  it('finds nothing in other names', () => {
    for (const name of accepted) assert.equal(findNameProblem(name.normalize('NFC')), undefined, name);
  });
});

describeOnEveryEngine('Names', (service) => {
  it('any valid name is found as one segment of a path, in the list, and by its folder', async () => {
    const client = await newClient(service());
    const made = new Set<string>();
    const check = async (name: string) => {
      if (made.has(name)) return;
      made.add(name);
      await client.create({ name, template: `text of ${name.length}` });
      const found = await client.get<VersionBody>(pathOf(name));
      assert.deepEqual([found.name, found.template], [name, `text of ${name.length}`]);
      const listed = async (query: string) => (await readAll<PromptBody>(client, `/api/prompts?${query}`)).map((prompt) => prompt.name);
      assert.deepEqual(await listed(`name=${encodeURIComponent(name)}`), [name]);
      assert.ok((await listed(`search=${encodeURIComponent([...name].slice(0, 10).join('').toUpperCase())}&limit=100`)).includes(name));
      const folder = name.slice(0, Math.max(0, name.lastIndexOf('/')));
      if (folder) assert.ok((await listed(`folder=${encodeURIComponent(folder)}&limit=100`)).includes(name), folder);
    };
    for (const name of accepted) await check(name.normalize('NFC'));
    await fc.assert(fc.asyncProperty(validName, check), { numRuns: isCampaign ? 200 : 15 });
    const paged = (await readAll<PromptBody>(client, '/api/prompts?limit=1')).map(({ name }) => name);
    assert.deepEqual(new Set(paged), made, 'a cursor holds any name');
  });

  it('400: another name is refused on creation and on renaming, and 404 on reads', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    for (const name of Object.values(refused).flat()) {
      assertRefused(await client.call('POST', '/api/prompts', { name, template: 'x' }), 400, 'invalid_input', '/name');
      assertRefused(await client.call('PATCH', pathOf('a'), { name }), 400, 'invalid_input', '/name');
      // `fetch` resolves . and .. to another path, and cannot encode a lone surrogate.
      if (name.isWellFormed() && !/^\.+$/.test(name)) assertRefused(await client.call('GET', pathOf(name)), 404, 'prompt_not_found');
    }
  });

  it('200: a name is the same in any Unicode form, in bodies, paths, filters and templates', async () => {
    const client = await newClient(service());
    const composed = 'caf\u00E9';
    const decomposed = 'cafe\u0301';
    assert.equal((await client.create({ name: decomposed, template: 'inside' })).name, composed);
    assertRefused(await client.call('POST', '/api/prompts', { name: composed, template: 'x' }), 409, 'name_taken');
    for (const name of [composed, decomposed]) {
      assert.equal((await client.get<VersionBody>(pathOf(name))).name, composed);
      for (const filter of ['name', 'searchIn=name&search']) {
        const { data } = await client.get<ListBody>(`/api/prompts?${filter}=${encodeURIComponent(name)}`);
        assert.deepEqual(
          data.map((prompt) => prompt.name),
          [composed],
        );
      }
      const { version } = await client.create({ name: `uses ${name === composed}`, template: `{% render '${name}' %}` });
      const rendered = await client.render(version.name, {});
      assert.equal((rendered.body as { text: string }).text, 'inside');
    }
    await client.call('DELETE', pathOf(decomposed));
    assert.equal((await client.call('POST', pathOf(decomposed, '/restore'))).status, 200);
  });

  it('200: a name with a quote is included in double quotes, and one with @ is not taken for a label', async () => {
    const client = await newClient(service());
    await client.create({ name: "it's", template: 'quoted' });
    await client.create({ name: 'a@staging', template: 'another' });
    await client.create({ name: 'both', template: `{% render "it's" %} {% render 'a@staging' %}` });
    assert.equal(((await client.render('both', {})).body as { text: string }).text, 'quoted another');
    await client.create({ name: 'a', template: 'x' });
    await client.create({ name: 'c', template: `{% render 'a@staging' %}{% render 'a', label: 'staging@production' %}` });
    assertRefused(await client.render('c', {}), 422, 'unresolved_partial');
  });

  it('200: a prompt of an earlier version is read, changed and renamed by its exact name', async () => {
    const client = await newClient(service());
    const now = new Date().toISOString();
    const by = { userId: client.userId, name: 'Test' };
    const texts = { content: '"old"', config: '{}', variables: '[]', partials: '[]', syntax: 'liquid' as const, message: '' };
    for (const name of ['a/../b', '../x']) {
      const id = newId('p');
      await service().ctx.store.changePrompts(client.userId, async ({ prompts, versions, labels }) => {
        const record = { id, name, type: 'text' as const, description: '', latestVersion: 1, createdAt: now, updatedAt: now };
        assert.ok(await prompts.insert(client.userId, record));
        await versions.insert(client.userId, { promptId: id, version: 1, ...texts, createdAt: now, by });
        await labels.put(client.userId, id, 'production', 1);
      });
      assert.equal((await client.get<VersionBody>(pathOf(name))).template, 'old');
      assert.equal((await client.call('PATCH', pathOf(name), { name, description: 'kept' })).status, 200);
      await client.save(name, { template: 'new' });
      assert.equal((await client.call('PATCH', pathOf(name), { name: `better ${id}` })).status, 200);
      assertRefused(await client.call('PATCH', pathOf(`better ${id}`), { name }), 400, 'invalid_input', '/name');
    }
  });
});

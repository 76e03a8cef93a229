import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { SearchMatch } from '../../../src/contract/prompts.ts';
import {
  assertRefused,
  type Client,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
} from '../../support/prompts.ts';
import { exportText, importText } from '../../support/transfer.ts';

type Found = PromptBody & { matches: SearchMatch[] };

describeOnEveryEngine('GET /api/prompts?search=', (service) => {
  let client: Client;
  before(async () => {
    client = await newClient(service());
  });

  const search = async (text: string, more = '', by = client): Promise<Found[]> =>
    (await by.get<ListBody<Found>>(`/api/prompts?search=${encodeURIComponent(text)}${more}`)).data;
  const names = async (text: string, more = '', by = client) => (await search(text, more, by)).map(({ name }) => name);

  it('200: finds text in templates, messages, settings, descriptions and names, and says where', async () => {
    await client.create({ name: 'find/text', template: 'Be polite.\nNever promise a Refund.', description: 'Answers mail' });
    const messages = [{ role: 'system', content: 'You are a clerk' }, { placeholder: 'earlier_turns' }];
    await client.create({ name: 'find/chat', messages, config: { model: 'gpt-harbor', tools: [{ name: 'cancel_order' }] } });
    assert.deepEqual(
      (await search('never PROMISE')).map(({ name, matches }) => ({ name, matches })),
      [
        {
          name: 'find/text',
          matches: [{ version: 1, path: '/template', line: 2, text: 'Never promise a Refund.', start: 0, end: 13 }],
        },
      ],
    );
    const where = async (text: string) =>
      (await search(text)).flatMap(({ name, matches }) => matches.map(({ version, path, text: line }) => [name, version, path, line]));
    assert.deepEqual(await where('clerk'), [['find/chat', 1, '/messages/0/content', 'You are a clerk']]);
    assert.deepEqual(await where('lier_tur'), [['find/chat', 1, '/messages/1/placeholder', 'earlier_turns']]);
    assert.deepEqual(await where('GPT-harbor'), [['find/chat', 1, '/config/model', 'model: gpt-harbor']]);
    assert.deepEqual(await where('cancel_order'), [['find/chat', 1, '/config/tools/0/name', 'name: cancel_order']]);
    assert.deepEqual(await where('answers MAIL'), [['find/text', undefined, '/description', 'Answers mail']]);
    assert.deepEqual(await where('D/TEXT'), [['find/text', undefined, '/name', 'find/text']]);
    assert.deepEqual(await where('system'), [], 'a role is not content');
    assert.deepEqual(await names('d/', '&searchIn=name'), ['find/chat', 'find/text']);
    assert.deepEqual(await names('clerk', '&searchIn=name'), []);
    assert.deepEqual(await names('polite', '&folder=find&label=production&include=content'), ['find/text']);
    assert.deepEqual(await names('polite', '&folder=other'), []);
    assert.equal('matches' in ((await client.get<ListBody>('/api/prompts')).data[0] ?? {}), false, 'only with a search');
  });

  it('200: finds words inside words, any single character and any language', async () => {
    const texts = ['Rückerstattung', '請寄退款給客戶', 'Верни деньги', 'Cafe\u0301', '100%_sure\\', 'DİYARBAKIR ΟΔΟΣ', "it's; drop table"];
    for (const [index, template] of texts.entries()) await client.create({ name: `language/${index}`, template });
    const cases = ['ERSTATT', '退', 'ДЕНЬГ', 'café', '%_SURE\\', 'dİYARBAKIR', "'s; DROP"];
    for (const [index, text] of cases.entries()) {
      assert.deepEqual(await names(text, '&folder=language'), [`language/${index}`], text);
    }
    assert.deepEqual(await names('οδος', '&folder=language'), ['language/5']);
    assert.deepEqual(await names('%25%', '&folder=language'), []);
  });

  it('200: covers the newest and the labeled versions, and no others', async () => {
    await client.create({ name: 'versions', template: 'alpha-one' });
    await client.save('versions', { template: 'alpha-two' });
    await client.save('versions', { template: 'alpha-three' });
    const hits = async () =>
      (await Promise.all(['alpha-one', 'alpha-two', 'alpha-three'].map((text) => names(text)))).map((found) => found.length);
    assert.deepEqual(await hits(), [1, 0, 1], 'the first is labeled, the third is the newest');
    assert.deepEqual(
      (await search('alpha'))[0]?.matches.map(({ version }) => version),
      [3],
      'the newest one that contains it',
    );
    await client.label('versions', 'staging', 2);
    assert.deepEqual(await hits(), [1, 1, 1]);
    await client.label('versions', 'production', 2);
    assert.deepEqual(await hits(), [0, 1, 1]);
    await client.call('DELETE', pathOf('versions', '/labels/staging'));
    assert.deepEqual(await hits(), [0, 1, 1], 'still labeled production');
    await client.call('DELETE', pathOf('versions', '/versions/3'));
    assert.deepEqual(await hits(), [0, 1, 0]);
    await client.call('DELETE', pathOf('versions', '/labels/production'));
    assert.deepEqual(await hits(), [0, 1, 0], 'now the newest');
    await client.call('POST', '/api/prompts/batch', { items: [{ name: 'versions', template: 'alpha-four' }] });
    assert.deepEqual(await hits(), [0, 0, 0]);
    assert.deepEqual(await names('alpha-four'), ['versions']);
  });

  it('200: deleted prompts are found only in the bin, until they are restored', async () => {
    await client.create({ name: 'binned', template: 'a lighthouse keeper' });
    assert.deepEqual(await names('lighthouse'), ['binned']);
    await client.call('DELETE', pathOf('binned'));
    assert.deepEqual(await names('lighthouse'), []);
    assert.deepEqual(await names('lighthouse', '&deleted=true'), ['binned']);
    await client.call('POST', pathOf('binned', '/restore'));
    assert.deepEqual(await names('lighthouse'), ['binned']);
    await client.call('PATCH', pathOf('binned'), { name: 'renamed', description: 'Kept by the sea' });
    assert.deepEqual(await names('lighthouse'), ['renamed']);
    assert.deepEqual(await names('by the SEA'), ['renamed']);
  });

  it('200: imported prompts are found like others', async () => {
    const [from, to] = [await newClient(service()), await newClient(service())];
    await from.create({ name: 'moved', template: 'version one of the anchor' });
    await from.save('moved', { template: 'version two of the anchor' });
    await from.save('moved', { template: 'version three of the anchor' });
    await importText(to, await exportText(from));
    for (const [text, expected] of Object.entries({ 'one of the anchor': 1, 'two of the anchor': 0, 'three of the ANCHOR': 1 })) {
      assert.equal((await names(text, '', to)).length, expected, text);
    }
  });

  it('200: with a tag and a label, finds only the prompts that have both', async () => {
    const account = await newClient(service());
    for (const [name, tags] of Object.entries({ a: ['x'], b: ['x', 'y'], c: ['y'], d: ['y'] })) {
      await account.create({ name, template: `fox ${name}`, tags });
    }
    await account.save('b', { template: 'fox again' });
    for (const name of ['b', 'c']) await account.call('PUT', `/api/prompts/${name}/labels/staging`, { version: 1 });
    for (const [more, expected] of [
      ['', ['a', 'b', 'c', 'd']],
      ['&tag=y', ['b', 'c', 'd']],
      ['&label=staging', ['b', 'c']],
      ['&tag=x&label=staging', ['b']],
      ['&tag=y&label=latest', ['b', 'c', 'd']],
      ['&tag=y&label=staging&sort=-name', ['c', 'b']],
      ['&tag=none&label=staging', []],
    ] as const) {
      assert.deepEqual(await names('FOX', more, account), expected, more);
    }
    assert.deepEqual(await names('wolf', '&tag=x&label=staging', account), []);
    assert.deepEqual(await names('b', '&searchIn=name&tag=x&label=staging', account), ['b']);
  });

  it('200: nothing of another workspace is found', async () => {
    const other = await newClient(service());
    await client.create({ name: 'private', template: 'the vault code is pelican' });
    assert.deepEqual(await names('pelican', '', other), []);
    await other.create({ name: 'own', template: 'another pelican' });
    assert.deepEqual(await names('pelican', '', other), ['own']);
    assert.deepEqual(await names('pelican'), ['private']);
  });

  it('200: pages continue where they ended, even if the content fills them early', async () => {
    const many = await newClient(service());
    const large = `needle ${'x'.repeat(200_000)}`;
    for (let index = 0; index < 7; index += 1) await many.create({ name: `large/${index}`, template: `${large}${index}` });
    const first = await many.get<ListBody<Found>>('/api/prompts?search=needle');
    assert.ok(first.data.length < 7 && first.nextCursor !== null);
    const all = await readAll<Found>(many, '/api/prompts?search=NEEDLE');
    assert.deepEqual(
      all.map(({ name }) => name),
      Array.from({ length: 7 }, (_, index) => `large/${index}`),
    );
    assert.ok(all.every(({ matches }) => matches[0]?.text.length === 161 && matches[0].end === 6));
    assert.equal((await readAll(many, '/api/prompts?search=needle&limit=2')).length, 7);
    assert.equal((await readAll(many, '/api/prompts?search=needle&sort=-updatedAt&limit=3')).length, 7);
  });

  it('200: a hostile search ends, and so does a search that nearly matches', async () => {
    const hostile = await newClient(service());
    for (let index = 0; index < 5; index += 1) await hostile.create({ name: `a${index}`, template: 'a'.repeat(64 * 1024) });
    assert.equal((await names('a'.repeat(200), '', hostile)).length, 5);
    assert.deepEqual(await names(`${'a'.repeat(199)}b`, '', hostile), []);
    assert.deepEqual(await names(`b${'a'.repeat(199)}`, '', hostile), []);
    assert.deepEqual(await names(`${'a'.repeat(100)}z${'a'.repeat(99)}`, '', hostile), []);
  });

  it('400: control characters and lone surrogates; a config may contain both', async () => {
    assertRefused(await client.call('GET', '/api/prompts?search=a%00b'), 400, 'invalid_input');
    assertRefused(await client.call('GET', '/api/prompts?search=%01'), 400, 'invalid_input');
    assertRefused(await client.call('GET', `/api/prompts?search=${'a'.repeat(201)}`), 400, 'invalid_input');
    assertRefused(await client.call('GET', '/api/prompts?search=a&searchIn=text'), 400, 'invalid_input');
    await client.create({ name: 'odd', template: 'x', config: { stop: 'odd\u0000stop\ud800' } });
    assert.deepEqual(await names('odd', '&name=odd'), ['odd']);
    assert.deepEqual(await names('stop: odd'), ['odd']);
  });

  it('304: only while nothing has changed', async () => {
    const path = '/api/prompts?search=unique-phrase';
    const first = await client.call('GET', path);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await client.call('GET', path, undefined, { headers })).status, 304);
    await client.create({ name: 'later', template: 'a unique-phrase' });
    const second = await client.call('GET', path, undefined, { headers });
    assert.equal(second.status, 200);
    assert.equal((second.body as ListBody).data.length, 1);
  });
});

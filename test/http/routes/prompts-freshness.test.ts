import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ReadingStores } from '../../../src/store/bound-stores.ts';
import type { ApiResponse } from '../../support/client.ts';
import { type Client, describeOnEveryEngine, type ListBody, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

/** Creates a reader that polls like an application, with the ETag of its last response for the URL. */
function createPoller(client: Client) {
  const known = new Map<string, { etag: string; response: ApiResponse }>();
  return async function poll(path: string): Promise<ApiResponse> {
    const before = known.get(path);
    const response = await client.call('GET', path, undefined, before ? { headers: { 'if-none-match': before.etag } } : {});
    if (response.status === 304 && before) return before.response;
    const etag = response.headers.get('etag');
    if (etag) known.set(path, { etag, response });
    return response;
  };
}

describeOnEveryEngine('Reads after writes, with and without If-None-Match', (service) => {
  it('every kind of write is visible in every response right after it', async () => {
    const client = await newClient(service());
    const poll = createPoller(client);
    const lists = ['/api/prompts?limit=50', '/api/prompts?include=content&limit=50', '/api/prompts?deleted=true&limit=50'];
    const paths = [...lists, pathOf('abcd'), pathOf('abcd', '/versions'), pathOf('abcd', '/history')];
    const writes: [string, string, unknown?][] = [
      ['POST', '/api/prompts', { name: 'abcd', template: 'one' }],
      ['POST', pathOf('abcd', '/versions'), { template: 'two' }],
      ['PUT', pathOf('abcd', '/labels/production'), { version: 2 }],
      ['PUT', pathOf('abcd', '/labels/staging'), { version: 1 }],
      ['DELETE', pathOf('abcd', '/labels/staging')],
      ['PATCH', pathOf('abcd'), { description: 'changed' }],
      ['PATCH', pathOf('abcd'), { tags: ['t'] }],
      ['POST', '/api/prompts', { name: 'partial', template: '{{ inner }}' }],
      ['POST', pathOf('abcd', '/versions'), { template: "{% render 'partial' %}", labels: ['production'] }],
      ['POST', pathOf('partial', '/versions'), { template: '{{ other }}', labels: ['production'] }],
      ['DELETE', pathOf('abcd')],
      ['POST', pathOf('abcd', '/restore')],
      ['PATCH', pathOf('abcd'), { name: 'other' }],
    ];
    for (const [index, [method, path, body]] of writes.entries()) {
      const before = new Map<string, string>();
      for (const read of paths) before.set(read, (await poll(read)).text);
      const { status, text } = await client.call(method, path, body);
      assert.ok(status < 300, text);
      let changed = 0;
      for (const read of paths) {
        const polled = await poll(read);
        if (polled.text !== before.get(read)) changed += 1;
        const fresh = await client.call('GET', spellAnew(read, index + 1));
        assert.equal(polled.text, fresh.text, `${read} after ${method} ${path}`);
      }
      assert.ok(changed > 0, `${method} ${path} shows somewhere`);
    }
  });

  it('many readers and writers at once: a read that starts after the response to a write reflects it', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: '1' });
    let written = 1;
    let writing = true;
    async function write(): Promise<void> {
      for (let round = 0; round < 20; round += 1) {
        const { version } = await client.save('a', { template: 'x', labels: ['production'] });
        written = Math.max(written, version);
      }
    }
    async function read(poll: (path: string) => Promise<ApiResponse>): Promise<void> {
      while (writing) {
        const atLeast = written;
        const list = (await poll('/api/prompts?include=content')).body as ListBody;
        const prompt = (await poll(pathOf('a'))).body as VersionBody;
        const latest = (await poll(pathOf('a', '?label=latest'))).body as VersionBody;
        assert.ok((list.data[0]?.latestVersion ?? 0) >= atLeast);
        assert.ok((list.data[0]?.version?.version ?? 0) >= atLeast);
        assert.ok(prompt.version >= atLeast && latest.version >= atLeast, `${prompt.version}, ${latest.version} < ${atLeast}`);
      }
    }
    const readers = [
      createPoller(client),
      createPoller(client),
      (path: string) => client.call('GET', path),
      (path: string) => client.call('GET', path),
    ].map(read);
    await Promise.all([write(), write(), write()]).finally(() => {
      writing = false;
    });
    await Promise.all(readers);
    assert.equal((await client.get<VersionBody>(pathOf('a'))).version, 61);
  });

  it('a version in a list has the labels of the same moment, even if they move while the list is read', async (t) => {
    const client = await newClient(service());
    await client.create({ name: 'moved', template: 'one' });
    await client.save('moved', { template: 'two' });
    const { store } = service().ctx;
    const { readSnapshot } = store;
    const mocked = t.mock.method(store, 'readSnapshot', (workspaceId: string, read: (stores: ReadingStores) => Promise<unknown>) =>
      readSnapshot(workspaceId, (stores) => {
        const describe = async (...args: Parameters<typeof stores.prompts.describe>) => {
          const overviews = await stores.prompts.describe(...args);
          await client.label('moved', 'production', 2);
          return overviews;
        };
        return read({ ...stores, prompts: { ...stores.prompts, describe } });
      }),
    );
    const read = async () => {
      const [prompt] = (await client.get<ListBody>('/api/prompts?include=content')).data;
      assert.deepEqual(prompt?.version?.labels, ['production']);
      assert.equal(prompt?.version?.version, prompt?.labels.production);
      return prompt?.version?.version;
    };
    assert.equal(await read(), 1);
    mocked.mock.restore();
    assert.equal(await read(), 2);
  });
});

/** Encodes the same path differently for each round, so that the response cannot come from the cache. */
function spellAnew(path: string, round: number): string {
  if (path.endsWith('limit=50')) return path.replace('limit=50', `limit=${50 + round}`);
  const name = [...'abcd'].map((letter, index) => (round & (1 << index) ? `%${letter.charCodeAt(0).toString(16)}` : letter)).join('');
  return path.replace('abcd', name);
}

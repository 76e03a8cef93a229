import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { newId } from '../../../src/domain/ids.ts';
import {
  type Client,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';

const count = 12;
// Each character takes three bytes, because the test shows that the limit counts bytes rather than characters.
const template = '語'.repeat(125_000);
const pageBytes = 1_000_000;

describeOnEveryEngine('Lists of large prompts', (service) => {
  let client: Client;
  before(async () => {
    client = await newClient(service());
    const { userId } = client;
    const now = new Date().toISOString();
    const by = { userId, name: 'Test' };
    const times = { createdAt: now, updatedAt: now };
    // Saving this many versions through the API would take too long, because each template is analyzed.
    await service().ctx.store.changePrompts(userId, async ({ prompts, versions, labels }) => {
      const texts = {
        content: JSON.stringify(template),
        config: '{}',
        variables: '[]',
        partials: '[]',
        syntax: 'liquid' as const,
        message: '',
      };
      for (let index = 0; index < count; index += 1) {
        const prompt = { id: newId('p'), name: `p${String(index).padStart(2, '0')}`, type: 'text' as const, description: '' };
        await prompts.insert(userId, { ...prompt, latestVersion: index === 0 ? count : 1, ...times });
        const own = index === 0 ? count : 1;
        for (let version = 1; version <= own; version += 1) {
          await versions.insert(userId, { promptId: prompt.id, version, ...texts, createdAt: now, by });
        }
        await labels.put(userId, prompt.id, 'production', 1);
      }
    });
  });

  for (const path of [
    '/api/prompts?include=content&limit=100',
    '/api/prompts?include=content&limit=100&sort=-updatedAt',
    pathOf('p00', '/versions?limit=100'),
  ]) {
    it(`200: ${decodeURIComponent(path)} ends a page before it carries more than 1 MB, and the pages are complete`, async () => {
      const sizes: number[] = [];
      const items = await readAll<PromptBody & VersionBody>(client, path, async (page: ListBody<PromptBody & VersionBody>) => {
        sizes.push(page.data.length);
        assert.ok(Buffer.byteLength(JSON.stringify(page)) < pageBytes + 100_000);
      });
      assert.equal(items.length, count);
      assert.equal(new Set(items.map(({ name, version }) => `${name} ${typeof version === 'number' ? version : ''}`)).size, count);
      assert.ok(items.every((item) => (item.template ?? item.version?.template) === template));
      assert.deepEqual(sizes, [2, 2, 2, 2, 2, 2]);
    });
  }

  it('200: without content, only the limit determines the size of a page', async () => {
    assert.equal((await client.get<ListBody>('/api/prompts?limit=100')).data.length, count);
  });
});

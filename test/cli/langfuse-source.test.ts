import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createLangfuseSource } from '../../src/cli/import/langfuse-source.ts';

describe('A list from Langfuse that never ends', () => {
  async function list(t: TestContext, pageOf: (page: number) => unknown[]): Promise<unknown> {
    const server = createServer((req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://x').searchParams.get('page'));
      const data = pageOf(page).map((prompt) => ({ type: 'text', versions: [1], tags: [], lastUpdatedAt: '', ...(prompt as object) }));
      res.end(JSON.stringify({ data, meta: { totalPages: 1e9 } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return createLangfuseSource({ url, publicKey: 'pk', secretKey: 'sk' }).listPrompts();
  }

  it('ends with an error if it is the same page again and again', async (t) => {
    await assert.rejects(
      list(t, () => [{ name: 'a' }]),
      /keeps listing the same prompts/,
    );
  });

  it('ends with an error if its total size becomes too large', async (t) => {
    const text = 'x'.repeat(8 * 1024 * 1024);
    await assert.rejects(
      list(t, (page) => [{ name: `${page} ${text}` }]),
      /lists too many prompts/,
    );
  });

  it('ends with an error if it has too many versions', async (t) => {
    const versions = Array.from({ length: 100_000 }, (_, index) => index + 1);
    await assert.rejects(
      list(t, (page) => [{ name: String(page), versions }]),
      /lists too many prompts/,
    );
  });
});

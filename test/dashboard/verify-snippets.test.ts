import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { verifySnippets } from '../../dashboard/src/webhooks/verify-snippets.ts';
import { newWebhookSecret, signDelivery } from '../../src/domain/webhooks/signature.ts';
import { withDataDir } from '../support/process.ts';

const secret = newWebhookSecret();
const body = '{"type":"test","timestamp":"2026-11-15T08:30:00.000Z","data":{"by":{"name":"Zoë"}}}';
// During a rotation, a delivery has two signatures. Here, the first one was made with another secret.
const headers = signDelivery([newWebhookSecret(), secret], { id: 'evt_1_2', body, now: new Date() });

describe('the code to verify a signature', () => {
  it('is the same in the dashboard and in the documentation', async () => {
    const text = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
    for (const [language, code] of Object.entries(verifySnippets)) assert.ok(text.includes(`\n${code}\n`), language);
  });

  it('accepts a delivery and rejects a changed one: TypeScript', async () => {
    process.env.WEBHOOK_SECRET = secret;
    await withDataDir(async (folder) => {
      await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'verify.ts'), verifySnippets.typescript);
      // The snippet exports this function.
      const verify = (await import(join(folder, 'verify.ts'))) as { readEvent(body: string, headers: object): { type: string } };
      assert.equal(verify.readEvent(body, headers).type, 'test');
      assert.throws(() => verify.readEvent(`${body} `, headers));
    });
  });

  it('accepts a delivery and rejects a changed one: Python', (t) => {
    if (!isInstalled('python3')) return t.skip('Python is not installed');
    const use = 'import json, sys\nprint(is_signed(json.loads(sys.argv[1]), sys.argv[2].encode()))';
    const check = (text: string) =>
      spawnSync('python3', ['-c', `${verifySnippets.python}\n${use}`, JSON.stringify(headers), text], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PYTHONUTF8: '1' },
      }).stdout.trim();
    assert.deepEqual([check(body), check(`${body} `)], ['True', 'False']);
  });

  it('accepts a delivery and rejects a changed one: openssl', async (t) => {
    if (!isInstalled('openssl')) return t.skip('OpenSSL is not installed');
    await withDataDir(async (folder) => {
      const check = async (text: string) => {
        await writeFile(join(folder, 'body.json'), text);
        const env = {
          PATH: process.env.PATH,
          WEBHOOK_SECRET: secret,
          WEBHOOK_ID: headers['webhook-id'],
          WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
          WEBHOOK_SIGNATURE: headers['webhook-signature'],
        };
        return spawnSync('sh', ['-c', verifySnippets.shell], { encoding: 'utf8', cwd: folder, env }).stdout.trim();
      };
      assert.deepEqual([await check(body), await check(`${body} `)], ['valid', 'invalid']);
    });
  });
});

function isInstalled(command: string): boolean {
  return spawnSync(command, command === 'openssl' ? ['version'] : ['--version']).status === 0;
}

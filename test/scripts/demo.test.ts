import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoPrompts } from '../../scripts/demo/prompts.ts';
import { call } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import type { ListBody } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

const script = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));
const runDemo = (address: string) => promisify(execFile)(process.execPath, [script, address]);

describe('npm run demo', () => {
  let service: Service;
  before(async () => {
    service = await startService({ engine: sqlite });
  });
  after(() => service.close());

  it('fills a running service, prints its address, and adds nothing the second time', async () => {
    const first = await runDemo(service.url);
    assert.match(first.stdout, new RegExp(`\\[${demoPrompts.length}/${demoPrompts.length}\\]`));
    const [, password = ''] = /Password: +(.+)/.exec(first.stdout) ?? [];
    assert.match(first.stdout, new RegExp(`${service.url}/dashboard`));
    const login = await call(service, 'POST', '/api/auth/token', { body: { email: 'demo@example.com', password } });
    const { token: key } = login.body as { token: string };
    const list = async () => (await call(service, 'GET', '/api/prompts?include=content&limit=100', { key })).body as ListBody;
    const before = await list();
    assert.deepEqual(
      before.data.map(({ name, latestVersion, labels, tags }) => ({ name, latestVersion, labels, tags })),
      demoPrompts
        .map(({ name, versions, labels, tags }) => ({ name, latestVersion: versions.length, labels, tags: [...tags].sort() }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    );

    const second = await runDemo(service.url);
    assert.match(second.stdout, /already exist/);
    assert.deepEqual(await list(), before);
  });

  it('every prompt renders with its variables at each of its labels', async () => {
    const { body } = await call(service, 'POST', '/api/auth/token', {
      body: { email: 'demo@example.com', password: 'demo harbor password' },
    });
    const { token: key } = body as { token: string };
    for (const { name, labels, variables } of demoPrompts) {
      for (const label of Object.keys(labels)) {
        const rendered = await call(service, 'POST', `/api/prompts/${encodeURIComponent(name)}/render`, {
          key,
          body: { variables, label },
        });
        assert.equal(rendered.status, 200, `${name} ${label}: ${rendered.text}`);
      }
    }
  });

  it('says what to do when no service responds', async () => {
    await assert.rejects(
      runDemo('http://127.0.0.1:1'),
      ({ code, stderr }: { code: number; stderr: string }) => code === 1 && /npm start/.test(stderr),
    );
  });
});

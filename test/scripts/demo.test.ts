import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createHistory } from '../../scripts/demo/history.ts';
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

  it('the calls of its history by prompt add up to those by route, in every hour and for each status', () => {
    const prompts = demoPrompts.map(({ name, versions }) => ({ id: name, latestVersion: versions.length }));
    const history = createHistory('u_1', prompts, Date.parse('2026-03-04T12:30:00Z'));
    const sums = (counts: { time: string; status: number; calls: number }[]) => {
      const byHour = new Map<string, number>();
      for (const { time, status, calls } of counts) byHour.set(`${time} ${status}`, (byHour.get(`${time} ${status}`) ?? 0) + calls);
      return Object.fromEntries([...byHour].sort());
    };
    const served = history.calls.filter(({ route, status }) => route.includes('{name}') && status !== 404);
    assert.deepEqual(sums(history.prompts), sums(served));
    assert.deepEqual(
      sums(history.renderErrors.map((each) => ({ ...each, status: 422 }))),
      sums(served.filter(({ status }) => status === 422)),
    );
  });

  it('says what to do when no service responds', async () => {
    await assert.rejects(
      runDemo('http://127.0.0.1:1'),
      ({ code, stderr }: { code: number; stderr: string }) => code === 1 && /npm start/.test(stderr),
    );
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ActivityEntry } from '../../../src/contract/workspace-activity.ts';
import { flushActivity, readActivity } from '../../support/activity.ts';
import { newMember } from '../../support/members.ts';
import { type Client, describeOnEveryEngine, newClient, readAll } from '../../support/prompts.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ActivityEntry);

describeOnEveryEngine('GET /api/activity as a file', (service) => {
  async function fill(client: Client, versions: number): Promise<void> {
    await client.create({ name: 'a', template: 'one' });
    await service().ctx.store.changePrompts(client.userId, async ({ history, prompts }) => {
      const prompt = await prompts.find(client.userId, 'a');
      const by = { userId: client.userId, name: 'Test', via: 'api' } as const;
      for (let version = 2; version <= versions; version += 1) {
        const detail = JSON.stringify({ version, message: 'x'.repeat(100) });
        const id = `e_zzzzzzz0_${String(version).padStart(8, '0')}`;
        history.add(client.userId, prompt?.id ?? '', { id, type: 'version_saved', detail, at: new Date().toISOString(), by });
      }
    });
  }

  it('200: as JSON lines: the same entries as the pages, in the same order, even with filters', async () => {
    const client = await newClient(service());
    await fill(client, 1300);
    await client.call('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    await flushActivity(service());
    for (const query of ['', 'type=version_saved', 'type=settings', 'prompt=a&to=2100-01-01']) {
      const pages = await readAll<ActivityEntry>(client, `/api/activity?limit=100&${query}`);
      const byParameter = await client.call('GET', `/api/activity?format=jsonl&${query}`);
      assert.equal(byParameter.headers.get('content-type'), 'application/x-ndjson');
      assert.equal(byParameter.headers.get('content-disposition'), 'attachment; filename="activity.jsonl"');
      assert.deepEqual(parseLines(byParameter.text), pages);
      const byHeader = await client.call('GET', `/api/activity?${query}`, undefined, { headers: { accept: 'application/x-ndjson' } });
      assert.equal(byHeader.text, byParameter.text);
    }
  });

  it('200: as CSV: a header and a row for each entry, in which no name is a formula', async () => {
    const client = await newClient(service());
    await client.create({ name: '=cmd()', template: 'one' });
    await client.save('=cmd()', { template: 'two', message: '"a", b' });
    await client.label('=cmd()', 'production', 2);
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['production'] });
    await flushActivity(service());
    const response = await client.call('GET', '/api/activity', undefined, { headers: { accept: 'text/csv' } });
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    const [header, ...rows] = response.text.trimEnd().split('\r\n');
    assert.equal(header, 'time,kind,type,person,userId,via,prompt,label,from,to,override,detail');
    assert.equal(rows.length, 5);
    const { userId } = client;
    const setting = '"{""gatedLabels"":[]}","{""gatedLabels"":[""production""]}",';
    assert.match(
      rows[0] ?? '',
      new RegExp(`^[^,]+,settings,workspace_changed,Test,${userId},,,,${setting.replaceAll(/[[\]{}]/g, '\\$&')},"`),
    );
    assert.match(rows[1] ?? '', new RegExp(`^[^,]+,labels,label_moved,Test,${userId},api,'=cmd\\(\\),production,1,2,,"`));
    assert.match(rows[2] ?? '', new RegExp(`^[^,]+,prompts,version_saved,Test,${userId},api,'=cmd\\(\\),,,2,,"`));
    const empty = await client.call('GET', '/api/activity?format=csv&to=2020-01-01');
    assert.equal(empty.text, `${header}\r\n`);
  });

  it('HEAD: 200: the headers of the file', async () => {
    const client = await newClient(service());
    const { status, text, headers } = await client.call('HEAD', '/api/activity?format=csv');
    assert.deepEqual([status, text, headers.get('content-type')], [200, '', 'text/csv; charset=utf-8']);
  });

  it('200: JSON for browsers and clients that accept everything', async () => {
    const client = await newClient(service());
    for (const accept of ['text/html,*/*', '*/*', 'application/json, text/csv']) {
      const { body } = await client.call('GET', '/api/activity', undefined, { headers: { accept } });
      assert.deepEqual(body, { data: [], nextCursor: null });
    }
    const parameter = await client.call('GET', '/api/activity?format=json', undefined, { headers: { accept: 'text/csv' } });
    assert.deepEqual(parameter.body, { data: [], nextCursor: null });
  });

  it('ASVS 8.3.1: a file ends when its reader is removed or gets a lower role', async () => {
    const owner = await newClient(service());
    await fill(owner, 20_000);
    for (const end of ['remove', 'demote']) {
      const admin = await newMember(owner, 'admin');
      const response = await fetch(`${service().url}/api/activity?format=jsonl`, {
        headers: { authorization: `Bearer ${admin.token}`, ...inWorkspace(owner).headers },
      });
      const reader = response.body?.getReader() ?? assert.fail('a body');
      const { value = new Uint8Array() } = await reader.read();
      assert.ok(value.length > 0);
      const path = `/api/members/${admin.userId}`;
      const ended = end === 'remove' ? owner.call('DELETE', path) : owner.call('PATCH', path, { role: 'viewer' });
      assert.ok((await ended).status < 300);
      let bytes = value.length;
      await assert.rejects(async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          bytes += value.length;
        }
      }, end);
      assert.ok(bytes < 7_000_000, `${bytes} of about 8 MB`);
    }
    assert.equal((await readActivity(owner, '?limit=1')).data.length, 1);
  });
});

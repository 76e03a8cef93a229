import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Statistics } from '../../../src/contract/statistics.ts';
import { assertRefused, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

describeOnEveryEngine('GET /api/stats: time zones and CSV', (service) => {
  let sequence = 0;

  /** Creates a workspace with calls at some hours. */
  async function prepare(hours: Record<string, number>) {
    const client = await newClient(service());
    sequence += 1;
    const rows = Object.entries(hours).map(([time, calls]) => ({ accountId: client.userId, time, route: 'GET /x', status: 200, calls }));
    await service().ctx.store.statistics.add({
      writer: 'w_zones',
      sequence,
      calls: rows.map((row) => ({ ...row, bucket: 1 })),
      ...{ prompts: [], renderErrors: [], members: [], runs: [], releases: [], keyUses: [], promptKeys: [] },
    });
    return client;
  }

  it('200: days in the time zone, on days with a change of the clocks and in India', async () => {
    const client = await prepare({ '2026-03-28T22': 1, '2026-03-28T23': 2, '2026-03-29T21': 4, '2026-03-29T22': 8 });
    const query = 'from=2026-03-28T00:00:00Z&to=2026-03-30T22:00:00Z&interval=day';
    const daysIn = async (timeZone: string) => {
      const { series, timeZone: used, totals } = await client.get<Statistics>(`/api/stats?${query}&timeZone=${timeZone}`);
      assert.deepEqual([used, totals.calls], [timeZone, 15]);
      return Object.fromEntries(series.filter(({ calls }) => calls > 0).map(({ time, calls }) => [time.slice(0, 16), calls]));
    };
    assert.deepEqual(await daysIn('UTC'), { '2026-03-28T00:00': 3, '2026-03-29T00:00': 12 });
    assert.deepEqual(await daysIn('Europe/Berlin'), { '2026-03-27T23:00': 1, '2026-03-28T23:00': 6, '2026-03-29T22:00': 8 });
    assert.deepEqual(await daysIn('Asia/Kolkata'), { '2026-03-28T19:00': 3, '2026-03-29T19:00': 12 });
    assertRefused(await client.call('GET', '/api/stats?timeZone=Mars'), 400, 'invalid_input', '/timeZone');
    assertRefused(await client.call('GET', '/api/stats?timeZone=%00'), 400, 'invalid_input', '/timeZone');
  });

  it('200: CSV by `format` or by `Accept`, with times in the time zone', async () => {
    const client = await prepare({ '2026-03-28T22': 1, '2026-03-28T23': 2 });
    const range = 'from=2026-03-28T22:00:00Z&to=2026-03-29T00:00:00Z';
    const response = await client.call('GET', `/api/stats?${range}&format=csv&timeZone=Asia/Kolkata`);
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="calls-by-time.csv"');
    assert.equal(response.text, 'time,calls,errors\r\n2026-03-29T03:30+05:30,1,0\r\n2026-03-29T04:30+05:30,2,0\r\n');
    const accepted = await client.call('GET', `/api/stats?${range}&interval=day`, undefined, { headers: { accept: 'text/csv' } });
    assert.equal(accepted.text, 'time,calls,errors\r\n2026-03-28,3,0\r\n');
    const json = await client.call('GET', `/api/stats?${range}&format=json`, undefined, { headers: { accept: 'text/csv' } });
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
    const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    assert.match((await client.call('GET', `/api/stats?${range}`, undefined, browser)).headers.get('content-type') ?? '', /json/);
    assertRefused(await client.call('GET', '/api/stats?format=xlsx'), 400, 'invalid_input', '/format');
    assertRefused(await client.call('GET', '/api/stats?format=csv&by=secret'), 400, 'invalid_input', '/by');
  });

  it('200: names that a spreadsheet would run as formulas are disarmed, and no address is in any table', async () => {
    const client = await newClient(service());
    await service().ctx.store.accounts.rename(client.userId, '=cmd|calc');
    const member = await newMember(service(), client, 'viewer');
    await client.create({ name: '-secret/plan', template: 'Hi' });
    await member.call('GET', '/api/prompts/-secret%2Fplan', undefined, inWorkspace(client));
    await service().ctx.recorder.flush();
    const tables = ['time', 'prompt', 'version', 'member', 'route', 'status'];
    const texts = await Promise.all(
      tables.map(async (by) => (await member.call('GET', `/api/stats?format=csv&by=${by}`, undefined, inWorkspace(client))).text),
    );
    const [, prompts = '', versions = '', members = ''] = texts;
    assert.match(prompts, /^prompt,promptId,calls,errors\r\n'-secret\/plan,p_\w+,1,0\r\n$/);
    assert.match(versions, /'-secret\/plan,p_\w+,1,production,1\r\n$/);
    assert.match(members, new RegExp(`'=cmd\\|calc,${client.userId},person,1,0\r\n`));
    for (const text of texts) assert.ok(!text.includes('@') && text.endsWith('\r\n'), text);
  });

  it('404: the CSV of a workspace of which the caller is not a member', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    const response = await stranger.call('GET', '/api/stats?format=csv', undefined, inWorkspace(owner));
    assertRefused(response, 404, 'workspace_not_found');
  });
});

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import type { Actor } from '../../../src/domain/actor.ts';
import { exportPrompts } from '../../../src/domain/transfer/export.ts';
import { isCampaign } from '../../support/campaign.ts';
import { newMember } from '../../support/members.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf } from '../../support/prompts.ts';
import { retryUntil } from '../../support/retry.ts';
import { exportText, importText, parseExport, postLines, toLines } from '../../support/transfer.ts';

const time = '2026-01-02T03:04:05.678Z';
const by = { name: 'Ada', via: 'api' };
const promptLine = (changes: object = {}) => ({
  kind: 'prompt',
  name: 'a',
  type: 'text',
  description: '',
  tags: [],
  labels: { production: 1 },
  lastVersion: 1,
  lastEvent: 'e_mhz1k3p0_0000',
  createdAt: time,
  updatedAt: time,
  ...changes,
});
const versionLine = (changes: object = {}) => ({
  kind: 'version',
  version: 1,
  syntax: 'liquid',
  template: 'x {{ y }}',
  config: {},
  message: '',
  createdAt: time,
  by,
  ...changes,
});
const eventLine = (changes: object = {}) => ({
  kind: 'event',
  id: 'e_mhz1k3p0_0000',
  type: 'created',
  at: time,
  by,
  detail: { version: 1, message: '' },
  ...changes,
});
const caseLine = (changes: object = {}) => ({
  kind: 'case',
  id: 'c_mhz1k3p0_0000',
  name: 'Case',
  variables: {},
  checks: [],
  createdAt: time,
  updatedAt: time,
  ...changes,
});

/** Lines that no export contains, to be sent after the first line. Each entry lists the fields that the error must mention. */
const invalid: [string, object[], ...string[]][] = [
  ['no prompt first', [versionLine()], '/lines/2'],
  ['an unknown kind', [{ kind: 'webhook' }], '/lines/2/kind'],
  ['a number', [7 as unknown as object], '/lines/2/kind'],
  ['an unknown field', [promptLine({ id: 'p_1' })], '/lines/2/id'],
  ['a number as name', [promptLine({ name: 7 })], '/lines/2/name'],
  ['an endless name', [promptLine({ name: 'a'.repeat(201) })], '/lines/2/name'],
  ['a label without a version', [promptLine({ labels: { production: null } })], '/lines/2/labels/production'],
  ['version 0', [promptLine(), versionLine({ version: 0 })], '/lines/3/version'],
  ['version 2^31', [promptLine(), versionLine({ version: 2 ** 31 })], '/lines/3/version'],
  ['a version after which none could be saved', [promptLine(), versionLine({ version: 2 ** 31 - 1 })], '/lines/3/version'],
  ['no template', [promptLine(), versionLine({ createdAt: undefined })], '/lines/3/createdAt'],
  ['a local time', [promptLine(), versionLine({ createdAt: '2026-01-02' })], '/lines/3/createdAt'],
  ['a user id of an author', [promptLine(), versionLine({ by: { ...by, userId: 'u_1' } })], '/lines/3/by/userId'],
  ['a version twice', [promptLine(), versionLine(), versionLine()], '/lines/4'],
  ['an event twice', [promptLine(), versionLine(), eventLine(), eventLine()], '/lines/5'],
  ['a case twice', [promptLine(), versionLine(), caseLine(), caseLine()], '/lines/5'],
  ['an id of another kind', [promptLine(), versionLine(), eventLine({ id: '../../e' })], '/lines/4/id'],
  ['an unknown event', [promptLine(), versionLine(), eventLine({ type: 'hacked' })], '/lines/4/type'],
  ['a prototype', [JSON.parse('{"kind":"prompt","__proto__":{"a":1}}') as object], '/lines/2'],
];

/** Prompts that cannot be stored, in the format of an export. */
const conflicts: [string, object[], RegExp][] = [
  [
    'a gap in the versions',
    [promptLine({ lastVersion: 3 }), versionLine(), versionLine({ version: 3 }), eventLine()],
    /3 versions.*lines for 2/,
  ],
  ['a version after the last', [promptLine(), versionLine(), versionLine({ version: 2 }), eventLine()], /last version in the export is 1/],
  ['a label of no version', [promptLine({ labels: { production: 1, beta: 9 } }), versionLine(), eventLine()], /"beta" points at version 9/],
  ['the label latest', [promptLine({ labels: { latest: 1 } }), versionLine(), eventLine()], /latest always points/],
  ['a label of a deleted version', deletedLabel(), /"production" points at version 1/],
  ['only deleted versions', [promptLine(), deletedVersion(1), eventLine()], /All versions of the prompt are deleted in the export/],
  ['NUL in a description', [promptLine({ description: 'a\0b' }), versionLine(), eventLine()], /Control characters/],
  ['NUL in a template', [promptLine(), versionLine({ template: '\0' }), eventLine()], /version 1: template: Control characters/],
  ['NUL in the name of an author', [promptLine(), versionLine({ by: { name: '\0' } }), eventLine()], /Control characters/],
  ['NUL in an event', [promptLine(), versionLine(), eventLine({ detail: { version: 1, message: '\0' } })], /Control characters/],
  ['a lone surrogate', [promptLine(), versionLine({ message: '\ud800' }), eventLine()], /Control characters|invalid Unicode/],
  ['a name that is none', [promptLine({ name: 'a//b' }), versionLine(), eventLine()], /slash/],
  ['a name in another form', [promptLine({ name: 'e\u0301' }), versionLine(), eventLine()], /composed characters/],
  ['a template that does not parse', [promptLine(), versionLine({ template: '{{ ' }), eventLine()], /version 1: .*line 1/],
  [
    'messages of a text prompt',
    [promptLine(), versionLine({ template: undefined, messages: [{ role: 'user', content: 'x' }] }), eventLine()],
    /text prompt/,
  ],
  ['no content', [promptLine(), versionLine({ template: undefined }), eventLine()], /template: Required/],
  ['a large config', [promptLine(), versionLine({ config: 'x'.repeat(70_000) }), eventLine()], /64 KiB/],
  ['a day that is none', [promptLine({ createdAt: '2026-02-31T00:00:00.000Z' }), versionLine(), eventLine()], /not a valid time/],
  ['an event that says nothing', [promptLine(), versionLine(), eventLine({ type: 'label_moved', detail: {} })], /detail\/label: Required/],
  [
    'a check that is none',
    [promptLine(), versionLine(), caseLine({ checks: [{ kind: 'matches', value: '(' }] }), eventLine()],
    /regular expression/,
  ],
];

function deletedVersion(version: number): object {
  return { kind: 'version', version, syntax: 'liquid', createdAt: time, by, deletedAt: time };
}

function deletedLabel(): object[] {
  return [promptLine({ lastVersion: 2 }), versionLine({ version: 2 }), deletedVersion(1), eventLine()];
}

describeOnEveryEngine('POST /api/import', (service) => {
  async function assertEmpty(client: Client): Promise<void> {
    assert.deepEqual((await client.get<ListBody>('/api/prompts')).data, []);
  }

  it('names the line and the field that is wrong, and imports nothing of the request', async () => {
    const client = await newClient(service());
    const whole = [promptLine({ name: 'whole' }), versionLine(), eventLine()];
    for (const [title, lines, ...paths] of invalid) {
      const body = assertRefused(
        await postLines(client, toLines(...lines, ...whole)),
        400,
        title === 'a prototype' ? 'invalid_json' : 'invalid_input',
      );
      assert.deepEqual([...new Set(body.details?.map(({ path }) => path))].slice(0, 1), paths, title);
      assert.match(body.error, /^Line \d+: /, title);
    }
    await assertEmpty(client);
  });

  it('leaves out prompts that cannot be stored, says why, and imports the rest', async () => {
    const client = await newClient(service());
    for (const [title, lines, reason] of conflicts) {
      const [result, ...rest] = await importText(client, toLines(...lines));
      assert.equal(rest.length, 0);
      assert.equal(result?.status, 'conflict', `${title}: ${JSON.stringify(result)}`);
      assert.match(result?.reason ?? '', reason, title);
    }
    await assertEmpty(client);
    const good = [promptLine(), versionLine(), caseLine(), eventLine()];
    const bad = [promptLine({ name: 'bad', description: '\0' }), versionLine(), eventLine()];
    const results = await importText(client, toLines(...bad, ...good, ...good));
    assert.deepEqual(
      results.map(({ name, status }) => [name, status]),
      [
        ['bad', 'conflict'],
        ['a', 'created'],
        ['a', 'unchanged'],
      ],
    );
    // The export equals the import, byte for byte.
    assert.equal(await exportText(client), `${toLines(...good)}\n`);
    for (const [title, changed] of [
      ['content', [promptLine(), versionLine({ template: 'other' }), eventLine()]],
      ['config', [promptLine(), versionLine({ config: { a: 1 } }), eventLine()]],
      ['type', [promptLine({ type: 'chat' }), eventLine()]],
      ['history', [promptLine(), versionLine(), eventLine({ at: '2026-01-02T03:04:05.679Z' })]],
      ['a deletion', [promptLine(), deletedVersion(1), eventLine()]],
    ] as const) {
      assert.equal((await importText(client, toLines(...changed)))[0]?.status, 'conflict', title);
    }
    assert.equal(await exportText(client), `${toLines(...good)}\n`);
    assert.equal((await client.render('a', { variables: { y: 1 } })).status, 200);
  });

  it('accepts only lines that start with the first line of an export, up to 16 MiB, 2 MiB per line and 10,000 lines', async () => {
    const client = await newClient(service());
    assertRefused(await postLines(client, '{}', { contentType: 'application/json' }), 415, 'unsupported_media_type');
    assertRefused(await postLines(client, ''), 400, 'invalid_input');
    assertRefused(await postLines(client, '{"format":"promptharbor","version":2}'), 400, 'invalid_input', '/lines/1/version');
    assertRefused(await postLines(client, JSON.stringify(promptLine())), 400, 'invalid_input');
    assertRefused(await postLines(client, `${toLines()}\n\n`), 400, 'invalid_input');
    const cut = assertRefused(await postLines(client, `${toLines()}\n{`), 400, 'invalid_json', '/lines/2');
    assert.equal(cut.error, 'Line 2: The line is not valid JSON');
    assertRefused(await postLines(client, 'x'.repeat(16 * 1024 * 1024 + 1)), 413, 'body_too_large');
    assertRefused(await postLines(client, `${toLines()}\n${'x'.repeat(2.1 * 1024 * 1024)}`), 413, 'body_too_large');
    assertRefused(await postLines(client, `${toLines()}\n${'7\n'.repeat(20_000)}`), 400, 'invalid_input', '/lines/2/kind');
    const many = Array.from({ length: 10_000 }, (_, index) => eventLine({ id: `e_mhz1k3p0_${index}` }));
    const refused = assertRefused(await postLines(client, toLines(promptLine(), versionLine(), ...many)), 400, 'invalid_input');
    assert.equal(refused.error, 'Send at most 10000 lines at a time');
    const other = await fetch(`${client.service.url}/api/prompts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/x-ndjson' },
      body: '{"name":"x","template":"x"}',
    });
    assert.equal(other.status, 415);
    await assertEmpty(client);
  });

  it('imports more than 4 MiB in one request as they arrive, and names the line of a prompt that is larger', async () => {
    const client = await newClient(service());
    const promptOf = (index: number, versions: number) => {
      const name = `p${index}`;
      const lines = Array.from({ length: versions }, (_, at) => versionLine({ version: at + 1, template: `${at} ${'語'.repeat(80_000)}` }));
      return [promptLine({ name, lastVersion: versions }), ...lines, eventLine()];
    };
    const text = toLines(...Array.from({ length: 8 }, (_, index) => promptOf(index, 3)).flat());
    assert.ok(Buffer.byteLength(text) > 5 * 1024 * 1024);
    const results = await importText(client, text);
    assert.deepEqual(
      results.map(({ name, status }) => `${name} ${status}`),
      Array.from({ length: 8 }, (_, index) => `p${index} created`),
    );
    assert.equal(await exportText(client), `${text}\n`);
    const large = toLines(...promptOf(10, 3), ...promptOf(11, 20));
    const refused = assertRefused(await postLines(client, large), 400, 'invalid_input', '/lines/25');
    assert.match(
      refused.error,
      /^Line 25: the lines of a prompt can have at most 4 MiB in a row\. To continue the prompt, repeat its first line/,
    );
  });

  it('ends with the key, even while lines arrive', async () => {
    const client = await newClient(service());
    const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
    const req = request(`${client.service.url}/api/import`, { method: 'POST', headers });
    const status = new Promise<number | undefined>((resolve, reject) => {
      req.on('response', (res) => resolve(res.resume().statusCode)).on('error', reject);
    });
    req.write(`${toLines(promptLine(), versionLine(), eventLine())}\n`);
    const { body } = await client.call('DELETE', '/api/auth/token');
    req.end();
    assert.equal(await status, 401);
    const { token } = body as { token: string };
    const list = await fetch(`${client.service.url}/api/prompts`, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(((await list.json()) as ListBody).data, []);
  });

  it('accepts eight at a time from a workspace, counted before their bodies arrive, and frees slots when clients disconnect', async () => {
    const client = await newClient(service());
    const other = await newClient(service());
    const text = toLines(promptLine(), versionLine(), eventLine());
    const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/x-ndjson', 'content-length': '1000' };
    const stalled = Array.from({ length: 10 }, () => request(`${client.service.url}/api/import`, { method: 'POST', headers }));
    const refusals: (number | undefined)[] = [];
    await new Promise<void>((resolve) => {
      for (const each of stalled) {
        each
          .on('error', () => undefined)
          .on('response', ({ statusCode }) => {
            refusals.push(statusCode);
            if (refusals.length === 2) resolve();
          });
        each.write('{');
      }
    });
    assert.deepEqual(refusals, [429, 429]);
    let response = await postLines(client, text);
    assertRefused(response, 429, 'too_many_streams');
    assert.deepEqual(await importText(other, text), [{ name: 'a', status: 'created' }]);
    for (const each of stalled) each.destroy();
    while (response.status === 429) response = await postLines(client, text);
    assert.equal(response.status, 200);
  });

  it('stores a prompt with many lines or includes in several transactions, and gives it labels with the last', async () => {
    const client = await newClient(service());
    const template = Array.from({ length: 100 }, (_, index) => `{% render 'p${index}' %}`).join('');
    const including = Array.from({ length: 25 }, (_, index) => versionLine({ version: index + 1, template: `${template}${index}` }));
    const deleted = Array.from({ length: 1500 }, (_, index) => deletedVersion(index + 26));
    // The last line is not the newest entry of the history.
    const events = Array.from({ length: 10 }, (_, index) => eventLine({ id: `e_mhz1k3p0_000${9 - index}` }));
    const prompt = promptLine({ lastVersion: 1525, lastEvent: 'e_mhz1k3p0_0009', labels: { production: 25 } });
    const text = toLines(prompt, ...including, ...deleted, ...events);
    const { store } = client.service.ctx;
    let transactions = 0;
    const stopCounting = store.onChange(() => {
      transactions += 1;
    });
    assert.deepEqual(await importText(client, text, '?dryRun=true'), [{ name: 'a', status: 'created' }]);
    assert.deepEqual(await importText(client, text), [{ name: 'a', status: 'created' }]);
    stopCounting();
    assert.ok(transactions >= 7, `${transactions} transactions`);
    assert.deepEqual(await importText(client, text), [{ name: 'a', status: 'unchanged' }]);
    const [imported] = (await client.get<ListBody>('/api/prompts')).data;
    assert.deepEqual([imported?.labels, imported?.latestVersion], [{ production: 25 }, 25]);
    const told = await store.events.list(client.userId, { after: 0, limit: 10 });
    assert.deepEqual(
      told.map(({ type }) => type),
      ['prompt.created', 'prompt.changed', 'label.moved'],
    );
    const parts: string[] = [];
    for await (const part of exportPrompts(client.service.ctx, { workspaceId: client.userId } as Actor, async () => {})) parts.push(part);
    assert.equal(parts.join(''), await exportText(client));
    assert.ok(Math.max(...parts.map(({ length }) => length)) < 600_000);
    const other = promptLine({ lastVersion: 1525, lastEvent: 'e_mhz1k3p0_000a' });
    const [conflict] = await importText(client, toLines(other, versionLine({ template: `${template}9` }), ...deleted));
    assert.match(conflict?.reason ?? '', /Version 1 already exists here with different content/);
  });

  it('requires an admin, and exporting requires a viewer; nobody sees the prompts of others', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'secret', template: 'x' });
    const stranger = await newClient(service());
    assert.equal(parseExport(await exportText(stranger)).length, 1);
    const headers = { 'promptharbor-workspace': owner.userId };
    assertRefused(await stranger.call('GET', '/api/export', undefined, { headers }), 404, 'workspace_not_found');
    const text = toLines(promptLine(), versionLine(), eventLine());
    for (const [role, imported] of [
      ['viewer', 403],
      ['deployer', 403],
      ['admin', 200],
    ] as const) {
      const member = await newMember(owner, role);
      assert.equal((await member.call('GET', '/api/export', undefined, { headers })).status, 200, role);
      const response = await fetch(`${owner.service.url}/api/import`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${member.token}`, 'content-type': 'application/x-ndjson' },
        body: text,
      });
      assert.equal(response.status, imported, role);
    }
    assert.equal((await owner.call('GET', pathOf('a'))).status, 200);
  });
});

describeOnEveryEngine('GET /api/export', (service) => {
  it('ends with the key, and frees its slot when a client disconnects', async () => {
    const client = await newClient(service());
    // The export has more data than the buffers of a connection hold.
    const template = '語'.repeat(256 * 1024);
    for (let version = 1; version <= 25; version += 5) {
      const versions = [0, 1, 2, 3, 4].map((more) => versionLine({ version: version + more, template }));
      await importText(client, toLines(promptLine({ lastVersion: 25 }), ...versions));
    }
    const open = () => fetch(`${client.service.url}/api/export`, { headers: { authorization: `Bearer ${client.token}` } });
    const responses = [await open(), await open(), await open(), await open()];
    assertRefused(await client.call('GET', '/api/export'), 429, 'too_many_streams');
    const [kept, ...left] = responses;
    for (const response of left) await response.body?.cancel();
    let again = await open();
    while (again.status === 429) {
      await again.body?.cancel();
      again = await open();
    }
    assert.equal(again.status, 200);
    const { status } = await client.call('DELETE', '/api/auth/token');
    assert.equal(status, 200);
    await retryUntil('exports that nobody reads end', () => service().ctx.access.size === 0);
    await assert.rejects(kept?.text() ?? Promise.resolve());
    await assert.rejects(again.text());
  });

  it('has each prompt as it was at one moment, while others write', async () => {
    const client = await newClient(service());
    for (const name of ['a', 'b', 'c', 'd']) await client.create({ name, template: '1' });
    let isDone = false;
    const write = async () => {
      for (let version = 2; !isDone && version < 200; version += 1) {
        for (const name of ['a', 'b', 'c', 'd']) await client.save(name, { template: String(version), labels: ['production'] });
      }
    };
    const writing = write();
    try {
      for (let count = 0; count < (isCampaign ? 100 : 5); count += 1) {
        const target = await newClient(service());
        const text = await exportText(client);
        const results = await importText(target, text);
        assert.deepEqual(new Set(results.map(({ status, reason }) => reason ?? status)), new Set(['created']));
        for (const line of parseExport(text)) {
          if (line.kind === 'prompt') assert.deepEqual(line.labels, { production: line.lastVersion });
        }
      }
    } finally {
      isDone = true;
      await writing;
    }
  });

  it('is sent in batches, which all reflect the same moment', async () => {
    const client = await newClient(service());
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const prompt = promptLine({ lastVersion: 700, labels: { production: 700 } });
    const live = range(301, 700).map((version) => versionLine({ version, template: String(version) }));
    await importText(client, toLines(prompt, ...live, ...range(1, 300).map(deletedVersion), eventLine()));
    const remove = async (version: number) => assert.equal((await client.call('DELETE', pathOf('a', `/versions/${version}`))).status, 204);
    const actor = { accountId: client.userId, workspaceId: client.userId, role: 'owner' } as unknown as Actor;
    const readParts = () => exportPrompts(service().ctx, actor, async () => {});

    const parts = await readRest(readParts());
    assert.ok(parts.length > 1 && parts.every((part) => part !== '' && part.length < 200_000), String(parts.map(({ length }) => length)));
    const numbers = parseExport(parts.join('')).flatMap((line) => (line.kind === 'version' ? [line.version] : []));
    assert.deepEqual(numbers, [...range(301, 700), ...range(1, 300)], 'the deleted ones come last');

    const changing = readParts();
    const begun = (await changing.next()).value;
    for (const version of [302, 699]) await remove(version);
    await client.create({ name: 'zzz', template: 'x' });
    assert.equal([begun, ...(await readRest(changing))].join(''), parts.join(''), 'what is changed meanwhile is not in it');
  });
});

async function readRest(parts: AsyncGenerator<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const part of parts) read.push(part);
  return read;
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ApiResponse, call } from '../../support/client.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import { newTeam, type Person, propose } from '../../support/proposals.ts';
import { inWorkspace } from '../../support/workspaces.ts';

const label = pathOf('greet', '/labels/production');
const pin = (name: string, version: number) => `{% render "${name}", label: "@${version}" %}`;

async function send(person: Person, method: string, path: string, body?: unknown): Promise<ApiResponse> {
  const response = await person.api(method, path, body);
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response;
}

describeOnEveryEngine('Roads to a label that requires proposals', (service) => {
  /** Creates a team with two editors, whose version 3 of `greet` includes another prompt. */
  async function newAttack(include: string, rule?: object) {
    const team = await newTeam(service(), rule);
    const [ada, ben] = [await team.join('editor'), await team.join('editor')];
    const goLive = async (version = 3) => {
      const proposal = await propose(ada, { version });
      await ben.review(proposal);
      assert.equal((await ada.apply(proposal)).status, 200);
    };
    const add = async (name: string, ...[first, ...more]: string[]) => {
      await team.client.create({ name, template: first, labels: [] });
      for (const template of more) await team.client.save(name, { template });
    };
    const save = () => team.client.save('greet', { template: include });
    const render = async () => ((await team.client.render('greet', {})).body as { text?: string }).text;
    return { ...team, ada, ben, goLive, add, save, render };
  }

  it('an approved version that is deleted before it is applied', async () => {
    const { ada, ben, live } = await newAttack('');
    await send(ada, 'POST', pathOf('greet', '/versions'), { template: 'three' });
    const proposal = await propose(ada);
    assert.equal((await ben.review(proposal)).status, 201);
    await send(ada, 'DELETE', pathOf('greet', '/versions/2'));
    assertRefused(await ada.apply(proposal), 404, 'version_not_found');
    assert.equal(await live(), 1);
  });

  it('a prompt in the bin that includes another one, which is changed before it is restored', async () => {
    const { ada, add, save, goLive, render } = await newAttack(pin('mid', 1));
    await add('tone', 'kind', 'kinder');
    await add('evil', 'evil', 'more evil');
    await add('mid', pin('tone', 2));
    await save();
    await goLive();
    assert.equal(await render(), 'kinder');
    await send(ada, 'DELETE', pathOf('mid'));
    await send(ada, 'DELETE', pathOf('tone'));
    assertRefused(await ada.api('PATCH', pathOf('evil'), { name: 'tone' }), 403, 'forbidden');
    await send(ada, 'POST', '/api/prompts', { name: 'tone', template: 'evil', labels: [] });
    assertRefused(await ada.api('POST', pathOf('tone', '/versions'), { template: 'more evil' }), 403, 'forbidden');
    await send(ada, 'POST', pathOf('mid', '/restore'));
    assert.notEqual(await render(), 'more evil');
  });

  it('a batch that moves the label back and saves what the version includes', async () => {
    for (const isFirst of [true, false]) {
      const { client, ada, add, save, goLive, render } = await newAttack(pin('tone', 2));
      await add('tone', 'kind');
      await save();
      await goLive();
      await goLive(2);
      const back = { name: 'greet', template: pin('tone', 2), labels: ['production'] };
      const evil = { name: 'tone', template: 'evil' };
      const batch = { items: isFirst ? [evil, back] : [back, evil], skipUnchanged: true };
      assertRefused(await ada.api('POST', '/api/prompts/batch', batch), 409, 'approval_required');
      assert.equal(await render(), 'two');
      assert.equal((await client.call('GET', pathOf('tone', '/versions/2'))).status, 404);
    }
  });

  it('many includes, where the rule of another label is weaker', async () => {
    const { client, owner, join, ada, add, save, goLive, render } = await newAttack(pin('tone', 2));
    const admin = await join('admin');
    await add('tone', 'kind');
    await save();
    await goLive();
    const labelRules = { canary: { approvals: 1 }, production: { approvals: 1, override: 'nobody' } };
    assert.equal((await owner.page('PATCH', '/api/workspace', { labelRules })).status, 200);
    for (let start = 0; start < 125; start += 25) {
      const items = Array.from({ length: 25 }, (_, index) => ({ name: `many/${start + index}`, template: pin('tone', 2), labels: [] }));
      await send(ada, 'POST', '/api/prompts/batch', { items });
    }
    const names = Array.from({ length: 125 }, (_, index) => `many/${index}`);
    for (const name of names) await client.call('PUT', pathOf(name, '/labels/canary'), { version: 1, override: 'Filler' });
    assertRefused(await admin.api('POST', pathOf('tone', '/versions'), { template: 'evil' }), 403, 'forbidden');
    assert.notEqual(await render(), 'evil');
  });

  it('an import that completes an included prompt with a version that claims to be old', async () => {
    const { client, join, ada, save, goLive, live } = await newAttack(pin('tone', 2), { approvals: 1, override: 'nobody' });
    const admin = await join('admin');
    const lines = await exportPair(service(), ['kind', 'evil']);
    const bring = async (given: Line[]) => {
      const headers = { ...inWorkspace(client).headers, 'content-type': 'application/x-ndjson' };
      const text = given.map((line) => `${JSON.stringify(line)}\n`).join('');
      const { body, status } = await call(service(), 'POST', '/api/import', { key: admin.client.token, text, headers });
      assert.equal(status, 200);
      return (body as { data: { status: string }[] }).data[0]?.status;
    };
    const last = lines.findLast(({ kind }) => kind === 'event');
    assert.equal(await bring(lines.filter((line) => line !== last && line.version !== 2)), 'created');
    await save();
    await goLive();
    await goLive(2);
    const old = lines.map((line) =>
      line.version === 2 && line.kind === 'version' ? { ...line, createdAt: '2020-01-01T00:00:00.000Z' } : line,
    );
    assert.equal(await bring(old), 'completed');
    assertRefused(await ada.api('PUT', label, { version: 3 }), 409, 'approval_required');
    assert.equal(await live(), 2);
  });

  it('the moves of a label with a similar name', async () => {
    const { client, ada, ben, owner } = await newAttack('');
    const labelRules = { prod_eu: { approvals: 1 } };
    assert.equal((await owner.page('PATCH', '/api/workspace', { labelRules })).status, 200);
    const { id: promptId } = ((await client.call('GET', '/api/prompts')).body as { data: { id: string }[] }).data[0] ?? { id: '' };
    for (const version of [1, 2]) {
      const proposal = await propose(ada, { label: 'prod_eu', version });
      await ben.review(proposal);
      assert.equal((await ada.apply(proposal)).status, 200);
    }
    await service().ctx.store.changePrompts(client.userId, async ({ history }) => {
      const by = { userId: ada.userId, name: 'Ada', via: 'api' } as const;
      for (let index = 0; index < 2500; index += 1) {
        const id = `e_zzzzzzz${String(index).padStart(6, '0')}`;
        const detail = JSON.stringify({ label: 'prod-eu', from: null, to: 1 });
        history.add(client.userId, promptId, { id, type: 'label_moved', detail, by, at: new Date().toISOString() });
      }
    });
    await send(ada, 'PUT', pathOf('greet', '/labels/prod_eu'), { version: 1 });
  });
});

interface Line {
  kind?: string;
  version?: number;
}

/** Returns the export of a prompt `tone` with two versions, line by line. */
async function exportPair(service: Parameters<typeof newClient>[0], [first, second]: [string, string]): Promise<Line[]> {
  const other: Client = await newClient(service);
  await other.create({ name: 'tone', template: first, labels: [] });
  await other.save('tone', { template: second });
  const { text } = await other.call('GET', '/api/export');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

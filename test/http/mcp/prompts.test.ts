import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toKeyActor } from '../../../src/domain/actor.ts';
import { newId } from '../../../src/domain/ids.ts';
import { listCatalog } from '../../../src/domain/prompts/catalog.ts';
import { connectMcp, eras, protocolErrorOf } from '../../support/mcp.ts';
import { explain } from '../../support/plans.ts';
import { type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

describeOnEveryEngine('MCP prompts', (service) => {
  for (const era of eras) {
    it(`lists the prompts labeled production, with a description of their arguments (${era})`, async (t) => {
      const owner = await newClient(service());
      await owner.create({
        name: 'support/triage',
        description: 'Sorts requests',
        template: '{{ request }} {{ customer.name }}{% for item in items %}{{ item }}{% endfor %}{% if tone %}{{ tone }}{% endif %}',
        config: { variables: { tone: { description: 'How it sounds', enum: ['warm', 'dry'] } } },
      });
      await owner.create({ name: 'draft', template: 'x', labels: ['staging'] });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      assert.equal(mcp.getProtocolEra(), era);
      assert.deepEqual((await mcp.listPrompts()).prompts, [
        {
          name: 'support/triage',
          title: 'support/triage',
          description: 'Sorts requests',
          arguments: [
            { name: 'request', required: true },
            { name: 'customer', description: 'JSON text: an object with name', required: true },
            { name: 'items', description: 'JSON text: a list', required: true },
            { name: 'tone', description: 'How it sounds', required: false },
          ],
        },
      ]);
      const staging = await connectMcp(t, service(), { era, key: owner.token, label: 'staging' });
      assert.deepEqual(
        (await staging.listPrompts()).prompts.map(({ name }) => name),
        ['draft'],
      );
    });

    it(`renders as the REST API does, with lists and objects as JSON text (${era})`, async (t) => {
      const owner = await newClient(service());
      const template = '{{ customer.name }}: {% for item in items %}{{ item }};{% endfor %} {{ note }} Grüße 👋';
      await owner.create({ name: 'größe/order', description: 'About an order', template });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const given = { customer: '{"name":"Ada"}', items: '["rope","sail"]', note: '[1]' };
      const expected = 'Ada: rope;sail; [1] Grüße 👋';
      // The first request loads the prompt, and the second finds it loaded.
      for (let count = 0; count < 2; count += 1) {
        const { description, messages } = await mcp.getPrompt({ name: 'größe/order', arguments: given });
        assert.equal(description, 'About an order');
        assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: expected } }]);
      }
      const rendered = await owner.render('größe/order', {
        variables: { customer: { name: 'Ada' }, items: ['rope', 'sail'], note: '[1]' },
      });
      assert.equal((rendered.body as { text: string }).text, expected);
    });

    it(`names all missing and malformed arguments in one error (${era})`, async (t) => {
      const owner = await newClient(service());
      const template = '{{ a }}{{ b }}{% for item in list %}{{ item }}{% endfor %}{{ thing.field }}';
      await owner.create({ name: 'needy', template });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const error = await protocolErrorOf(mcp.getPrompt({ name: 'needy', arguments: { list: '{"not":"a list"}', thing: 'no json' } }));
      assert.equal(error.code, -32602);
      assert.match(error.message, /Arguments are missing: a, b\n/);
      assert.match(error.message, /\/arguments\/list: Must be JSON text: a list\n/);
      assert.match(error.message, /\/arguments\/thing: Must be JSON text: an object with field/);
      const unknown = await protocolErrorOf(mcp.getPrompt({ name: 'nothing' }));
      assert.deepEqual([unknown.code, unknown.message], [-32602, 'There is no prompt with this name']);
    });

    it(`assigns every message to the user or the assistant, and accepts messages for a placeholder (${era})`, async (t) => {
      const owner = await newClient(service());
      await owner.create({
        name: 'chat',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { placeholder: 'history' },
          { role: 'assistant', content: 'Yes?' },
          { role: 'tool', content: '{{ result }}' },
        ],
      });
      const mcp = await connectMcp(t, service(), { era, key: owner.token });
      const [listed] = (await mcp.listPrompts()).prompts;
      assert.deepEqual(listed?.arguments, [
        { name: 'result', required: true },
        { name: 'history', description: 'JSON text: a list of objects with role, content', required: false },
      ]);
      const history = JSON.stringify([{ role: 'user', content: 'Hi' }]);
      const textsOf = async (given: Record<string, string>) =>
        (await mcp.getPrompt({ name: 'chat', arguments: given })).messages.map(({ role, content }) => [
          role,
          content.type === 'text' ? content.text : content.type,
        ]);
      const rest = [
        ['assistant', 'Yes?'],
        ['user', '42'],
      ];
      assert.deepEqual(await textsOf({ result: '42', history }), [['user', 'Be brief.'], ['user', 'Hi'], ...rest]);
      assert.deepEqual(await textsOf({ result: '42', history: '' }), [['user', 'Be brief.'], ...rest]);
      const error = await protocolErrorOf(textsOf({ result: '42', history: '[{"role":"king"}]' }));
      assert.match(error.message, /\/variables\/history\/0: Must have a role/);
    });
  }

  it('lists 100 prompts with few queries by an index, and further ones on the next page', async (t) => {
    const owner = await newClient(service());
    const names = Array.from({ length: 203 }, (_, index) => `many/${String(index).padStart(3, '0')}`);
    await insertPrompts(owner, names);
    const { ctx } = service();
    const actor = toKeyActor((await ctx.store.keys.findAccount(owner.token)) ?? assert.fail(), owner.token);
    const plans = await explain(service(), async () => {
      assert.equal((await listCatalog(ctx, actor, {})).data.length, 100);
    });
    assert.ok(plans.length <= 7, 'prompts, their tags, labels and deleted versions, and their versions');
    for (const { sql, scans } of plans) assert.deepEqual(scans, [], sql);

    const mcp = await connectMcp(t, service(), { key: owner.token });
    const listed = (await mcp.listPrompts()).prompts.map(({ name }) => name);
    assert.deepEqual(listed, names);
    const error = await protocolErrorOf(mcp.request({ method: 'prompts/list', params: { cursor: 'bm90IG91cnM' } }));
    assert.match(error.message, /Not a cursor of this list/);
  });

  it('lists prompts whose config is large', async (t) => {
    const owner = await newClient(service());
    for (const name of ['a', 'c', 'e']) await owner.create({ name, template: '{{ x }}' });
    for (const name of ['b', 'd']) await owner.create({ name, template: '{{ y }}', config: { padding: 'x'.repeat(30_000) } });
    const mcp = await connectMcp(t, service(), { key: owner.token });
    const { prompts } = await mcp.listPrompts();
    assert.deepEqual(
      prompts.map(({ name, arguments: given }) => [name, given?.[0]?.name]),
      [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'x'],
        ['d', 'y'],
        ['e', 'x'],
      ],
    );
  });

  it('lists the arguments of included prompts', async (t) => {
    const owner = await newClient(service());
    await owner.create({ name: 'shared/tone', template: 'In a {{ tone }} tone.' });
    await owner.create({ name: 'letter', template: "Dear {{ customer }}. {% render 'shared/tone' %}" });
    const mcp = await connectMcp(t, service(), { key: owner.token });
    const letter = (await mcp.listPrompts()).prompts.find(({ name }) => name === 'letter');
    assert.deepEqual(
      letter?.arguments?.map(({ name, required }) => [name, required]),
      [
        ['customer', true],
        ['tone', true],
      ],
    );
  });

  it('8.2.2: shows nothing of another workspace, except to its members', async (t) => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    await owner.create({ name: 'secret', template: 'hidden' });
    const mcp = await connectMcp(t, service(), { key: stranger.token });
    assert.deepEqual((await mcp.listPrompts()).prompts, []);
    assert.equal((await protocolErrorOf(mcp.getPrompt({ name: 'secret' }))).message, 'There is no prompt with this name');
    await assert.rejects(connectMcp(t, service(), { key: stranger.token, ...inWorkspace(owner) }), /workspace_not_found/);

    const viewer = await newMember(service(), owner, 'viewer');
    const inside = await connectMcp(t, service(), { key: viewer.token, ...inWorkspace(owner) });
    assert.deepEqual(
      (await inside.listPrompts()).prompts.map(({ name }) => name),
      ['secret'],
    );
  });

  it('counts calls as "MCP prompts/get", and by prompt and version, with the status of their results', async (t) => {
    const owner = await newClient(service());
    const { id } = await owner.create({ name: 'counted', template: 'Hello {{ name }}' });
    const mcp = await connectMcp(t, service(), { key: owner.token });
    for (const name of ['Ada', 'Bob', 'Cyd']) await mcp.getPrompt({ name: 'counted', arguments: { name } });
    await protocolErrorOf(mcp.getPrompt({ name: 'counted' }));
    await protocolErrorOf(mcp.getPrompt({ name: 'unknown' }));
    await service().ctx.recorder.flush();
    const stats = await owner.get<Statistics>('/api/stats');
    const gets = stats.byRoute.find(({ route }) => route === 'MCP prompts/get');
    assert.equal(gets?.calls, 5);
    assert.deepEqual(
      stats.byPrompt.map(({ promptId, calls }) => [promptId, calls]),
      [[id, 4]],
    );
    assert.deepEqual(
      stats.byStatus.filter(({ status }) => status >= 400),
      [
        { status: 404, calls: 1 },
        { status: 422, calls: 1 },
      ],
    );
  });
});

/** Inserts all prompts in one transaction, because there are many. */
async function insertPrompts({ service, userId }: Client, names: string[]): Promise<void> {
  const times = { createdAt: new Date(0).toISOString(), updatedAt: new Date(0).toISOString() };
  await service.ctx.store.changePrompts(userId, async ({ prompts, versions, labels }) => {
    for (const name of names) {
      const id = newId('p');
      await prompts.insert(userId, { id, name, type: 'text', description: '', latestVersion: 1, ...times });
      const texts = { syntax: 'liquid', content: '"Hello"', config: '{}', variables: '[]', partials: '[]', message: '' } as const;
      await versions.insert(userId, { promptId: id, version: 1, ...texts, createdAt: times.createdAt, by: { userId, name: 'Test' } });
      await labels.put(userId, id, 'production', 1);
    }
  });
}

interface Statistics {
  byRoute: { route: string; calls: number }[];
  byPrompt: { promptId: string; calls: number }[];
  byStatus: { status: number; calls: number }[];
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { engines, sqlite } from '../support/engines.ts';
import { hostileCases } from '../support/hostile/cases.ts';
import { createAttacker } from '../support/hostile/hostile-case.ts';
import { hostileTemplates } from '../support/hostile/templates.ts';
import { type Client, describeOnEveryEngine, type ErrorBody, newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

// One engine is enough, because templates do not touch the database.
describe('Hostile templates', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ engine: sqlite });
    client = await newClient(service, undefined, { retries: 0 });
  });
  after(() => service.close());

  it('ASVS 15.2.2: each ends in 400, 422 or a harmless text, while other requests are served', async () => {
    for (const [name, { template, variables = {}, harmless, endless }] of Object.entries(hostileTemplates)) {
      let isRendered = false;
      const rendering = client.call('POST', '/api/render', { template, variables }).finally(() => {
        isRendered = true;
      });
      const verified = await client.call('GET', '/api/auth/token');
      assert.equal(verified.status, 200, name);
      if (endless) assert.equal(isRendered, false, `${name}: another request gets its response first`);
      const { status, body, text } = await rendering;
      assert.ok([200, 400, 422].includes(status), `${name}: ${status} ${text.slice(0, 200)}`);
      assert.ok(text.length < 5_000_000, name);
      assert.doesNotMatch(
        text,
        /root:|node_modules|node:internal|src\/domain|at Object\.|native code|ENOENT|call stack|string length|alloc/,
        name,
      );
      if (status !== 200) {
        assert.ok((body as ErrorBody).error.length < 2_500, name);
        assert.equal(harmless, undefined, `${name} should render: ${text.slice(0, 200)}`);
      } else if (harmless !== undefined) {
        const rendered = (body as { text: string }).text;
        if (typeof harmless === 'string') assert.equal(rendered, harmless, name);
        else assert.match(rendered, harmless, name);
      }
    }
    assert.equal('polluted' in {}, false);
  });

  it('200: a valid template is rendered as usual afterwards', async () => {
    const { status, body } = await client.call('POST', '/api/render', { template: 'Hello {{ name }}', variables: { name: 'Ada' } });
    assert.deepEqual([status, (body as { text: string }).text], [200, 'Hello Ada']);
  });

  it('many at once: each gets a response, and so do all other requests', async () => {
    const { template } = hostileTemplates['nested loops'] ?? { template: '' };
    const attack = Array.from({ length: 12 }, () => client.call('POST', '/api/render', { template }));
    let responses = 0;
    for (const response of attack) response.then(() => (responses += 1));
    const victim = await newClient(service, undefined, { retries: 0 });
    await victim.get('/api/prompts');
    assert.ok(responses < attack.length, 'the list came before the last of them ended');
    // On a busy machine, the last requests wait longer than the queue allows.
    for (const { status, text } of await Promise.all(attack)) assert.ok(status === 422 || status === 429, text);
    await victim.create({ name: 'a', template: '{{ x }}' });
  });
});

for (const [family, cases] of Object.entries(hostileCases)) {
  if (family === 'templates') continue;
  const define = (service: () => Service) => {
    for (const [name, { prepare, attack }] of Object.entries(cases)) {
      it(`ASVS 15.2.2: ${name}: no error but 503 and 429, and none for others`, async () => {
        const attacker = createAttacker(service().url, await newClient(service()));
        const victim = await newClient(service(), undefined, { retries: 0 });
        await victim.create({ name: 'a', template: 'Hello {{ name }}' });
        await prepare?.(attacker);
        let isOver = false;
        const attacking = attack(attacker).finally(() => {
          isOver = true;
        });
        do {
          assert.equal((await victim.call('GET', '/api/auth/token')).status, 200);
          await victim.save('a', { template: 'Hello {{ name }}!' });
          assert.equal((await victim.render('a', { variables: { name: 'Ada' } })).status, 200);
          // The victim sends at the pace of a busy application. Without a pause, the victim would use more of the service than the attack
          // does.
          await Promise.race([attacking, delay(30)]);
        } while (!isOver);
        for (const { status, text } of await attacking) assert.ok(status < 500 || status === 503, `${status} ${text.slice(0, 300)}`);
      });
    }
  };
  const on = family === 'requests' ? [sqlite] : engines;
  describeOnEveryEngine(`Hostile ${family}`, define, { env: { OUTBOUND_ALLOW: '127.0.0.1' }, on });
}

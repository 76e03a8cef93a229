import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '../../../src/contract/webhooks.ts';
import { assertRefused, describeOnEveryEngine, type ListBody, newClient, readAll } from '../../support/prompts.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const url = 'https://198.51.101.7/hooks?token=of-the-receiver';

describeOnEveryEngine('/api/webhooks', (service) => {
  it('creates, lists, changes and deletes; the secret is shown once', async () => {
    const client = await newClient(service());
    const created = await client.call('POST', '/api/webhooks', { url, events: ['label.moved'], description: 'Checkout' });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers.get('cache-control'), 'no-store');
    const { secret, ...webhook } = created.body as WebhookWithSecret;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, createdAt, updatedAt, ...fields } = webhook;
    assert.deepEqual(fields, {
      url,
      events: ['label.moved'],
      description: 'Checkout',
      format: 'json',
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      previousSecretUntil: null,
    });
    assert.match(id, /^w_/);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(await client.get(`/api/webhooks/${id}`), webhook);

    const other = (await client.call('POST', '/api/webhooks', { url, enabled: false })).body as WebhookWithSecret;
    assert.deepEqual([other.events, other.enabled, other.description], ['all', false, '']);
    const listed = await readAll<Webhook>(client, '/api/webhooks?limit=1');
    assert.deepEqual(
      listed.map((each) => each.id),
      [id, other.id],
    );

    const changed = await client.call('PATCH', `/api/webhooks/${id}`, { url: 'https://198.51.101.8/', events: 'all', enabled: false });
    const after = changed.body as Webhook;
    assert.deepEqual([after.url, after.events, after.enabled, after.description], ['https://198.51.101.8/', 'all', false, 'Checkout']);
    assert.ok(after.disabledAt);
    assert.equal(after.disabledReason, null);
    const enabled = (await client.call('PATCH', `/api/webhooks/${id}`, { enabled: true })).body as Webhook;
    assert.deepEqual([enabled.enabled, enabled.disabledAt], [true, null]);

    const rotated = await client.call('POST', `/api/webhooks/${id}/rotate-secret`);
    assert.equal(rotated.headers.get('cache-control'), 'no-store');
    const { secret: next, previousSecretUntil } = rotated.body as WebhookWithSecret;
    assert.notEqual(next, secret);
    assert.ok(Math.abs(Date.parse(previousSecretUntil ?? '') - Date.now() - 24 * 3600 * 1000) < 60_000);

    const texts = [
      (await client.call('GET', '/api/webhooks')).text,
      (await client.call('GET', `/api/webhooks/${id}`)).text,
      service().logs(),
    ];
    for (const text of texts) for (const hidden of [secret, next, secret.slice(6, 30)]) assert.ok(!text.includes(hidden));
    assert.ok(!service().logs().includes('of-the-receiver'), 'the URL may contain a token');

    assert.equal((await client.call('DELETE', `/api/webhooks/${id}`)).status, 204);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['POST', '/deliveries/evt_x_1/replay'],
    ] as const) {
      assertRefused(await client.call(method, `/api/webhooks/${id}${path}`), 404, 'webhook_not_found');
    }
    await service().ctx.recorder.flush();
    const { data } = await client.get<ListBody<{ type: string; detail: object | null }>>('/api/account/activity');
    assert.deepEqual(
      data
        .filter(({ type }) => type.startsWith('webhook_'))
        .map(({ type }) => type)
        .sort(),
      ['webhook_changed', 'webhook_changed', 'webhook_created', 'webhook_created', 'webhook_deleted', 'webhook_secret_rotated'],
    );
  });

  it('refuses addresses that are not public, with a sentence that says what to do', async () => {
    const client = await newClient(service());
    const hosts = [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
      '2130706433',
      '10.0.0.1',
      '169.254.169.254',
      'localhost',
      'localhost.',
    ];
    for (const host of hosts) {
      const response = await client.call('POST', '/api/webhooks', { url: `http://${host}/` });
      const { details = [] } = assertRefused(response, 400, 'invalid_input', '/url');
      assert.match(details[0]?.message ?? '', /is not a public address\. To let the service connect to it, set OUTBOUND_ALLOW=/, host);
      if (host.startsWith('localhost')) assert.doesNotMatch(response.text, /127\.0\.0\.1|::1/, 'an address tells about the network');
    }
    assert.match(service().logs(), /"code":"outbound_blocked"/);
    for (const wrong of [
      'ftp://example.com',
      'https://user:pass@example.com/',
      'example.com',
      '/hooks',
      '',
      'javascript:1',
      'x'.repeat(2001),
    ]) {
      assertRefused(await client.call('POST', '/api/webhooks', { url: wrong }), 400, 'invalid_input', '/url');
    }
    const { id } = (await client.call('POST', '/api/webhooks', { url })).body as Webhook;
    assertRefused(await client.call('PATCH', `/api/webhooks/${id}`, { url: 'http://127.0.0.1/' }), 400, 'invalid_input', '/url');
    assert.equal((await client.get<Webhook>(`/api/webhooks/${id}`)).url, url);
  });

  it('a name that now resolves to a private address is refused at every attempt', async () => {
    const client = await newClient(service());
    const { id } = (await client.call('POST', '/api/webhooks', { url })).body as Webhook;
    const { store } = service().ctx;
    await store.changeWorkspace(client.userId, ({ webhooks }) =>
      webhooks.update(client.userId, id, { url: 'http://localhost:1/', updatedAt: new Date().toISOString() }),
    );
    const { state, attempts } = (await client.call('POST', `/api/webhooks/${id}/test`)).body as WebhookDelivery;
    assert.equal(state, 'failed');
    assert.match(attempts[0]?.error ?? '', /OUTBOUND_ALLOW=localhost/);
  });

  it('refuses invalid webhooks', async () => {
    const client = await newClient(service());
    const bodies: [unknown, ...string[]][] = [
      [{}, ''],
      [{ url: 1 }, '/url'],
      [{ url, description: 'x'.repeat(2001) }, '/description'],
      [{ url, description: 'NUL \0' }, '/description'],
      [{ url, enabled: 'yes' }, '/enabled'],
      [{ url, secret: 'whsec_mine' }],
    ];
    for (const [body] of bodies) assertRefused(await client.call('POST', '/api/webhooks', body), 400, 'invalid_input');
    for (const events of [[], ['nothing'], ['test'], ['label.moved', 'label.moved'], 'some', null]) {
      assertRefused(await client.call('POST', '/api/webhooks', { url, events }), 400, 'invalid_input');
    }
    const { id } = (await client.call('POST', '/api/webhooks', { url })).body as Webhook;
    assertRefused(await client.call('PATCH', `/api/webhooks/${id}`, {}), 400, 'invalid_input');
    assertRefused(await client.call('GET', `/api/webhooks/${id}/deliveries?cursor=x`), 400, 'invalid_input', '/cursor');
    for (const unknown of ['w_unknown', '%00', 'x'.repeat(500)]) {
      assertRefused(await client.call('GET', `/api/webhooks/${unknown}`), 404, 'webhook_not_found');
    }
    for (const unknown of ['evt_x_1', '%00', '1', `evt_${client.userId.slice(2)}_99999999999999999`, `evt_${client.userId.slice(2)}_1`]) {
      assertRefused(await client.call('POST', `/api/webhooks/${id}/deliveries/${unknown}/replay`), 404, 'delivery_not_found');
    }
  });

  it('belongs to one workspace, and is for its admins', async () => {
    const [owner, stranger] = [await newClient(service()), await newClient(service())];
    const { id } = (await owner.call('POST', '/api/webhooks', { url })).body as Webhook;
    assertRefused(await stranger.call('GET', `/api/webhooks/${id}`), 404, 'webhook_not_found');
    assertRefused(await stranger.call('DELETE', `/api/webhooks/${id}`), 404, 'webhook_not_found');
    assert.deepEqual((await stranger.get<ListBody<Webhook>>('/api/webhooks')).data, []);
    const [admin, deployer] = [await newMember(service(), owner, 'admin'), await newMember(service(), owner, 'deployer')];
    assert.equal((await admin.call('GET', `/api/webhooks/${id}`, undefined, inWorkspace(owner))).status, 200);
    assertRefused(await deployer.call('GET', '/api/webhooks', undefined, inWorkspace(owner)), 403, 'forbidden');
  });

  it('a workspace has at most 20, even if they are created at once', async () => {
    const client = await newClient(service());
    const responses = await Promise.all(Array.from({ length: 23 }, () => client.call('POST', '/api/webhooks', { url })));
    assert.deepEqual(
      [201, 403].map((status) => responses.filter((response) => response.status === status).length),
      [20, 3],
    );
    const refused = responses.find(({ status }) => status === 403);
    assert.match(refused?.text ?? '', /QUOTA_WEBHOOKS/);
  });
});

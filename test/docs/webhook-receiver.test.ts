import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signDelivery } from '../../src/domain/webhooks/signature.ts';

it('docs/examples/webhook-receiver.js accepts each signed delivery once, and nothing else', async () => {
  const [secret, next] = [newWebhookSecret(), newWebhookSecret()];
  const path = new URL('../../docs/examples/webhook-receiver.js', import.meta.url).pathname;
  const receiver = spawn(process.execPath, [path], { env: { WEBHOOK_SECRET: secret, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
    const port = /port (\d+)/.exec((await lines.next()).value ?? '')?.[1];
    const body = '{"type":"label.moved","timestamp":"2026-11-15T08:30:00.000Z","data":{"prompt":{"id":"p_1","name":"grüße"}}}';
    const send = async (headers: Record<string, string>, text = body) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status;

    const signed = signDelivery([secret], { id: 'evt_1', body, now: new Date() });
    assert.equal(await send(signed), 204);
    assert.equal((await lines.next()).value, '2026-11-15T08:30:00.000Z label.moved grüße');
    assert.equal(await send(signed), 204, 'the same once more');
    assert.equal(await send(signDelivery([next, secret], { id: 'evt_2', body, now: new Date() })), 204, 'during a rotation');
    assert.match((await lines.next()).value ?? '', /label\.moved/);

    const wrong: [Record<string, string>, string?][] = [
      [{}],
      [signed, `${body} `],
      [{ ...signed, 'webhook-id': 'evt_3' }],
      [signDelivery([next], { id: 'evt_3', body, now: new Date() })],
      [signDelivery([secret], { id: 'evt_3', body, now: new Date(Date.now() - 10 * 60_000) })],
      [{ ...signed, 'webhook-timestamp': 'now' }],
    ];
    for (const [headers, text] of wrong) assert.equal(await send(headers, text), 401, JSON.stringify(headers));
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
});

it('signatures are the same as from the official library', () => {
  const secret = newWebhookSecret();
  const now = new Date('2026-11-15T08:30:00.000Z');
  const signed = signDelivery([secret], { id: 'evt_1', body: '{"ü":1}', now });
  assert.equal(signed['webhook-signature'], new Webhook(secret).sign('evt_1', now, '{"ü":1}'));
});

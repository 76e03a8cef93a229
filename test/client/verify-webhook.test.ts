import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { PromptHarbor, PromptHarborError, verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"type":"label.moved","timestamp":"2026-11-15T08:30:00.000Z","data":{"workspaceId":"u_1","label":"é"}}';

function sign(signingSecret = secret, at = new Date()): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signingSecret).sign('evt_1', at, body),
  };
}

describe('verifyWebhook', () => {
  it('accepts requests that Standard Webhooks signed: text or bytes, any kind of headers, two signatures', async () => {
    const headers = sign();
    const both = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` };
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [headers, both, upper, new Headers(headers)]) {
      assert.equal((await verifyWebhook(body, given, secret)).type, 'label.moved');
    }
    const payload = await new PromptHarbor().verifyWebhook(Buffer.from(body), headers, secret);
    assert.deepEqual(payload, JSON.parse(body));
  });

  it('refuses another secret, another body, another id, an old or missing signature', async () => {
    const headers = sign();
    const old = new Date(Date.now() - 6 * 60_000);
    const future = new Date(Date.now() + 6 * 60_000);
    const refused: [string, Record<string, string | string[]>, string][] = [
      [body, sign(other), secret],
      [`${body} `, headers, secret],
      [body, { ...headers, 'webhook-id': 'evt_2' }, secret],
      [body, { ...headers, 'webhook-timestamp': 'now' }, secret],
      [body, { ...headers, 'webhook-signature': 'v1,' }, secret],
      [body, { ...headers, 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1,', '') }, secret],
      [body, { ...headers, 'webhook-signature': [] }, secret],
      [body, {}, secret],
      [body, sign(secret, old), secret],
      [body, sign(secret, future), secret],
    ];
    for (const [text, given, key] of refused) {
      await assert.rejects(verifyWebhook(text, given, key), WebhookVerificationError, JSON.stringify(given));
    }
  });

  it('says if the secret is malformed, whatever the request is, and does not show the secret', async () => {
    const malformed: [string | undefined, RegExp][] = [
      [undefined, /it is missing or empty/],
      ['', /it is missing or empty/],
      ['whsec_', /it has 0 bytes instead of 24 to 64/],
      [secret.slice(0, 20), /it has \d+ bytes instead of 24 to 64, so it may have been cut off/],
      ['whsec_not base64!', /the part after whsec_ is not base64/],
      [`ph_${'a1'.repeat(32)}`, /it does not start with whsec_/],
    ];
    for (const [given, reason] of malformed) {
      for (const headers of [sign(), {}]) {
        await assert.rejects(verifyWebhook(body, headers, given as string), (err: Error) => {
          assert.ok(err instanceof PromptHarborError && !(err instanceof WebhookVerificationError));
          assert.match(err.message, reason);
          assert.match(err.message, /^The webhook secret is malformed: .*\. Use the secret that was shown .*: whsec_…$/);
          assert.ok(!given || given.length < 10 || !err.message.includes(given));
          return true;
        });
      }
    }
    assert.equal((await verifyWebhook(body, sign(), ` ${secret}\n`)).type, 'label.moved');
    assert.equal((await verifyWebhook(body, sign(), secret.slice('whsec_'.length))).type, 'label.moved');
  });
});

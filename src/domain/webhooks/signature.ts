import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookRecord } from '../../store/webhooks/webhooks.ts';
import type { WithKeyring } from '../secrets/keyring.ts';

const prefix = 'whsec_';

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The headers of Standard Webhooks. The body must be sent exactly as it is signed. */
export function signDelivery(secrets: string[], { id, body, now }: { id: string; body: string; now: Date }): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export function sealWebhookSecret({ keyring }: WithKeyring, owner: SecretOwner, secret: string): string {
  return keyring.seal(secret, ownerOf(owner));
}

export function openWebhookSecret({ keyring }: WithKeyring, owner: SecretOwner, cipher: string): string {
  const secret = keyring.open(cipher, ownerOf(owner));
  if (secret === undefined) throw new Error(`The secret of the webhook ${owner.webhookId} cannot be decrypted with the current secret`);
  return secret;
}

/** The secrets that sign now: during a rotation two, the new one first. */
export function openSigningSecrets(ctx: WithKeyring, owner: SecretOwner, webhook: WebhookRecord, now: Date): string[] {
  const { secretCipher, previousSecret } = webhook;
  const isRotating = previousSecret !== null && previousSecret.until > now.toISOString();
  return [secretCipher, ...(isRotating ? [previousSecret.cipher] : [])].map((cipher) => openWebhookSecret(ctx, owner, cipher));
}

interface SecretOwner {
  accountId: string;
  webhookId: string;
}

function ownerOf({ accountId, webhookId }: SecretOwner): string {
  return `${accountId} ${webhookId}`;
}

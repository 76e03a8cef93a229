import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookRecord } from '../../store/webhooks/webhooks.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';

const prefix = 'whsec_';

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Returns the headers of Standard Webhooks. The body must be sent exactly as it was signed. */
export function signDelivery(secrets: string[], { id, body, now }: { id: string; body: string; now: Date }): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Returns the secrets with which deliveries are signed now. During a rotation, there are two secrets, the new one first. */
export function openSigningSecrets({ keyring }: WithKeyring, accountId: string, webhook: WebhookRecord, now: Date): string[] {
  const { id, secretCipher, previousSecret } = webhook;
  const isRotating = previousSecret !== null && previousSecret.until > now.toISOString();
  const ciphers = isRotating ? [secretCipher, previousSecret.cipher] : [secretCipher];
  return ciphers.map((cipher) => keyring.get(cipher, secretOwners.webhook(accountId, id)));
}

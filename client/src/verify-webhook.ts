import { PromptHarborError } from './errors.ts';
import type { WorkspaceEvent } from './types.ts';

/** The body of a webhook request. */
export interface WebhookPayload {
  type: WorkspaceEvent['type'];
  timestamp: string;
  data: Omit<WorkspaceEvent, 'type' | 'at'> & { workspaceId: string };
}

/** The signature of a webhook is missing, wrong or too old. */
export class WebhookVerificationError extends PromptHarborError {
  override name = 'WebhookVerificationError';
}

type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

const toleranceSeconds = 5 * 60;

/**
 * Verifies that a request is recent and comes from your PromptHarbor service, and returns its payload. Pass the body exactly as it was
 * received. If you parse and serialize the body first, the signature does not match.
 */
export async function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<WebhookPayload> {
  const key = decodeSecret(secret);
  const id = getHeader(headers, 'webhook-id');
  const timestamp = getHeader(headers, 'webhook-timestamp');
  const signatures = getHeader(headers, 'webhook-signature');
  assertRecent(timestamp);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const expected = await sign(concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes), key);
  const isValid = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    // All signatures are compared, so that the duration does not reveal which one matched.
    .reduce((found, signature) => isEqual(signature.slice(3), expected) || found, false);
  if (!isValid) throw new WebhookVerificationError('The webhook signature is wrong');
  // The signature proves that the service sent the body, and the service sends only this type.
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookPayload;
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The webhook has no ${name} header`);
  return value;
}

function assertRecent(timestamp: string): void {
  const age = /^\d{1,12}$/.test(timestamp) ? Math.abs(Date.now() / 1000 - Number(timestamp)) : Number.POSITIVE_INFINITY;
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('The webhook was signed too long ago, or the clocks of its sender and this machine differ');
}

async function sign(content: Uint8Array<ArrayBuffer>, secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return encodeBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)));
}

/** The minimum and maximum number of bytes in a secret, as defined by Standard Webhooks. Secrets of the service have 32. */
const secretBytes = { min: 24, max: 64 };

/**
 * Decodes a secret. Throws an error that says what is wrong with the secret, so that nobody looks for the mistake in the signature. The
 * message does not contain the secret.
 */
function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.trim() : '';
  if (text === '') throw malformed('it is missing or empty');
  const bytes = decodeBase64(text.replace(/^whsec_/, ''));
  if (!bytes) throw malformed(text.startsWith('whsec_') ? 'the part after whsec_ is not base64' : 'it does not start with whsec_');
  const { min, max } = secretBytes;
  if (bytes.length < min || bytes.length > max)
    throw malformed(`it has ${bytes.length} bytes instead of ${min} to ${max}, so it may have been cut off`);
  return bytes;
}

function malformed(reason: string): PromptHarborError {
  return new PromptHarborError(
    `The webhook secret is malformed: ${reason}. Use the secret that was shown when the webhook was created: whsec_…`,
  );
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Compares two strings. The comparison takes the same time for all strings of the same length, so that a signature cannot be guessed
 * character by character.
 */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let index = 0; index < expected.length; index += 1) difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

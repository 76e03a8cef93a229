import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface WithKeyring {
  keyring: Keyring;
}

export type Keyring = ReturnType<typeof createKeyring>;

/** Encrypts API keys and other secrets with the current master secret. Decrypts with the current or the previous secret. */
export function createKeyring(secrets: { current: string; previous?: string | undefined }) {
  const current = deriveSealingKey(secrets.current);
  const keys = new Map([[current.id, current.key]]);
  if (secrets.previous) {
    const previous = deriveSealingKey(secrets.previous);
    keys.set(previous.id, previous.key);
  }

  /** Decrypts text, or returns undefined if neither secret can decrypt it. */
  function open(sealed: string, owner: string): string | undefined {
    const [version, keyId = '', nonce = '', body = ''] = sealed.split('.');
    const key = keys.get(keyId);
    if (version !== 'v1' || !key) return undefined;
    const bytes = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  return {
    open,

    /** Decrypts a stored text, or throws if neither secret can decrypt it. */
    get(sealed: string, owner: string): string {
      const plain = open(sealed, owner);
      if (plain === undefined) throw new Error(`The secret of ${owner} cannot be decrypted with SECRET_KEY or SECRET_KEY_PREVIOUS`);
      return plain;
    },

    /** Encrypts text for storage. The result can be decrypted only for the same owner. */
    seal(plain: string, owner: string): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', current.id, nonce.toString('base64url'), body.toString('base64url')].join('.');
    },

    /** Returns whether the text was encrypted with the current secret. */
    isCurrent: (sealed: string) => sealed.startsWith(`v1.${current.id}.`),
  };
}

function deriveSealingKey(secret: string) {
  return { id: derive(secret, 'key id').toString('hex', 0, 4), key: derive(secret, 'key cipher') };
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `promptharbor ${purpose} v1`, 32));
}

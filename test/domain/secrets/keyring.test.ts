import assert from 'node:assert/strict';
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newKey } from '../../../src/domain/accounts/keys.ts';
import { createKeyring } from '../../../src/domain/secrets/keyring.ts';
import { digestKey, isKey } from '../../../src/store/accounts/key-digest.ts';

const current = 'the current secret, 32 characters';
const previous = 'the previous secret, 32 characters';

describe('Keyring', () => {
  const keyring = createKeyring({ current });

  it('opens what it sealed, for its owner alone', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (plain, owner, other) => {
          const sealed = keyring.seal(plain, owner);
          assert.equal(keyring.open(sealed, owner), plain);
          if (other !== owner) assert.equal(keyring.open(sealed, other), undefined);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('ASVS 11.3.2: seals as v1.<key id>.<nonce>.<ciphertext+tag> with AES-256-GCM and the owner as additional data', () => {
    const key = newKey();
    const sealed = keyring.seal(key, 'u_1');
    assert.match(sealed, /^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    const [, , nonce = '', body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    assert.equal(bytes.length, 67 + 16);
    const sealingKey = Buffer.from(hkdfSync('sha256', current, '', 'promptharbor key cipher v1', 32));
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, Buffer.from(nonce, 'base64url')).setAAD(Buffer.from('u_1'));
    decipher.setAuthTag(bytes.subarray(-16));
    assert.equal(decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8'), key);
  });

  it('never seals the same text twice in the same way', () => {
    const sealed = new Set(Array.from({ length: 100 }, () => keyring.seal('same', 'u_1')));
    assert.equal(sealed.size, 100);
  });

  it('opens nothing that was changed, at any byte', () => {
    const sealed = keyring.seal(newKey(), 'u_1');
    const [version, id, nonce = '', body = ''] = sealed.split('.');
    for (const [name, text] of [
      ['nonce', nonce],
      ['body', body],
    ] as const) {
      const bytes = Buffer.from(text, 'base64url');
      for (let position = 0; position < bytes.length; position += 1) {
        const changed = Buffer.from(bytes);
        changed[position] = (changed[position] ?? 0) ^ 1;
        const parts =
          name === 'nonce' ? [version, id, changed.toString('base64url'), body] : [version, id, nonce, changed.toString('base64url')];
        assert.equal(keyring.open(parts.join('.'), 'u_1'), undefined, `${name} ${position}`);
      }
    }
  });

  it('opens nothing that was cut or made up', () => {
    const sealed = keyring.seal(newKey(), 'u_1');
    for (let length = 0; length < sealed.length; length += 1) assert.equal(keyring.open(sealed.slice(0, length), 'u_1'), undefined);
    fc.assert(fc.property(fc.string(), (text) => assert.equal(keyring.open(text, 'u_1'), undefined)));
    for (const text of [`v2${sealed.slice(2)}`, sealed.replace(/^v1\.[0-9a-f]{8}/, 'v1.00000000'), '....', 'v1...', `v1.__proto__.a.b`]) {
      assert.equal(keyring.open(text, 'u_1'), undefined);
    }
  });

  it('opens what the previous secret sealed, and seals with the current one', () => {
    const old = createKeyring({ current: previous }).seal('plain', 'u_1');
    const both = createKeyring({ current, previous });
    assert.equal(both.open(old, 'u_1'), 'plain');
    assert.equal(both.isCurrent(old), false);
    const resealed = both.seal('plain', 'u_1');
    assert.equal(both.isCurrent(resealed), true);
    assert.equal(keyring.open(resealed, 'u_1'), 'plain');
    assert.equal(keyring.open(old, 'u_1'), undefined);
  });

  it('ASVS 13.3.1: sealed text contains neither the secret nor the derived key', () => {
    const derived = Buffer.from(hkdfSync('sha256', current, '', 'promptharbor key cipher v1', 32));
    const sealed = keyring.seal('x', 'u_1');
    for (const secret of [current, derived.toString('base64url'), derived.toString('hex')]) assert.ok(!sealed.includes(secret));
  });
});

describe('Keys', () => {
  it('ASVS 11.5.1: are ph_ and 64 hexadecimal characters, each different', () => {
    const keys = Array.from({ length: 1000 }, newKey);
    for (const key of keys) assert.match(key, /^ph_[0-9a-f]{64}$/);
    assert.equal(new Set(keys).size, 1000);
    // All 16 digits occur at every position. The chance that a digit is missing at a position of 1000 keys is 1e-28.
    for (let position = 3; position < 67; position += 1) assert.equal(new Set(keys.map((key) => key[position])).size, 16);
  });

  it('are recognized by their exact form', () => {
    const key = newKey();
    assert.ok(isKey(key));
    for (const wrong of ['', key.slice(1), `${key}0`, `${key}\n`, ` ${key}`, key.toUpperCase(), key.replace('ph_', 'pk_')]) {
      assert.ok(!isKey(wrong), JSON.stringify(wrong));
    }
  });

  it('are looked up by their SHA-256', () => {
    assert.equal(digestKey('ph_'), 'UtmTIMLIu4aaN5Q-dHT0mNS1X3_UjdBuBHub9XeaFOQ');
    assert.match(digestKey(newKey()), /^[\w-]{43}$/);
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { Secret, TOTP, URI } from 'otpauth';
import {
  authenticatorUri,
  digestRecoveryCode,
  findStep,
  newRecoveryCodes,
  newSecret,
} from '../../../src/domain/accounts/two-factor-codes.ts';

describe('two-factor codes', () => {
  afterEach(() => mock.timers.reset());

  it('accepts the codes of RFC 6238, appendix B', () => {
    const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;
    const vectors: [number, string][] = [
      [59, '94287082'],
      [1_111_111_109, '07081804'],
      [1_111_111_111, '14050471'],
      [1_234_567_890, '89005924'],
      [2_000_000_000, '69279037'],
      [20_000_000_000, '65353130'],
    ];
    for (const [seconds, eightDigits] of vectors) {
      mock.timers.enable({ apis: ['Date'], now: seconds * 1000 });
      assert.equal(findStep(secret, eightDigits.slice(2)), Math.floor(seconds / 30), `at ${seconds} s`);
      mock.timers.reset();
    }
  });

  it('accepts and returns the current step, the one before and the one after, and no others', () => {
    mock.timers.enable({ apis: ['Date'], now: 1_800_000_015_000 });
    const step = 60_000_000;
    const secret = newSecret();
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const codes = [-2, -1, 0, 1, 2].map((steps) => findStep(secret, app.generate({ timestamp: Date.now() + steps * 30_000 })));
    assert.deepEqual(codes, [undefined, step - 1, step, step + 1, undefined]);
  });

  it('accepts only six ASCII digits', () => {
    const secret = newSecret();
    for (const code of ['', '12345', '1234567', '１２３４５６', '12345\u0000', '1e0000', ' 12345', '-12345', '0x1234']) {
      assert.equal(findStep(secret, code), undefined, code);
    }
  });

  it('describes the secret as authenticator apps read it', () => {
    const secret = newSecret();
    const app = URI.parse(authenticatorUri(secret, 'ada+x&y@example.com'));
    assert.ok(app instanceof TOTP);
    const { issuer, label, algorithm, digits, period } = app;
    assert.deepEqual(
      { issuer, label, algorithm, digits, period, secret: app.secret.base32 },
      { issuer: 'PromptHarbor', label: 'ada+x&y@example.com', algorithm: 'SHA1', digits: 6, period: 30, secret },
    );
  });

  it('11.5.1 creates secrets of 160 bits and recovery codes of 100, all different', () => {
    const secrets = new Set(Array.from({ length: 500 }, newSecret));
    const codes = new Set(Array.from({ length: 500 }, newRecoveryCodes).flat());
    assert.equal(secrets.size, 500);
    assert.equal(codes.size, 5000);
    for (const secret of secrets) assert.equal(Secret.fromBase32(secret).bytes.length, 20);
    const letters = new Set([...codes].join('').replaceAll('-', ''));
    assert.equal([...letters].sort().join(''), '23456789abcdefghijkmnpqrstuvwxyz');
  });

  it('a recovery code has the same digest with and without its dashes', () => {
    const [code = ''] = newRecoveryCodes();
    assert.equal(digestRecoveryCode(code), digestRecoveryCode(code.replaceAll('-', '')));
    assert.ok(!digestRecoveryCode(code).includes(code));
  });
});

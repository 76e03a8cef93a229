import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertAcceptablePassword, hashPassword, verifyPassword } from '../../../src/domain/accounts/passwords.ts';
import { AppError } from '../../../src/errors.ts';

const own = { email: 'ada@example.com' };

async function isAcceptable(password: string): Promise<boolean> {
  try {
    await assertAcceptablePassword('/password', password, own);
    return true;
  } catch (err) {
    assert.ok(err instanceof AppError && err.code === 'invalid_input');
    assert.equal(err.details?.[0]?.path, '/password');
    return false;
  }
}

describe('assertAcceptablePassword', () => {
  const cases: [string, string, boolean][] = [
    ['7 characters', 'x7$kQ2!', false],
    ['8 characters', 'x7$kQ2!z', true],
    ['7 code points in 14 units', '🙂'.repeat(7), false],
    ['8 code points in 16 units', '🙂🙃'.repeat(4), true],
    ['128 code points in 256 units', '🙂🙃'.repeat(64), true],
    ['128 characters', 'ab'.repeat(64), true],
    ['129 characters', `${'ab'.repeat(64)}c`, false],
    ['one of the most common', 'password', false],
    ['one of the most common, in capitals', 'PassWord', false],
    ['one of the most common, digits only', '123456789', false],
    ['one of the most common with a suffix', 'password but much longer', true],
    ['the account’s email', 'Ada@Example.com', false],
    ['no lower case, digit or sign is asked for', 'ABCDEFGH ABCDEFGH', true],
    ['blanks', 'a b c d e f', true],
    ['a lone surrogate', 'abcdefgh\udc00', false],
  ];
  for (const [name, password, acceptable] of cases) {
    it(`ASVS 6.2.1, 6.2.4, 6.2.5, 6.2.9: ${acceptable ? 'accepts' : 'refuses'} ${name}`, async () => {
      assert.equal(await isAcceptable(password), acceptable);
    });
  }

  it('ASVS 6.2.4: refuses the 3000 most common passwords that are long enough', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    const list = dictionary['passwords-common'].map(String).filter((password) => [...password].length >= 8);
    assert.ok(list.length >= 3000, `the list has ${list.length}`);
    for (const password of list) assert.equal(await isAcceptable(password), false, password);
  });
});

describe('hashPassword, verifyPassword', () => {
  it('ASVS 11.4.2: argon2id with 46 MiB, one pass, one lane, a new salt each time, in the PHC format', async () => {
    const hashes = await Promise.all([hashPassword('same'), hashPassword('same')]);
    for (const hash of hashes) assert.match(hash, /^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.notEqual(hashes[0], hashes[1]);
  });

  it('ASVS 6.2.8: verifies unmodified: nothing is truncated, trimmed, normalized or case-folded', async () => {
    const password = `${'Käse '.repeat(25)}end`;
    const hash = await hashPassword(password);
    assert.equal(await verifyPassword(password, hash), true);
    for (const other of [
      password.slice(0, -1),
      `${password} `,
      `${password}\0`,
      password.normalize('NFD'),
      password.toLowerCase(),
      password.slice(0, 72),
      '',
    ]) {
      assert.equal(await verifyPassword(other, hash), false, other);
    }
  });

  it('does not confuse a lone surrogate with another or with the replacement character', async () => {
    const hash = await hashPassword('abcdefgh\ufffd');
    assert.equal(await verifyPassword('abcdefgh\ud800', hash), false);
    assert.equal(await verifyPassword('abcdefgh\ufffd', hash), true);
  });

  it('ASVS 6.3.8: without a stored hash it is false for any password', async () => {
    for (const password of ['', 'x', 'a long enough password']) assert.equal(await verifyPassword(password, undefined), false);
  });

  it('throws on a hash in another format instead of treating it as a wrong password', async () => {
    await assert.rejects(verifyPassword('password', '$2b$12$notargon2'), /not in the expected format/);
  });
});

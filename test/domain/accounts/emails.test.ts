import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseEmail } from '../../../src/domain/accounts/emails.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('parseEmail', () => {
  const good: [string, string][] = [
    ['ada@example.com', 'ada@example.com'],
    ['  Ada@EXAMPLE.com\t', 'ada@example.com'],
    ['a@b', 'a@b'],
    ['first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
    ["o'hara!#$%&*/=?^_`{|}~-@example.com", "o'hara!#$%&*/=?^_`{|}~-@example.com"],
    ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ];
  for (const [text, expected] of good) {
    it(`accepts ${JSON.stringify(text.slice(0, 50))}`, () => assert.equal(parseEmail(text), expected));
  }

  const bad = [
    '',
    ' ',
    '@',
    'a@',
    '@b',
    'a',
    'a@b@c',
    'a b@example.com',
    'a@exa mple.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@.example.com',
    'a@example..com',
    'a@example.com.',
    'a@-example.com',
    'a@example-.com',
    'a@exam_ple.com',
    'a\u0000@example.com',
    'a@example.com\u0000',
    'a\n@example.com',
    'a@example.com\r\nx: y',
    'a\u007f@example.com',
    'a\u200b@example.com',
    'a\u202e@example.com',
    'a＠example.com',
    'a﹫example.com',
    'аda@example.com',
    'ada@exаmple.com',
    'ada@bücher.example',
    'K@example.com'.replace('K', '\u212a'),
    '"a b"@example.com',
    '<a@example.com>',
    'Ada <a@example.com>',
    'a,b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    '\ud800@example.com',
  ];
  for (const text of bad) {
    it(`refuses ${JSON.stringify(text.slice(0, 50))}`, () => assert.equal(parseEmail(text), undefined));
  }

  it('returns a normalized address, in ASCII without control characters', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: anyCharacter })), (text) => {
        const email = parseEmail(text);
        if (email === undefined) return;
        assert.equal(parseEmail(email), email);
        assert.match(email, /^[\x21-\x7e]+$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('is fast for hostile input', () => {
    for (const text of [`${'a.'.repeat(100_000)}@`, `a@${'a-'.repeat(100_000)}`, `${'.'.repeat(254)}`, `a@${'a.'.repeat(125)}-`]) {
      assert.equal(parseEmail(text), undefined);
    }
  });
});

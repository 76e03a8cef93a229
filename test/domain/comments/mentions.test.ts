import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMentions } from '../../../src/domain/comments/mentions.ts';

const members = [
  { userId: 'u_ada', name: 'Ada', email: 'ada@example.com' },
  { userId: 'u_lovelace', name: 'Ada Lovelace', email: 'lovelace@example.com' },
  { userId: 'u_zoe', name: 'Zoë', email: 'zoe@example.com' },
  { userId: 'u_other', name: 'zoë', email: 'other@example.com' },
];

const idsIn = (text: string) => findMentions(text, members).map(({ userId }) => userId);

describe('findMentions', () => {
  const cases: [string, string[]][] = [
    ['@Ada', ['u_ada']],
    ['(@ada, please)', ['u_ada']],
    ['@Ada Lovelace, please', ['u_lovelace']],
    ['@Adam', []],
    ['@Ada_', []],
    ['@ada@example.com.', ['u_ada']],
    ['@lovelace@example.com and @Ada', ['u_lovelace', 'u_ada']],
    ['@Zoë', ['u_zoe', 'u_other']],
    ['write to ada@example.com', []],
    ['x@Ada', []],
    ['@@Ada', ['u_ada']],
    ['@stranger@example.com', []],
    ['@Ada @Ada', ['u_ada']],
    ['@', []],
  ];
  for (const [text, ids] of cases)
    it(`${JSON.stringify(text)} mentions ${ids.join(', ') || 'nobody'}`, () => assert.deepEqual(idsIn(text), ids));

  it('returns the name as it is written, so that it can be found in the text', () => {
    assert.deepEqual(findMentions('Hi @ada lovelace!', members), [{ userId: 'u_lovelace', name: 'ada lovelace' }]);
  });

  it('is limited to 20 members', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      userId: `u_${index}`,
      name: `Person${index}`,
      email: `${index}@example.com`,
    }));
    assert.equal(findMentions(many.map(({ name }) => `@${name}`).join(' '), many).length, 20);
  });
});

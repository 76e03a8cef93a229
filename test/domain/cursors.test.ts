import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, splitPage } from '../../src/domain/cursors.ts';
import { AppError } from '../../src/errors.ts';
import { anyCharacter } from '../support/any-character.ts';

const isRefused = (err: unknown) => err instanceof AppError && err.code === 'invalid_input' && err.details?.[0]?.path === '/cursor';
const part = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));

describe('Cursors', () => {
  it('any position is encoded as URL-safe text and decoded unchanged', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (place) => {
        const cursor = encodeCursor('kind', place);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.deepEqual(decodeCursor('kind', place.length, cursor), place);
      }),
    );
  });

  it('a cursor of another list or length is refused', () => {
    fc.assert(
      fc.property(part, part, (a, b) => {
        assert.throws(() => decodeCursor('other', 2, encodeCursor('kind', [a, b])), isRefused);
        assert.throws(() => decodeCursor('kind', 1, encodeCursor('kind', [a, b])), isRefused);
      }),
    );
  });

  it('garbage is refused', () => {
    const garbage = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc.array(fc.jsonValue()).map((parts) => Buffer.from(JSON.stringify(['kind', ...parts, 1])).toString('base64url')),
      fc.constant(Buffer.from('["kind","a\\u0000"]').toString('base64url')),
    );
    fc.assert(
      fc.property(garbage, (cursor) => {
        assert.throws(() => decodeCursor('kind', 1, cursor), isRefused);
      }),
    );
  });
});

describe('splitPage', () => {
  const halfMegabyte = () => 500_000;

  it('ends a page at the limit, and says that there is another', () => {
    assert.deepEqual(splitPage([1, 2, 3], 2), { shown: [1, 2], last: 2 });
    assert.deepEqual(splitPage([1, 2], 2), { shown: [1, 2], last: undefined });
    assert.deepEqual(splitPage([], 2), { shown: [], last: undefined });
  });

  it('ends a page earlier when it would carry more than 1 MB', () => {
    assert.deepEqual(splitPage([1, 2, 3], 100, halfMegabyte), { shown: [1, 2], last: 2 });
    assert.deepEqual(splitPage([1, 2], 100, halfMegabyte), { shown: [1, 2], last: undefined });
  });

  it('has at least one item on a page, however large', () => {
    assert.deepEqual(
      splitPage([1, 2], 100, () => 9_000_000),
      { shown: [1], last: 1 },
    );
    assert.deepEqual(
      splitPage([1], 100, () => 9_000_000),
      { shown: [1], last: undefined },
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findNextAttempt, parseRetryAfter } from '../../../src/domain/webhooks/retry-schedule.ts';

const now = new Date('2026-11-15T08:00:00.000Z');
const hour = 3600;

describe('The retries of a delivery', () => {
  it('come after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or up to a tenth later', () => {
    const expected = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
    for (const [index, seconds] of expected.entries()) {
      for (let run = 0; run < 20; run += 1) {
        const next = findNextAttempt(index + 1, { now });
        const waited = (Number(next) - now.getTime()) / 1000;
        assert.ok(waited >= seconds && waited <= seconds * 1.1, `${index + 1}: ${waited}`);
      }
    }
    assert.equal(findNextAttempt(10, { now }), undefined);
  });

  it('come later if the receiver asks for it, never earlier', () => {
    assert.ok(Number(findNextAttempt(1, { now, retryAfterMs: 60_000 })) >= now.getTime() + 60_000);
    assert.ok(Number(findNextAttempt(2, { now, retryAfterMs: 1000 })) >= now.getTime() + 300_000);
  });

  it('read Retry-After as seconds or a date, for a day at most', () => {
    const cases: [string | undefined, number | undefined][] = [
      [undefined, undefined],
      ['120', 120_000],
      [' 5 ', 5000],
      ['0', undefined],
      ['-5', undefined],
      ['soon', undefined],
      ['', undefined],
      ['Sun, 15 Nov 2026 08:01:00 GMT', 60_000],
      ['Sun, 15 Nov 2026 07:00:00 GMT', undefined],
      ['999999999', 24 * hour * 1000],
    ];
    for (const [header, ms] of cases) assert.equal(parseRetryAfter(header, now), ms, String(header));
  });
});

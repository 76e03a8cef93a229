import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findInterval } from '../../../src/domain/statistics/series.ts';
import { parseRange } from '../../../src/domain/statistics/time-range.ts';

const now = new Date('2026-11-18T16:00:00Z');
const isoOf = (ms: number) => new Date(ms).toISOString();
const daysOf = (from: string, to: string, timeZone: string) =>
  parseRange({ from, to, interval: 'day', timeZone }, now).starts.map((start) => isoOf(start).slice(0, 16));

describe('days in a time zone', () => {
  it('begin at local midnight, and have 23 or 25 hours if the clocks change', () => {
    assert.deepEqual(daysOf('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', 'Europe/Berlin'), [
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ]);
    assert.deepEqual(daysOf('2026-10-31T04:00:00Z', '2026-11-02T05:00:00Z', 'America/New_York'), ['2026-10-31T04:00', '2026-11-01T04:00']);
    // In Santiago the clocks go forward at midnight, so that day begins at one o'clock.
    assert.deepEqual(daysOf('2026-09-05T04:00:00Z', '2026-09-07T03:00:00Z', 'America/Santiago'), ['2026-09-05T04:00', '2026-09-06T04:00']);
  });

  it('begin with the first whole hour if the offset is not a whole number of hours', () => {
    // Midnight in India is 18:30 in UTC.
    assert.deepEqual(daysOf('2026-03-01T19:00:00Z', '2026-03-03T19:00:00Z', 'Asia/Kolkata'), ['2026-03-01T19:00', '2026-03-02T19:00']);
    assert.deepEqual(daysOf('2026-03-01T19:00:00Z', '2026-03-02T19:00:00Z', 'Asia/Kathmandu'), ['2026-03-01T19:00']);
    // The hour that begins at 23:30 belongs to the day before.
    assert.deepEqual(daysOf('2026-03-01T18:00:00Z', '2026-03-01T20:00:00Z', 'Asia/Kolkata'), ['2026-02-28T19:00', '2026-03-01T19:00']);
  });

  it('contain every hour of a range once, on the date of its start, in every time zone', () => {
    const zones = [
      'UTC',
      'Europe/London',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'America/St_Johns',
      'Pacific/Kiritimati',
      'Africa/Cairo',
    ];
    const formats = new Map(zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv', { timeZone })]));
    const firstHour = Date.UTC(2026, 0, 1) / 3_600_000;
    const hours = fc.integer({ min: 0, max: 400 * 24 - 1 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), hours, fc.integer({ min: 1, max: 40 * 24 }), (timeZone, first, length) => {
        const fromMs = (firstHour + first) * 3_600_000;
        const range = parseRange({ from: isoOf(fromMs), to: isoOf(fromMs + length * 3_600_000), interval: 'day', timeZone }, now);
        const format = formats.get(timeZone);
        const dayOf = (ms: number) => format?.format(ms);
        const days = range.starts.map(dayOf);
        assert.equal(new Set(days).size, days.length, 'no day twice');
        for (let ms = fromMs; ms < range.to.getTime(); ms += 3_600_000) {
          assert.equal(days[findInterval(range, isoOf(ms).slice(0, 13))], dayOf(ms));
        }
        assert.equal(findInterval(range, isoOf(range.to.getTime()).slice(0, 13)), -1);
      }),
      { numRuns: 60 },
    );
  });

  it('refuse what is not a time zone', () => {
    for (const timeZone of ['Mars/Base', '', 'UTC; drop', '\0', 'Europe']) {
      assert.throws(() => parseRange({ timeZone }, now), { code: 'invalid_input' }, timeZone);
    }
  });
});

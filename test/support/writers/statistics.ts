import type { Statistics } from '../../../src/contract/statistics.ts';
import type { TestAccount } from '../client.ts';
import { request, type Target, type Writer } from './writer.ts';

/** The number of calls between two reads of the statistics. */
const callsBetween = 20;

/** Makes calls and reads the statistics. Counts must never decrease, and must never exceed the calls that were made. */
export function createStatisticsWriter({ token: key, cookie }: TestAccount & { cookie: string }): Writer {
  let made = 0;
  let shown = 0;
  // This read uses the session, so it does not count as a call.
  const readTotal = async (target: Target) => ((await request(target, 'GET', '/api/stats', { cookie })).body as Statistics).totals.calls;

  return {
    kind: 'statistics',
    async write(target) {
      made += 1;
      await request(target, 'GET', '/api/auth/token', { key });
      if (made % callsBetween === 0) shown = Math.max(shown, await readTotal(target));
    },
    async verify(target) {
      const total = await readTotal(target);
      if (total < shown) return [`statistics: ${total} calls, of which ${shown} had been shown`];
      if (total > made) return [`statistics: ${total} calls, of which ${made} were made`];
      shown = total;
      return [];
    },
  };
}

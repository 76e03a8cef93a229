/**
 * A week of statistics for the demo account. The API cannot record past calls, so they are written to the embedded database while the
 * service is stopped. Each run adds the same amount again.
 */
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { newId } from '../../src/domain/ids.ts';
import { bucketOf } from '../../src/domain/statistics/durations.ts';
import { closeContext, openContext } from '../../src/service.ts';
import type { CallCount, PromptCount } from '../../src/store/statistics/usage-batches.ts';

const days = 7;
const hourMs = 60 * 60 * 1000;

/** Returns the number of calls it added, or undefined if there is no demo account. */
export async function writeHistory(email: string): Promise<number | undefined> {
  const ctx = await openContext(loadConfig(), pino({ level: 'silent' }));
  try {
    const account = await ctx.store.accounts.findByEmail(email);
    if (!account) return undefined;
    const prompts = await ctx.store.prompts.list(account.id, { sort: 'name', limit: 100 });
    const calls: CallCount[] = [];
    const promptCalls: PromptCount[] = [];
    const now = Date.now();
    for (let ago = days * 24; ago >= 1; ago -= 1) {
      const start = new Date(Math.floor(now / hourMs) * hourMs - ago * hourMs);
      const time = start.toISOString().slice(0, '2026-03-01T14'.length);
      calls.push(...splitByRoute(account.id, time, trafficAt(start)));
      for (const [rank, { id, latestVersion }] of prompts.entries()) {
        const count = Math.round(trafficAt(start) / (rank + 2));
        if (count > 0) {
          promptCalls.push({
            accountId: account.id,
            time,
            promptId: id,
            version: latestVersion,
            label: 'production',
            status: 200,
            calls: count,
          });
        }
      }
    }
    const keyUses = [{ accountId: account.id, keySerial: account.keySerial, lastUsedAt: new Date(now - hourMs).toISOString() }];
    await ctx.store.usageBatches.write({
      writer: newId('w'),
      sequence: 1,
      calls,
      prompts: promptCalls,
      renderErrors: [],
      keyUses,
      events: [],
    });
    return calls.reduce((sum, call) => sum + call.calls, 0);
  } finally {
    await closeContext(ctx);
  }
}

/** Calls per hour: many by day, fewer at night and on weekends. */
function trafficAt(time: Date): number {
  const weekend = [0, 6].includes(time.getUTCDay()) ? 0.4 : 1;
  const daytime = Math.max(0.12, Math.sin(((time.getUTCHours() - 6) / 14) * Math.PI));
  return Math.round(600 * weekend * daytime * (0.9 + Math.random() * 0.2));
}

function splitByRoute(accountId: string, time: string, total: number): CallCount[] {
  const shares: [route: string, status: number, durationMs: number, share: number][] = [
    ['GET /api/prompts/{name}', 200, 0.4, 0.45],
    ['GET /api/prompts/{name}', 200, 1.1, 0.12],
    ['GET /api/prompts/{name}', 404, 1.3, 0.01],
    ['POST /api/prompts/{name}/render', 200, 2.6, 0.25],
    ['POST /api/prompts/{name}/render', 200, 4.8, 0.05],
    ['POST /api/prompts/{name}/render', 422, 2.2, 0.02],
    ['GET /api/prompts', 200, 0.9, 0.1],
  ];
  return shares
    .map(([route, status, durationMs, share]) => ({
      accountId,
      time,
      route,
      status,
      bucket: bucketOf(durationMs),
      calls: Math.round(total * share),
    }))
    .filter(({ calls }) => calls > 0);
}

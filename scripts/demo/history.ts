/**
 * Adds a week of statistics for the demo account. The API cannot record past calls, so they are written to the embedded database while the
 * service is stopped. Each run adds the same amount again.
 */
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { newId } from '../../src/domain/ids.ts';
import { bucketOf } from '../../src/domain/statistics/durations.ts';
import { closeContext, openContext } from '../../src/service.ts';
import type { CallCount, PromptCount, RenderErrorCount } from '../../src/store/statistics/usage-counts.ts';

const days = 7;
const hourMs = 60 * 60 * 1000;

/** Returns the number of added calls, or undefined if there is no demo account. */
export async function writeHistory(email: string): Promise<number | undefined> {
  const ctx = await openContext(loadConfig(), pino({ level: 'silent' }));
  try {
    const account = await ctx.store.accounts.findByEmail(email);
    if (!account) return undefined;
    const prompts = await ctx.store.prompts.list(account.id, { sort: 'name', limit: 100 });
    const now = Date.now();
    const history = createHistory(account.id, prompts, now);
    const keyUse = { accountId: account.id, keySerial: account.keySerial, lastUsedMs: now - hourMs };
    const others = { members: [], runs: [], releases: [], promptKeys: [] };
    await ctx.store.statistics.add({ writer: newId('w'), sequence: 1, ...history, ...others, keyUses: [keyUse] });
    return history.calls.reduce((sum, call) => sum + call.calls, 0);
  } finally {
    await closeContext(ctx);
  }
}

interface History {
  calls: CallCount[];
  prompts: PromptCount[];
  renderErrors: RenderErrorCount[];
}

/** Returns the calls by route and by prompt. The two sums are equal: each call of a route that serves a prompt is a call of one prompt. */
export function createHistory(accountId: string, prompts: { id: string; latestVersion: number }[], now: number): History {
  const history: History = { calls: [], prompts: [], renderErrors: [] };
  for (let ago = days * 24; ago >= 1; ago -= 1) {
    const start = new Date(Math.floor(now / hourMs) * hourMs - ago * hourMs);
    const time = start.toISOString().slice(0, '2026-03-01T14'.length);
    const calls = splitByRoute(accountId, time, trafficAt(start));
    history.calls.push(...calls);
    for (const status of [200, 422]) {
      const served = calls.filter((call) => call.route.includes('{name}') && call.status === status);
      const total = served.reduce((sum, call) => sum + call.calls, 0);
      for (const [rank, count] of splitByRank(total, prompts.length).entries()) {
        const prompt = prompts[rank];
        if (!prompt || count === 0) continue;
        const { id: promptId, latestVersion: version } = prompt;
        history.prompts.push({ accountId, time, promptId, version, label: 'production', status, calls: count });
        if (status === 422)
          history.renderErrors.push({ accountId, time, promptId, code: 'missing_variables', name: 'request', calls: count });
      }
    }
  }
  return history;
}

/** Splits calls among prompts. Each prompt gets fewer calls than the previous one, and the first prompt gets the remainder. */
function splitByRank(total: number, ranks: number): number[] {
  const weights = Array.from({ length: ranks }, (_, rank) => 1 / (rank + 2));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const counts = weights.map((weight) => Math.floor((total * weight) / sum));
  const rest = total - counts.reduce((all, count) => all + count, 0);
  return counts.map((count, rank) => (rank === 0 ? count + rest : count));
}

/** Returns the calls per hour: many by day, fewer at night and on weekends. */
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

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, register } from '../test/support/client.ts';
import { createAttacker, type HostileCase, hostileCases } from '../test/support/hostile/cases.ts';
import { serveProgram } from '../test/support/process.ts';
import { patiently } from './lib/accounts.ts';
import { type Observation, startObserver } from './lib/observer.ts';
import { formatTable, updateDocument } from './lib/report.ts';
import { parseSettings, UsageError } from './lib/settings.ts';

const wholeSeconds = 3;
/** Idle time is measured as long as so many attacks, because all of them are compared with it. */
const idleAttacks = 6;

interface Result {
  family: string;
  name: string;
  /** How often each status was sent to the attacker. */
  statuses: Record<string, number>;
  worstHealthMs: number;
  saveP99Ms: number;
  renderP99Ms: number;
  failures: string[];
}

/** Attacks the built service with each hostile case, and measures what another account notices. */
export async function run(args: string[]): Promise<void> {
  const { size, options, isDocumented } = parseSettings('hostile', args, { wholeSize: wholeSeconds, options: ['case'] });
  const attackMs = size * 1000;
  const chosen = chooseCases(options.case);
  const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-campaign-'));
  const program = await serveProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.1' });
  const victim = await register(program);
  const created = await call(program, 'POST', '/api/prompts', { key: victim.token, body: { name: 'a', template: 'Hello {{ name }}' } });
  assert.equal(created.status, 201);
  const observer = startObserver({ url: program.url, key: victim.token });
  const results: Result[] = [];
  try {
    await delay(attackMs);
    await observer.take();
    await delay(attackMs * idleAttacks);
    results.push(print({ family: 'idle', name: 'no attack', statuses: {}, ...summarize(await observer.take()) }));
    for (const { family, name, hostileCase } of chosen) {
      const attacker = createAttacker(program.url, await patiently(() => register(program)));
      await hostileCase.prepare?.(attacker);
      await observer.take();
      const statuses = await attack(hostileCase, attacker, attackMs);
      results.push(print({ family, name, statuses, ...summarize(await observer.take()) }));
    }
  } finally {
    await observer.stop();
    await program.stop();
    await rm(dataDir, { recursive: true });
  }
  if (isDocumented && options.case === undefined) await documentResults(results);
}

/** Those whose name has `text` in it, or all. */
function chooseCases(text = '') {
  const all = Object.entries(hostileCases).flatMap(([family, cases]) =>
    Object.entries(cases).map(([name, hostileCase]) => ({ family, name, hostileCase })),
  );
  const chosen = all.filter(({ name }) => name.includes(text));
  if (chosen.length === 0) throw new UsageError(`No hostile case has this in its name: ${text}`);
  return chosen;
}

/** Puts the results into the document. */
async function documentResults(results: Result[]): Promise<void> {
  const rows = results.map(({ family, name, statuses, worstHealthMs, saveP99Ms, renderP99Ms, failures }) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    return [family, name, worstHealthMs, saveP99Ms, renderP99Ms, counts.join(', '), failures.length || ''];
  });
  const figures = ['`/healthz`, slowest, ms', 'save, p99, ms', 'render, p99, ms', 'responses to the attacker', 'failures of others'];
  await updateDocument('hostile', formatTable(['family', 'case', ...figures], rows));
}

/** Repeats the attack for a while, and counts the responses by status. */
async function attack(
  { attack: once }: HostileCase,
  attacker: ReturnType<typeof createAttacker>,
  attackMs: number,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const end = performance.now() + attackMs;
  while (performance.now() < end) {
    for (const { status } of await once(attacker)) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

function summarize({ health, save, render, failures }: Observation): Omit<Result, 'family' | 'name' | 'statuses'> {
  return { worstHealthMs: percentile(health, 1), saveP99Ms: percentile(save, 0.99), renderP99Ms: percentile(render, 0.99), failures };
}

function percentile(durations: number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
}

function print(result: Result): Result {
  const { family, name, statuses, worstHealthMs, saveP99Ms, renderP99Ms, failures } = result;
  const figures = `health ${worstHealthMs} ms, save ${saveP99Ms} ms, render ${renderP99Ms} ms`;
  process.stdout.write(`${family}: ${name}: ${figures}, ${JSON.stringify(statuses)} ${failures.slice(0, 3).join('; ')}\n`);
  return result;
}

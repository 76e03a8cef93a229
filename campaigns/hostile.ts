import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, register, type TestAccount } from '../test/support/client.ts';
import { hostileCases } from '../test/support/hostile/cases.ts';
import { createAttacker, type HostileCase } from '../test/support/hostile/hostile-case.ts';
import { serveProgram } from '../test/support/process.ts';
import { attackWithServers, chooseBehaviors, type ForeignResult, foreignFamily } from './hostile/foreign-servers.ts';
import { fullCases } from './hostile/full-cases.ts';
import { type FullWorkspace, fillWorkspace, fullWorkspaces } from './hostile/full-workspaces.ts';
import { retryWhileThrottled } from './lib/accounts.ts';
import { type Observation, startObserver } from './lib/observer.ts';
import { formatTable, updateDocument } from './lib/report.ts';
import { parseSettings, UsageError } from './lib/settings.ts';

const wholeSeconds = 3;
/** The idle measurement lasts as long as this many attacks, because every attack is compared with it. */
const idleAttacks = 6;
/** A case fails if none of its attempts passes. Each repeated attempt is compared with an idle measurement directly before it. */
const maxAttempts = 3;
const fullFamily = 'full workspaces';

interface Result {
  family: string;
  name: string;
  /** The number of responses to the attacker, by status. */
  statuses: Record<string, number>;
  worstHealthMs: number;
  /** The 99th percentiles. */
  p99Ms: Record<ObservedUse, number>;
  /** The median time that the attacker waits for all requests that it sends at once. */
  attackerMs: number;
  failures: string[];
}

const observedUses = ['verify', 'read', 'render', 'save'] as const;
type ObservedUse = (typeof observedUses)[number];

/**
 * The pass mark: the factor by which another account may wait longer than without an attack, and the time that a reader of a full workspace
 * may wait.
 */
const maxRatios: Record<ObservedUse, number> = { verify: 3, read: 3, render: 3, save: 4 };
/**
 * Node reads 64 KiB at a time. They contain about 1,700 requests, and Node parses all of them at once. There is no public way to stop it.
 * Parsing them takes about 15 ms for each connection, which is then closed. See decision 0056.
 */
const ownRatios: Record<string, number> = { 'pipelined requests whose responses are never read': 4 };
const maxSaveMs = 40;
const maxScanMs = 1000;

type Program = Awaited<ReturnType<typeof serveProgram>>;

interface Attack extends Pick<Result, 'family' | 'name'> {
  hostileCase: HostileCase;
  accountOf(program: Program): Promise<TestAccount>;
}

/** Attacks the built service with each hostile case, and measures what another account notices. */
export async function run(args: string[]): Promise<void> {
  const { size, options, isDocumented } = parseSettings('hostile', args, { wholeSize: wholeSeconds, options: ['case'] });
  const behaviors = chooseBehaviors(options.case ?? '');
  const { attacks, fullAttacks } = chooseCases(options.case, behaviors.length);
  const dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-campaign-'));
  const results: Result[] = [];
  try {
    if (attacks.length > 0) results.push(...(await measure(dataDir, 'no attack', attacks, size * 1000)));
    if (fullAttacks.length > 0) {
      const accounts = await createFullWorkspaces(dataDir);
      const inWorkspaces = fullAttacks.map(
        ({ name, workspace, attack }): Attack => ({
          family: fullFamily,
          name,
          hostileCase: { attack },
          accountOf: async () => accounts[workspace],
        }),
      );
      results.push(...(await measure(dataDir, 'no attack, beside full workspaces', inWorkspaces, size * 1000)));
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
  const foreignResults: ForeignResult[] = [];
  if (behaviors.length > 0) {
    await attackWithServers(behaviors, size * 1000, (result) => {
      printForeign(result);
      foreignResults.push(result);
    });
  }
  if (foreignResults.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
  if (isDocumented && options.case === undefined) await documentResults(results);
  if (isDocumented && behaviors.length === chooseBehaviors('').length) await documentForeign(foreignResults);
}

function printForeign({ engine, name, memoryMb, slowestMs, problems }: ForeignResult): void {
  const times = Object.entries(slowestMs).map(([use, ms]) => `${use} ${Math.round(ms)}`);
  const verdict = problems.length === 0 ? 'passed' : `FAILED: ${[...new Set(problems)].slice(0, 3).join('; ')}`;
  process.stdout.write(`${foreignFamily}: ${engine}: ${name}: ${memoryMb} MB, ${times.join(', ')} ms: ${verdict}\n`);
}

async function documentForeign(results: ForeignResult[]): Promise<void> {
  const uses = Object.keys(results[0]?.slowestMs ?? {}).sort();
  const rows = results.map(({ engine, name, memoryMb, slowestMs, problems }) => [
    engine,
    name,
    memoryMb,
    ...uses.map((use) => Math.round(slowestMs[use] ?? 0)),
    problems.length || '',
  ]);
  const header = ['engine', 'server', 'memory, MB', ...uses.map((use) => `${use}, slowest, ms`), 'problems'];
  await updateDocument('foreign-servers', formatTable(header, rows));
}

/**
 * Serves the data, and measures the effect on an account that saves and renders continuously: first without an attack, then during each
 * attack.
 */
async function measure(dataDir: string, idleName: string, attacks: Attack[], attackMs: number): Promise<Result[]> {
  const program = await serveProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.1' });
  const victim = await retryWhileThrottled(() => register(program));
  const reader = await retryWhileThrottled(() => register(program));
  for (const { token: key } of [victim, reader]) {
    const created = await call(program, 'POST', '/api/prompts', { key, body: { name: 'a', template: 'Hello {{ name }}' } });
    assert.equal(created.status, 201);
  }
  const observer = startObserver({ url: program.url, key: victim.token, readingKey: reader.token });
  const results: Result[] = [];
  let idle: Result | undefined;
  try {
    await delay(attackMs);
    idle = await measureIdle();
    results.push(idle);
    print(idle, idle);
    for (const attack of attacks) results.push(await measureAttack(attack));
  } finally {
    await observer.stop();
    await program.stop();
  }
  return results;

  async function measureIdle(): Promise<Result> {
    await observer.take();
    await delay(attackMs * idleAttacks);
    return { family: 'idle', name: idleName, statuses: {}, attackerMs: 0, ...summarize(await observer.take()) };
  }

  /** Repeats an attack that does not pass, because the machine may have been slow for a moment. */
  async function measureAttack({ family, name, hostileCase, accountOf }: Attack): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const reference = attempt === 1 && idle ? idle : await measureIdle();
      const attacker = createAttacker(program.url, await accountOf(program));
      await hostileCase.prepare?.(attacker);
      await observer.take();
      const responses = await attack(hostileCase, attacker, attackMs);
      const result = { family, name, ...responses, ...summarize(await observer.take()) };
      const hasPassed = print(result, reference);
      if (hasPassed) return result;
      if (attempt === maxAttempts) {
        process.exitCode = 1;
        return result;
      }
    }
  }
}

/** Registers an account for each full workspace, and fills the workspaces. */
async function createFullWorkspaces(dataDir: string): Promise<Record<FullWorkspace, TestAccount>> {
  const program = await serveProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const accounts: Partial<Record<FullWorkspace, TestAccount>> = {};
  try {
    for (const workspace of fullWorkspaces) accounts[workspace] = await retryWhileThrottled(() => register(program));
  } finally {
    await program.stop();
  }
  // Each full workspace has an account now.
  const registered = accounts as Record<FullWorkspace, TestAccount>;
  for (const workspace of fullWorkspaces) fillWorkspace(dataDir, workspace, registered[workspace].userId);
  return registered;
}

/** Returns the cases whose family and name contain `text`. */
function chooseCases(text = '', otherCases = 0) {
  const attacks = Object.entries(hostileCases).flatMap(([family, cases]) =>
    Object.entries(cases)
      .filter(([name]) => `${family}: ${name}`.includes(text))
      .map(
        ([name, hostileCase]): Attack => ({
          family,
          name,
          hostileCase,
          accountOf: (program) => retryWhileThrottled(() => register(program)),
        }),
      ),
  );
  const fullAttacks = Object.entries(fullCases)
    .filter(([name]) => `${fullFamily}: ${name}`.includes(text))
    .map(([name, fullCase]) => ({ name, ...fullCase }));
  if (attacks.length + fullAttacks.length + otherCases === 0)
    throw new UsageError(`No hostile case has this in its family or name: ${text}`);
  return { attacks, fullAttacks };
}

/** Writes the results to the document. */
async function documentResults(results: Result[]): Promise<void> {
  const rows = results.map(({ family, name, statuses, worstHealthMs, p99Ms, attackerMs, failures }) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    return [family, name, worstHealthMs, ...observedUses.map((use) => p99Ms[use]), attackerMs, counts.join(', '), failures.length || ''];
  });
  const p99s = observedUses.map((use) => `${use}, p99, ms`);
  const figures = ['`/healthz`, slowest, ms', ...p99s, 'attacker, median, ms', 'responses to the attacker', 'failures of others'];
  await updateDocument('hostile', formatTable(['family', 'case', ...figures], rows));
}

/** Repeats the attack for a while, and counts the responses by status. */
async function attack(
  { attack: once }: HostileCase,
  attacker: ReturnType<typeof createAttacker>,
  attackMs: number,
): Promise<Pick<Result, 'statuses' | 'attackerMs'>> {
  const statuses: Record<string, number> = {};
  const durations: number[] = [];
  const end = performance.now() + attackMs;
  while (performance.now() < end) {
    const started = performance.now();
    for (const { status } of await once(attacker)) statuses[status] = (statuses[status] ?? 0) + 1;
    durations.push(performance.now() - started);
  }
  return { statuses, attackerMs: percentile(durations, 0.5) };
}

function summarize({ health, failures, ...durations }: Observation): Pick<Result, 'worstHealthMs' | 'p99Ms' | 'failures'> {
  const p99 = (use: ObservedUse) => percentile(durations[use], 0.99);
  return {
    worstHealthMs: percentile(health, 1),
    p99Ms: { verify: p99('verify'), read: p99('read'), render: p99('render'), save: p99('save') },
    failures,
  };
}

function percentile(durations: number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
}

/** Returns the results that do not pass. */
function findProblems({ family, name, p99Ms, attackerMs, failures }: Result, idle: Result): string[] {
  const maxRatioOf = (use: ObservedUse) => ownRatios[name] ?? maxRatios[use];
  const isSlow = (use: ObservedUse) => p99Ms[use] > maxRatioOf(use) * idle.p99Ms[use] && (use !== 'save' || p99Ms.save > maxSaveMs);
  return [
    ...observedUses.filter(isSlow).map((use) => `${use} took ${(p99Ms[use] / idle.p99Ms[use]).toFixed(1)} times as long`),
    // An export may take longer, because it downloads the whole workspace.
    ...(family === fullFamily && !name.startsWith('exports') && attackerMs > maxScanMs ? [`the attacker waited ${attackerMs} ms`] : []),
    ...new Set(failures),
  ];
}

/** Prints a result. Returns whether it passes. */
function print(result: Result, idle: Result): boolean {
  const { family, name, statuses, worstHealthMs, p99Ms, attackerMs } = result;
  const problems = findProblems(result, idle);
  const figures = observedUses.map((use) => `${use} ${p99Ms[use]}`).join(', ');
  const verdict = problems.length === 0 ? 'passed' : `FAILED: ${problems.slice(0, 3).join('; ')}`;
  const counts = JSON.stringify(statuses);
  process.stdout.write(`${family}: ${name}: health ${worstHealthMs}, ${figures}, attacker ${attackerMs} ms, ${counts}: ${verdict}\n`);
  return problems.length === 0;
}

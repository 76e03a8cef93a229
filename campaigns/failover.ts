import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../test/support/random.ts';
import { startCluster } from './failover/cluster.ts';
import { type FaultName, faultsOfTheLease, possibleFaults, survivedFaults } from './failover/faults.ts';
import { startInstances } from './failover/instances.ts';
import { describeVersions, findPatroni, installPackages } from './failover/packages.ts';
import { describeRound, formatTable, isFailed } from './failover/report.ts';
import { type Judgement, judge, type Round, runRound, startClients, stopClients } from './failover/round.ts';
import { print, updateDocument } from './lib/report.ts';
import { toCount, UsageError } from './lib/settings.ts';

interface Options {
  seed: number | undefined;
  failovers: number;
  withLease: boolean;
  patroni: 'installed' | 'newer';
  only: FaultName[];
  /** Whether to write the results to the document. Only a complete run does that. */
  isDocumented: boolean;
}

/**
 * Fails over a PostgreSQL cluster under Patroni, with three instances of the service on it. If the instances run without the lease of the
 * primary, the campaign must find a violation.
 */
export async function run(args: string[] = []): Promise<void> {
  const options = parseOptions(args);
  await installPackages();
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-failover-'));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const random = createRandom(options.seed);
  const patroni = await findPatroni(options.patroni, folder);
  const versions = await describeVersions(patroni);
  print(`Seed ${random.seed}. ${versions}. Logs in ${folder}`);

  const started = performance.now();
  const cluster = await startCluster({ folder, patroni });
  const rounds: Round[] = [];
  let whole: Judgement | undefined;
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
    print('Ends after this failover …');
  });
  try {
    const instances = await startInstances(cluster, { folder, withLease: options.withLease });
    const clients = await startClients(instances, { dataDir: join(folder, 'service'), env: { DATABASE_URL: cluster.urls.proxy } });
    for (const fault of chooseFaults(options, random)) {
      const round = await runRound(fault, { cluster, instances, clients, random });
      rounds.push(round);
      print(`${rounds.length}. ${describeRound(round)}`);
      if (round.isTimelineLost || isInterrupted) break;
    }
    await stopClients(clients);
    whole = await judge({ clients, refusals: instances.refusals.splice(0), from: 0, settledAt: Infinity });
    await instances.stop();
  } finally {
    await cluster.stop();
  }

  const minutes = Math.round((performance.now() - started) / 60_000);
  const summary = `Seed ${random.seed}, ${rounds.length} failovers in ${minutes} minutes; ${versions}.`;
  const inAll = `In the whole history: ${whole?.stale.length} stale accepts, ${whole?.refused.length} good keys refused, ${whole?.misapplied.length} of ${whole?.scheduled} scheduled moves not exactly once.`;
  const table = `${formatTable(rounds)}\n\n${inAll}`;
  print(`${summary}\n\n${table}`);
  if (options.isDocumented && !isInterrupted)
    await updateDocument(options.withLease ? 'failover' : 'failover without lease', `${summary}\n\n${table}`);
  conclude(options, { rounds, whole }, { seed: random.seed, folder, args });
  if (process.exitCode === undefined) await rm(folder, { recursive: true });
}

function parseOptions(args: string[]): Options {
  const values = parseValues(args);
  const withLease = !values['without-lease'];
  const only = possibleFaults.filter((name) => (values.fault ?? (withLease ? survivedFaults : faultsOfTheLease)).includes(name));
  if (only.length < (values.fault?.length ?? 1)) throw new UsageError(`--fault is one of: ${possibleFaults.join('; ')}`);
  if (values.patroni !== 'newer' && values.patroni !== 'installed') throw new UsageError('--patroni is newer or installed');
  return {
    seed: values.seed === undefined ? undefined : toCount(values.seed, '--seed'),
    failovers: toCount(values.failovers ?? (withLease ? '36' : '3'), '--failovers'),
    withLease,
    patroni: values.patroni,
    only,
    isDocumented: values.patroni === 'newer' && values.fault === undefined && values.failovers === undefined,
  };
}

function parseValues(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seed: { type: 'string' },
        failovers: { type: 'string' },
        'without-lease': { type: 'boolean', default: false },
        patroni: { type: 'string', default: 'newer' },
        fault: { type: 'string', multiple: true },
      },
    }).values;
  } catch (err) {
    throw new UsageError(err instanceof Error ? err.message : String(err));
  }
}

/** Returns the faults of the rounds. Each fault occurs equally often, in random order. */
function chooseFaults({ failovers, only }: Options, random: Random): FaultName[] {
  const rest = Array.from({ length: failovers }, (_each, index) => only[index % only.length]).filter((name) => name !== undefined);
  return Array.from({ length: rest.length }, () => rest.splice(random.below(rest.length), 1)).flat();
}

function conclude(
  { withLease }: Options,
  { rounds, whole }: { rounds: Round[]; whole: Judgement | undefined },
  { seed, folder, args }: { seed: number; folder: string; args: string[] },
): void {
  const failed = rounds.filter(isFailed);
  const violations = (whole?.stale.length ?? 0) + (whole?.refused.length ?? 0) + (whole?.misapplied.length ?? 0);
  if (withLease ? failed.length === 0 && violations === 0 : violations > 0) return;
  process.exitCode = 1;
  const rest = args.filter((arg) => !arg.startsWith('--seed'));
  print(
    withLease
      ? `FAILED: ${failed.length} of ${rounds.length} failovers.`
      : 'FAILED: without the lease, a violation should have been found.',
  );
  if (rounds.some(({ isTimelineLost }) => isTimelineLost)) {
    print('The cluster went on with a server that it had replaced. What was lost with the newer timeline, the service cannot keep.');
  }
  print(`Logs are in ${folder}. The same faults again: npm run campaign -- failover ${[...rest, `--seed=${seed}`].join(' ')}`);
}

import { setTimeout as delay } from 'node:timers/promises';
import { startLabelWorkload } from '../test/consistency/label-workload.ts';
import { countRemovals } from '../test/consistency/membership-history.ts';
import { startMembershipWorkload } from '../test/consistency/membership-workload.ts';
import { startScheduleWorkload } from '../test/consistency/schedule-workload.ts';
import { startWorkload } from '../test/consistency/workload.ts';
import { call } from '../test/support/client.ts';
import { serveProgram } from '../test/support/process.ts';
import { type Clients, type Judgement, judge, stopClients } from './failover/round.ts';
import { createDatabase } from './lib/databases.ts';
import { conclude, print, showProgress, watchInterrupt } from './lib/report.ts';
import { parseSettings } from './lib/settings.ts';
import { type FaultName, faultNames, faults, type Stage } from './revocation/faults.ts';

/** The minimum number of removed members for each reset of a key. */
const removalShare = 0.2;
const calmMs = 2000;

interface Round extends Judgement {
  fault: FaultName;
}

/** Resets keys and removes members at three instances on one PostgreSQL, while the instances are killed, paused and restarted. */
export async function run(args: string[]): Promise<void> {
  const settings = parseSettings('revocation', args, { wholeSize: 10_000 });
  const { size: resets, random } = settings;
  const removals = Math.ceil(resets * removalShare);
  const startedAt = performance.now();
  const isInterrupted = watchInterrupt();
  print(`Seed ${random.seed}`);
  const database = await createDatabase('PostgreSQL');
  const { server } = database;
  if (!server) throw new Error('PostgreSQL did not start');
  const serve = () => serveProgram({ ...database.env, LOG_LEVEL: 'fatal' });
  const instances = await Promise.all([serve(), serve(), serve()]);
  const rounds: Round[] = [];
  try {
    const clients: Clients = {
      keys: await startWorkload(instances, { pauseMs: 10, waitsIfThrottled: true }),
      members: await startMembershipWorkload(instances, database, 40),
      labels: await startLabelWorkload(instances),
      schedules: await startScheduleWorkload(instances),
    };
    const stage = { server, instances, serve, keys: clients.keys, random };
    let left: FaultName[] = [];
    while ((countResets(clients) < resets || countRemovals(clients.members.changes) < removals) && !isInterrupted()) {
      if (left.length === 0) left = [...faultNames];
      const [fault] = left.splice(random.below(left.length), 1);
      if (fault) rounds.push(await runRound(fault, stage, clients));
      showProgress(
        `${countResets(clients)} of ${resets} resets, ${countRemovals(clients.members.changes)} of ${removals} removals, after ${rounds.length} faults`,
      );
    }
    await stopClients(clients);
    const whole = await judge({ clients, refusals: [], from: 0, settledAt: Infinity });
    await Promise.all(instances.map((instance) => instance.stop()));
    await conclude(settings, {
      marker: 'revocation',
      summary: `${countResets(clients)} resets and ${countRemovals(clients.members.changes)} removals at three instances, ${whole.scheduled} scheduled moves, ${rounds.length} faults`,
      versions: database.versions,
      startedAt,
      header: [
        ...['fault', 'times', 'resets', 'verifications', 'removals', 'label moves'],
        ...['stale accepts', 'good keys refused', 'lost resets', 'no response within 20 s'],
      ],
      rows: toRows(rounds, whole),
      problems: findProblems([...rounds, { ...whole, fault: 'in the whole history' }]),
    });
  } finally {
    await database.remove();
  }
}

async function runRound(fault: FaultName, stage: Stage, clients: Clients): Promise<Round> {
  const from = performance.now();
  await delay(stage.random.below(calmMs));
  await faults[fault](stage);
  await Promise.all(stage.instances.map(untilReady));
  const settledAt = performance.now();
  await delay(calmMs);
  return { fault, ...(await judge({ clients, refusals: [], from, settledAt })) };
}

async function untilReady(instance: { url: string }): Promise<void> {
  for (;;) {
    const response = await call(instance, 'GET', '/readyz').catch(() => undefined);
    if (response?.status === 200) return;
    await delay(50);
  }
}

function countResets({ keys }: Clients): number {
  return keys.history.filter(({ kind, outcome }) => kind === 'rotate' && outcome === 'accepted').length;
}

/** Returns one row for each fault, and one for the whole history, which also covers the time before the first and after the last fault. */
function toRows(rounds: Round[], whole: Judgement): (string | number)[][] {
  const sum = (group: Judgement[], figure: (round: Judgement) => number) => group.reduce((total, round) => total + figure(round), 0);
  const toRow = (name: string, times: number, group: Judgement[]) => [
    ...[name, times],
    sum(group, ({ resets }) => resets),
    sum(group, ({ verifications }) => verifications),
    sum(group, ({ removals }) => removals),
    sum(group, ({ moves }) => moves),
    sum(group, ({ stale }) => stale.length),
    sum(group, ({ refused }) => refused.length),
    sum(group, ({ lost }) => lost),
    sum(group, ({ unanswered }) => unanswered),
  ];
  const groups = Object.entries(Object.groupBy(rounds, ({ fault }) => fault)).sort(([one], [other]) => (one < other ? -1 : 1));
  const surprises = { unanswered: sum(rounds, ({ unanswered }) => unanswered) + whole.unanswered };
  return [
    ...groups.map(([fault, group]) => toRow(fault, group?.length ?? 0, group ?? [])),
    toRow('in the whole history', rounds.length, [{ ...whole, ...surprises }]),
  ];
}

function findProblems(rounds: (Judgement & { fault: string })[]): string[] {
  return rounds.flatMap(({ fault, stale, refused, misapplied, lost, surprises }) =>
    [...stale, ...refused, ...misapplied, ...surprises, ...(lost > 0 ? [`${lost} lost resets`] : [])].map(
      (problem) => `${fault}: ${problem}`,
    ),
  );
}

import { setTimeout as delay } from 'node:timers/promises';
import { findViolations } from '../../test/consistency/history.ts';
import { findStaleReads } from '../../test/consistency/label-history.ts';
import { type LabelWorkload, startLabelWorkload } from '../../test/consistency/label-workload.ts';
import { type Change, findMembershipViolations, type Probe } from '../../test/consistency/membership-history.ts';
import { type MembershipWorkload, startMembershipWorkload } from '../../test/consistency/membership-workload.ts';
import { type ScheduleWorkload, startScheduleWorkload } from '../../test/consistency/schedule-workload.ts';
import { startWorkload, type Workload } from '../../test/consistency/workload.ts';
import type { Random } from '../../test/support/random.ts';
import type { Cluster } from './cluster.ts';
import { type FaultName, faults } from './faults.ts';
import type { Instances } from './instances.ts';

/** The requests that clients send all the time, and their recorded results. */
export interface Clients {
  keys: Workload;
  members: MembershipWorkload;
  labels: LabelWorkload;
  schedules: ScheduleWorkload;
}

export interface Round {
  fault: FaultName;
  leaders: [from: string, to: string];
  timelines: [from: number, to: number];
  /** The time until another server became the leader. */
  takeoverMs: number;
  /** The longest period in which an instance served no request successfully. */
  outageMs: number;
  resets: number;
  verifications: number;
  removals: number;
  moves: number;
  /** The number of scheduled moves since the start of the campaign. */
  scheduled: number;
  /** Scheduled moves that happened twice, or were lost. */
  misapplied: string[];
  /** Invalid keys, removed members and earlier positions of labels that were still accepted or shown. */
  stale: string[];
  /** Valid keys and members that were refused. */
  refused: string[];
  /** The number of acknowledged resets that were lost. */
  lost: number;
  /** Requests without a response within 20 seconds. Unanswered requests mean that the machine is too busy for the campaign. */
  unanswered: number;
  /** Responses that no client expects. */
  surprises: string[];
  /** Whether the cluster continued with a server that had been replaced, so that changes acknowledged on the newer timeline were lost. */
  isTimelineLost: boolean;
}

const calmMs = 3000;

export async function startClients(instances: Instances, database: { dataDir: string; env: Record<string, string> }): Promise<Clients> {
  return {
    keys: await startWorkload(instances.busy, { clientCount: 12, pauseMs: 40, waitsIfThrottled: true }),
    members: await startMembershipWorkload(instances.busy, database, 150),
    labels: await startLabelWorkload(instances.busy),
    schedules: await startScheduleWorkload(instances.busy),
  };
}

export async function stopClients({ keys, members, labels, schedules }: Clients): Promise<void> {
  await Promise.all([keys.stop(), members.stop(), labels.stop(), schedules.stop()]);
}

/** Triggers one fault, waits until everything works again, and checks the whole history. */
export async function runRound(
  fault: FaultName,
  { cluster, instances, clients, random }: { cluster: Cluster; instances: Instances; clients: Clients; random: Random },
): Promise<Round> {
  await delay(calmMs);
  const primary = await cluster.untilHealthy();
  const timeline = await readTimeline(primary);
  instances.takeOutageMs();
  const from = performance.now();
  let newest = timeline;
  let takeoverMs = 0;
  const watching = new AbortController();
  const watched = watchTimelines();
  await faults[fault]({ cluster, instances, primary, random });
  const leader = await cluster.untilHealthy();
  await instances.untilServing();
  const settledAt = performance.now();
  await delay(calmMs);
  watching.abort();
  await watched;
  const settledTimeline = await readTimeline(leader);

  return {
    fault,
    leaders: [primary.name, leader.name],
    timelines: [timeline, settledTimeline],
    takeoverMs,
    outageMs: instances.takeOutageMs(),
    ...(await judge({ clients, refusals: instances.refusals.splice(0), from, settledAt })),
    isTimelineLost: settledTimeline < newest,
  };

  async function watchTimelines(): Promise<void> {
    while (!watching.signal.aborted) {
      const state = await cluster.findState(primary);
      if (state?.leader && state.leader !== primary) takeoverMs ||= performance.now() - from;
      newest = Math.max(newest, state?.timeline ?? 0);
      await delay(300);
    }
  }
}

export type Judgement = Pick<
  Round,
  'resets' | 'verifications' | 'removals' | 'moves' | 'scheduled' | 'misapplied' | 'stale' | 'refused' | 'lost' | 'unanswered' | 'surprises'
>;

/** Checks the whole history, and reports what is wrong with the calls that ended after `from`. */
export async function judge({
  clients,
  refusals,
  from,
  settledAt,
}: {
  clients: Clients;
  /** The 401 responses to keys that were never reset. */
  refusals: string[];
  from: number;
  settledAt: number;
}): Promise<Judgement> {
  const { keys, members, labels, schedules } = clients;
  const { applied, violations: misapplied } = await schedules.inspect();
  const isNew = ({ end }: { end: number }) => end > from;
  const surprises = [keys, members, labels, schedules].flatMap((workload) => workload.surprises.splice(0));
  const isUnanswered = (text: string) => text.includes('no response within');
  const violations = findViolations(keys.history).filter(({ call }) => isNew(call));
  const refusedKeys = violations.filter(({ rule }) => rule === 'living key refused');
  const places = findMembershipViolations(members.changes, members.probes).filter(({ probe }) => isNew(probe));
  const calls = keys.history.filter(isNew).filter(({ outcome }) => outcome === 'accepted');
  return {
    resets: calls.filter(({ kind }) => kind === 'rotate').length,
    verifications: calls.filter(({ kind }) => kind === 'verify').length,
    removals: members.changes.filter((change) => isNew(change) && change.to === 'stranger' && change.outcome === 'confirmed').length,
    moves: labels.moves.filter((move) => isNew(move) && move.outcome === 'confirmed').length,
    scheduled: applied,
    misapplied,
    stale: [
      ...violations.filter(({ rule }) => rule !== 'living key refused').map(({ rule, call }) => `${rule} (${call.kind})`),
      ...places.filter(({ rule }) => rule === 'stale accept').map(({ probe }) => describeProbe(probe, members.changes, from)),
      ...findStaleReads(labels.moves, labels.reads)
        .filter(isNew)
        .map(({ version }) => `version ${version} after its label was moved`),
    ],
    refused: [
      ...refusedKeys.map(({ rule }) => rule),
      ...places.filter(({ rule }) => rule === 'member refused').map(({ rule }) => rule),
      ...refusals,
    ],
    lost: new Set(refusedKeys.filter(({ call }) => call.start > settledAt).map(({ call }) => call.key)).size,
    unanswered: surprises.filter(isUnanswered).length,
    surprises: surprises.filter((text) => !isUnanswered(text)),
  };
}

/** Describes a wrong response, with the changes of the member before and after it, in milliseconds since the fault. */
function describeProbe(probe: Probe, changes: Change[], from: number): string {
  const near = changes.filter(({ member, end }) => member === probe.member && end > probe.start - 60_000);
  const span = ({ start, end }: { start: number; end: number }) => `${Math.round(start - from)} to ${Math.round(end - from)}`;
  const history = near.map(({ to, outcome, ...change }) => `${to} ${outcome} ${span(change)}`);
  return `${probe.from} who was less, ${span(probe)}: ${history.join(', ')}`;
}

/** Returns the timeline, which is the first eight digits in the name of PostgreSQL's current log file. */
async function readTimeline(node: { query(sql: string): Promise<Record<string, unknown>[]> }): Promise<number> {
  const [row] = await node.query('select pg_walfile_name(pg_current_wal_lsn()) as name');
  return Number.parseInt(String(row?.name).slice(0, 8), 16);
}

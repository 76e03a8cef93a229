import { setTimeout as delay } from 'node:timers/promises';
import { findViolations } from '../../test/consistency/history.ts';
import { findStaleReads } from '../../test/consistency/label-history.ts';
import { type LabelWorkload, startLabelWorkload } from '../../test/consistency/label-workload.ts';
import { startWorkload, type Workload } from '../../test/consistency/workload.ts';
import type { ServedProgram } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';
import { findErrors } from '../../test/support/writers/kill-round.ts';
import { startWriters } from '../../test/support/writers/start-writers.ts';
import { OutcomeUnknown, type Target, type Writer } from '../../test/support/writers/writer.ts';

export interface WriteResults {
  /** The number of acknowledged changes of every kind. */
  writes: number;
  /** The requests that got no response. */
  unanswered: string[];
  /** The number of requests that got a 503, as they may on a busy machine. */
  unavailable: number;
  problems: string[];
}

/** The writes and observations of clients while instances of one version replaced the instances of the other version. */
export interface Rollout extends WriteResults {
  direction: 'to the newer version' | 'back to the earlier version';
  replaced: number;
  resets: number;
  moves: number;
}

export interface Clients {
  keys: Workload;
  labels: LabelWorkload;
  writers: Writer[];
}

const calmMs = 1500;
const drainMs = 1000;

/** An earlier version may not support all kinds of writes. */
export async function startClients(instances: Target[], random: Random, { isEarlier = false } = {}): Promise<Clients> {
  const [first] = instances;
  if (!first) throw new Error('No instances');
  return {
    writers: await startWriters(first, random, { isEarlier }),
    keys: await startWorkload(instances, { clientCount: 8, pauseMs: 20 }),
    labels: await startLabelWorkload(instances),
  };
}

interface Plan {
  direction: Rollout['direction'];
  /** The instances that get requests. A replaced instance keeps its position in the list. */
  instances: ServedProgram[];
  serve(): Promise<ServedProgram>;
  clients: Clients;
  random: Random;
}

/**
 * Replaces one instance after another under load. After each replacement, looks up the acknowledged changes at an instance of either
 * version.
 */
export async function rollOut({ direction, instances, serve, clients, random }: Plan): Promise<Rollout> {
  const from = performance.now();
  const rollout: Rollout = { direction, replaced: 0, resets: 0, moves: 0, writes: 0, unanswered: [], unavailable: 0, problems: [] };
  for (const [index, earlier] of instances.entries()) {
    const writing = startWriting(instances, { clients, random, results: rollout });
    await delay(random.below(calmMs));
    const replacement = await serve();
    await delay(random.below(calmMs));
    instances[index] = replacement;
    // Acts like a load balancer: requests that were sent before still arrive.
    await delay(drainMs);
    const { code, stdout } = await earlier.stop();
    if (code !== 0) rollout.problems.push(`an instance ended with code ${code}`);
    rollout.problems.push(...findErrors(stdout));
    await delay(calmMs);
    await writing.stop();
    for (const writer of clients.writers) rollout.problems.push(...(await writer.verify(random.pick(instances))));
    rollout.replaced += 1;
  }
  return { ...rollout, ...judge(clients, from), problems: [...rollout.problems, ...findProblems(clients, from)] };
}

interface Writing {
  clients: Clients;
  random: Random;
  results: WriteResults;
}

/** Makes all clients write at random instances until they are stopped. */
export function startWriting(instances: Target[], { clients, random, results }: Writing): { stop(): Promise<void> } {
  let isOver = false;
  const write = async (writer: Writer) => {
    while (!isOver) {
      try {
        await writer.write(random.pick(instances));
        results.writes += 1;
      } catch (err) {
        if (!(err instanceof OutcomeUnknown)) results.problems.push(String(err));
        else if (err.isUnavailable) results.unavailable += 1;
        else results.unanswered.push(err.message);
        // Unknown results stay unknown until they are verified.
        return;
      }
      await delay(5);
    }
  };
  const writing = Promise.all(clients.writers.map(write));
  return {
    async stop() {
      isOver = true;
      await writing;
    },
  };
}

/** Counts the acknowledged key resets and label moves that ended after `from`. */
export function judge({ keys, labels }: Clients, from: number): Pick<Rollout, 'resets' | 'moves'> {
  return {
    resets: keys.history.filter(({ kind, outcome, end }) => kind === 'rotate' && outcome === 'accepted' && end > from).length,
    moves: labels.moves.filter(({ outcome, end }) => outcome === 'confirmed' && end > from).length,
  };
}

/** Checks the whole history, and reports problems of calls that ended after `from`. */
export function findProblems({ keys, labels }: Clients, from: number): string[] {
  const isNew = ({ end }: { end: number }) => end > from;
  return [
    ...keys.surprises.splice(0),
    ...labels.surprises.splice(0),
    ...findViolations(keys.history).flatMap(({ rule, call }) => (isNew(call) ? [`${rule} (${call.kind})`] : [])),
    ...findStaleReads(labels.moves, labels.reads)
      .filter(isNew)
      .map(({ version }) => `version ${version} after its label was moved`),
  ];
}

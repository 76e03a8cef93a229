import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../test/support/random.ts';
import type { Cluster, Route } from './cluster.ts';
import type { Instances } from './instances.ts';
import type { Node } from './node.ts';
import { isRoot } from './processes.ts';

/** A fault of the primary. The fault lasts until another server has taken over and the cause is removed. Returns the new primary. */
export type Fault = (scene: Scene) => Promise<Node>;

export interface Scene {
  cluster: Cluster;
  instances: Instances;
  primary: Node;
  random: Random;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const longestLeaseMs = 10_000;

export const faults = {
  'primary and Patroni killed': async ({ cluster, primary }) => {
    await primary.kill();
    const leader = await cluster.untilReplaced(primary);
    primary.start();
    return leader;
  },
  'paused, PostgreSQL resumed first': (scene) => pauseAndResume(scene, { quiet: chooseQuiet(scene), patroniLaterMs: chooseDelayMs(scene) }),
  'paused under load': (scene) => pauseAndResume(scene, { quiet: [], patroniLaterMs: chooseDelayMs(scene) }),
  'paused, resumed together': (scene) => pauseAndResume(scene, { quiet: chooseQuiet(scene), patroniLaterMs: 0 }),
  'cut off from etcd': async ({ cluster, primary, random }) => {
    primary.cutEtcd();
    const leader = await cluster.untilReplaced(primary);
    await delay(random.below(6000));
    primary.restore();
    return leader;
  },
  'cut off from everyone': async ({ cluster, primary, random }) => {
    primary.cutAll();
    const leader = await cluster.untilReplaced(primary);
    await delay(random.below(6000));
    primary.restore();
    return leader;
  },
  switchover: async ({ cluster, primary }) => {
    const body = JSON.stringify({ leader: primary.name });
    const response = await fetch(`${primary.restUrl}/switchover`, { method: 'POST', body });
    if (!response.ok) throw new Error(`Switchover: ${response.status} ${await response.text()}`);
    return cluster.untilReplaced(primary);
  },
  'disk full': async ({ cluster, primary }) => {
    const free = await primary.fillDisk();
    const leader = await cluster.untilReplaced(primary);
    await free();
    return leader;
  },
  'clock of an instance set, paused': async (scene) => {
    const { instances, random } = scene;
    const instance = random.pick(instances.all);
    await instance.shiftClock((minuteMs + random.below(dayMs)) * random.pick([1, -1]));
    const leader = await pauseAndResume(scene, { quiet: chooseQuiet(scene), patroniLaterMs: chooseDelayMs(scene) });
    await instance.shiftClock(0);
    return leader;
  },
  'Patroni paused alone': async ({ cluster, primary }) => {
    primary.pause('Patroni');
    const leader = await cluster.untilReplaced(primary);
    await delay(longestLeaseMs);
    primary.resume('Patroni');
    return leader;
  },
} satisfies Record<string, Fault>;

/** Only root can create a disk that is small enough to be filled. */
export const possibleFaults: FaultName[] = (Object.keys(faults) as FaultName[]).filter((name) => isRoot || name !== 'disk full');

/**
 * The faults for which the service guarantees that nothing is stale. After a failure of Patroni alone, only a watchdog can guarantee this.
 */
export const survivedFaults = possibleFaults.filter((name) => name !== 'Patroni paused alone');

/**
 * The faults after which an old primary returns without knowing that it was replaced. Without the lease, the service would trust such a
 * server.
 */
export const faultsOfTheLease: FaultName[] = ['paused, PostgreSQL resumed first'];

export type FaultName = keyof typeof faults;

interface Pause {
  /** The instances that get no requests during the fault, so that they do not notice it and keep their connections. */
  quiet: Route[];
  /** The delay between resuming PostgreSQL and resuming its Patroni. */
  patroniLaterMs: number;
}

function chooseQuiet({ random }: Scene): Route[] {
  return random.pick<Route[]>([['keeping proxy'], ['hosts', 'keeping proxy']]);
}

function chooseDelayMs({ random }: Scene): number {
  return 3000 + random.below(12_000);
}

/**
 * Pauses the primary until another server has taken over. The old primary then responds with its old data until its Patroni resumes too.
 */
async function pauseAndResume({ cluster, instances, primary, random }: Scene, { quiet, patroniLaterMs }: Pause): Promise<Node> {
  instances.busy.splice(0, Infinity, ...instances.all.filter(({ route }) => !quiet.includes(route)));
  primary.pause('Patroni');
  primary.pause('PostgreSQL');
  const leader = await cluster.untilReplaced(primary);
  // Leaves time for resets on the new primary.
  await delay(2000 + random.below(4000));
  primary.resume('PostgreSQL');
  instances.busy.splice(0, Infinity, ...instances.all);
  await delay(patroniLaterMs);
  primary.resume('Patroni');
  return leader;
}

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Workload } from '../../test/consistency/workload.ts';
import type { PostgresServer } from '../../test/support/postgres/server.ts';
import type { ServedProgram } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';

export interface Stage {
  server: PostgresServer;
  /** The three instances. An instance that is killed is replaced. */
  instances: ServedProgram[];
  serve(): Promise<ServedProgram>;
  keys: Workload;
  random: Random;
}

/** This time is longer than the lease of the primary, and shorter than the timeout of clients. */
const maxPauseMs = 12_000;
const maxOutageMs = 3000;

/** The faults of instances and their database. Each function resolves when its fault is over. */
export const faults = {
  async 'an instance is killed'({ instances, serve, keys, random }) {
    const index = random.below(instances.length);
    const victim = instances[index];
    assert.ok(victim);
    await keys.untilRotating(victim);
    await delay(random.below(20));
    await replace(index, { instances, serve });
  },
  async 'all instances are killed'({ instances, serve, random }) {
    await delay(random.below(100));
    await Promise.all(instances.map((_instance, index) => replace(index, { instances, serve })));
  },
  async 'an instance is paused'({ instances, random }) {
    const { child } = random.pick(instances);
    child.kill('SIGSTOP');
    await delay(random.below(maxPauseMs));
    child.kill('SIGCONT');
  },
  async 'an instance is paused again and again'({ instances, random }) {
    const { child } = random.pick(instances);
    for (let pause = 0; pause < 10; pause += 1) {
      child.kill('SIGSTOP');
      await delay(random.below(300));
      child.kill('SIGCONT');
      await delay(random.below(300));
    }
  },
  async 'PostgreSQL crashes'({ server, random }) {
    const startAgain = await server.interrupt('SIGQUIT');
    await delay(random.below(maxOutageMs));
    await startAgain();
  },
  async 'PostgreSQL is restarted'({ server, random }) {
    const startAgain = await server.interrupt('SIGINT');
    await delay(random.below(maxOutageMs));
    await startAgain();
  },
  async 'PostgreSQL is paused'({ server, random }) {
    const resume = server.pause();
    await delay(random.below(maxPauseMs));
    resume();
  },
  async 'PostgreSQL crashes while an instance is paused'({ server, instances, random }) {
    const { child } = random.pick(instances);
    child.kill('SIGSTOP');
    const startAgain = await server.interrupt('SIGQUIT');
    await startAgain();
    await delay(random.below(maxOutageMs));
    child.kill('SIGCONT');
  },
} satisfies Record<string, (stage: Stage) => Promise<void>>;

export type FaultName = keyof typeof faults;
// `Object.keys` returns strings, but an object literal has no other keys than the declared ones.
export const faultNames = Object.keys(faults) as FaultName[];

async function replace(index: number, { instances, serve }: Pick<Stage, 'instances' | 'serve'>): Promise<void> {
  await instances[index]?.kill();
  instances[index] = await serve();
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, register } from '../../test/support/client.ts';
import { type ServedProgram, serveProgram } from '../../test/support/process.ts';
import { type Cluster, type Route, routes } from './cluster.ts';

/** One instance of the service for each kind of connection to the database. */
export interface Instances {
  all: Instance[];
  /** The instances that get requests now. An instance without requests keeps its connections to a server that does not respond. */
  busy: Instance[];
  /**
   * Returns the longest period since the last call in which an instance served no request successfully. Periods without requests do not
   * count.
   */
  takeOutageMs(): number;
  /** The 401 responses to a key that was never reset. */
  refusals: string[];
  /** Waits until all instances accept a key. */
  untilServing(): Promise<void>;
  stop(): Promise<void>;
}

export interface Instance extends ServedProgram {
  route: Route;
  /** Sets the clock forward or back. The value 0 sets the clock right again. */
  shiftClock(ms: number): Promise<void>;
}

const watchEveryMs = 200;

export interface InstancesOptions {
  folder: string;
  withLease: boolean;
}

export async function startInstances({ urls }: Cluster, { folder, withLease }: InstancesOptions): Promise<Instances> {
  const all: Instance[] = [];
  for (const route of routes) all.push(await startInstance(route, urls[route], { folder, withLease }));
  const busy = [...all];
  const { token: key } = await register(all[0] ?? { url: '' });
  const refusals: string[] = [];
  let longestMs = 0;
  let running = true;

  async function verify(instance: Instance): Promise<boolean> {
    try {
      const { status } = await call(instance, 'GET', '/api/auth/token', { key, signal: AbortSignal.timeout(20_000) });
      if (status === 401) refusals.push(`${instance.route}: 401 for a key that was never reset`);
      return status === 200;
    } catch {
      return false;
    }
  }

  const watching = all.map(async (instance) => {
    let servedAt = performance.now();
    while (running) {
      const isWatched = busy.includes(instance);
      const isServed = isWatched && (await verify(instance));
      if (isServed) longestMs = Math.max(longestMs, performance.now() - servedAt);
      if (isServed || !isWatched) servedAt = performance.now();
      await delay(watchEveryMs);
    }
  });

  return {
    all,
    busy,
    takeOutageMs() {
      const result = longestMs;
      longestMs = 0;
      return result;
    },
    refusals,
    async untilServing() {
      for (const instance of all) while (!(await verify(instance))) await delay(watchEveryMs);
    },
    async stop() {
      running = false;
      await Promise.all(watching);
      await Promise.all(all.map((instance) => instance.stop()));
    },
  };
}

async function startInstance(route: Route, databaseUrl: string, { folder, withLease }: InstancesOptions): Promise<Instance> {
  const clockFile = join(folder, `clock ${route}`);
  const program = await serveProgram({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a secret for tests, long enough to be taken',
    DATA_DIR: join(folder, 'service'),
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import ${new URL('clock.ts', import.meta.url)}`,
    CLOCK_FILE: clockFile,
    ...(!withLease && { PRIMARY_LEASE_MS: '0' }),
  });
  return {
    ...program,
    route,
    async shiftClock(ms) {
      await writeFile(clockFile, String(ms));
      program.child.kill('SIGUSR2');
    },
  };
}

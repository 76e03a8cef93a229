import { createPostgresDatabase } from '../test/support/engines.ts';
import type { PostgresServer } from '../test/support/postgres/server.ts';
import { type ServedProgram, serveProgram } from '../test/support/process.ts';
import type { Random } from '../test/support/random.ts';
import { createDatabase } from './lib/databases.ts';
import { conclude, print, showProgress, watchInterrupt } from './lib/report.ts';
import { parseSettings } from './lib/settings.ts';
import { buildEarlier, type EarlierBuild } from './upgrade/earlier-build.ts';
import { type Rollout, rollOut, startClients } from './upgrade/rolling.ts';

const instanceCount = 3;

interface Round {
  rollouts: Rollout[];
  /** Whether an instance of the earlier version refused to start after the first newer instance had started. */
  isRefused: boolean;
}

/**
 * Runs an earlier version and this one side by side on one PostgreSQL, under load. Restarts the instances one by one with the newer version
 * and, if both have the same schema, back. If the schemas differ, an instance of the earlier version must refuse to start, and the running
 * ones must continue.
 */
export async function run(args: string[]): Promise<void> {
  const settings = parseSettings('upgrade', args, { wholeSize: 10, options: ['from'] });
  const { size, random } = settings;
  const isInterrupted = watchInterrupt();
  print(`Seed ${random.seed}`);
  const earlier = await buildEarlier(settings.options.from);
  const startedAt = performance.now();
  const database = await createDatabase('PostgreSQL');
  const { server } = database;
  if (!server) throw new Error('PostgreSQL did not start');
  const rounds: Round[] = [];
  try {
    while (rounds.length < size && !isInterrupted()) {
      rounds.push(await runRound(server, earlier, random));
      showProgress(`${rounds.length} of ${size} rounds`);
    }
  } finally {
    await database.remove();
    await earlier.remove();
  }
  const refused = rounds.filter(({ isRefused }) => isRefused).length;
  const back =
    refused > 0 ? 'the schema is newer, and the earlier version refuses to start on it, as it should' : 'both have the same schema';
  await conclude(settings, {
    marker: 'upgrade',
    summary: `${rounds.length} rounds between ${earlier.name} and this version (${back})`,
    versions: database.versions,
    startedAt,
    header: [
      'rolling restart',
      'times',
      'instances replaced',
      'resets',
      'label moves',
      'other writes',
      'without a response',
      '503',
      'problems',
    ],
    rows: toRows(rounds.flatMap(({ rollouts }) => rollouts)),
    problems: rounds.flatMap(({ rollouts }) =>
      rollouts.flatMap(({ direction, problems, unanswered }) =>
        [...problems, ...unanswered.map((text) => `no response: ${text}`)].map((text) => `${direction}: ${text}`),
      ),
    ),
  });
}

async function runRound(server: PostgresServer, { program }: EarlierBuild, random: Random): Promise<Round> {
  const database = await createPostgresDatabase(server.adminUrl);
  const env = { ...database.env, LOG_LEVEL: 'error' };
  const serveEarlier = () => serveProgram(env, program);
  const instances: ServedProgram[] = [];
  try {
    while (instances.length < instanceCount) instances.push(await serveEarlier());
    const clients = await startClients(instances, random, { isEarlier: true });
    const plan = { instances, clients, random };
    const rollouts = [await rollOut({ ...plan, direction: 'to the newer version', serve: () => serveProgram(env) })];
    const isRefused = await refusesToStart(serveEarlier);
    if (!isRefused) rollouts.push(await rollOut({ ...plan, direction: 'back to the earlier version', serve: serveEarlier }));
    await Promise.all([clients.keys.stop(), clients.labels.stop()]);
    return { rollouts, isRefused };
  } finally {
    await Promise.all(instances.map((instance) => instance.kill()));
    await database.remove();
  }
}

/** Returns whether the instance refused to start because of the schema. Any other reason for a failed start is an error. */
async function refusesToStart(serve: () => Promise<ServedProgram>): Promise<boolean> {
  try {
    await (await serve()).stop();
    return false;
  } catch (err) {
    if (err instanceof Error && err.message.includes('was written by a newer')) return true;
    throw err;
  }
}

function toRows(rollouts: Rollout[]): (string | number)[][] {
  const sum = (group: Rollout[], figure: (rollout: Rollout) => number) => group.reduce((total, rollout) => total + figure(rollout), 0);
  return Object.entries(Object.groupBy(rollouts, ({ direction }) => direction)).map(([direction, group = []]) => [
    ...[direction, group.length],
    sum(group, ({ replaced }) => replaced),
    sum(group, ({ resets }) => resets),
    sum(group, ({ moves }) => moves),
    sum(group, ({ writes }) => writes),
    sum(group, ({ unanswered }) => unanswered.length),
    sum(group, ({ unavailable }) => unavailable),
    sum(group, ({ problems }) => problems.length),
  ]);
}

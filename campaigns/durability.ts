import { serveProgram } from '../test/support/process.ts';
import { createRandom, type Random } from '../test/support/random.ts';
import { killUnderWrites } from '../test/support/writers/kill-round.ts';
import { startWriters } from '../test/support/writers/start-writers.ts';
import type { Writer } from '../test/support/writers/writer.ts';
import { type CampaignDatabase, createDatabase, engineNames } from './lib/databases.ts';
import { conclude, print, showProgress, watchInterrupt } from './lib/report.ts';
import { parseSettings } from './lib/settings.ts';

/** The number of workspaces, all of which write at the same time. */
const lanes = 2;
/** On PostgreSQL, one in this many kills also kills the database. */
const killsPerCrash = 10;
const maxProblems = 50;

interface Result {
  engine: string;
  kills: number;
  crashes: number;
  /** The number of acknowledged changes, by kind. */
  acknowledged: Map<string, number>;
  problems: string[];
}

/**
 * Sends `kill -9` during writes of every kind, on both engines at the same time. All acknowledged changes must exist after each restart.
 */
export async function run(args: string[]): Promise<void> {
  const settings = parseSettings('durability', args, { wholeSize: 1000 });
  const { size: kills, random } = settings;
  const startedAt = performance.now();
  const isInterrupted = watchInterrupt();
  print(`Seed ${random.seed}`);
  const databases = await Promise.all(engineNames.map(createDatabase));
  const progress = new Map<string, string>();
  const report = ({ engine, kills: done, problems }: Result) => {
    progress.set(engine, `${engine}: ${done} of ${kills} kills, ${problems.length} problems`);
    showProgress([...progress.values()].join('; '));
  };
  const results = await Promise.all(
    databases.map((database, index) =>
      // Each engine has a separate source of random choices, so that the same seed leads to the same choices.
      killOften(database, { kills, random: createRandom(random.seed + index), isInterrupted, report }),
    ),
  ).finally(() => Promise.all(databases.map((database) => database.remove())));
  const kinds = [...new Set(results.flatMap(({ acknowledged }) => [...acknowledged.keys()]))].filter((kind) => kind !== 'revisions').sort();
  await conclude(settings, {
    marker: 'durability',
    summary: `${kills} kills on each engine`,
    versions: databases.flatMap(({ versions }) => versions),
    startedAt,
    header: ['engine', 'kills', 'of them with the database', ...kinds, 'problems'],
    rows: results.map((result) => [
      ...[result.engine, result.kills, result.crashes],
      ...kinds.map((kind) => result.acknowledged.get(kind) ?? 0),
      result.problems.length,
    ]),
    problems: results.flatMap(({ engine, problems }) => problems.map((problem) => `${engine}: ${problem}`)),
  });
}

interface Plan {
  kills: number;
  random: Random;
  isInterrupted(): boolean;
  report(result: Result): void;
}

async function killOften({ engine, env, server }: CampaignDatabase, { kills, random, isInterrupted, report }: Plan): Promise<Result> {
  const serve = () => serveProgram({ ...env, LOG_LEVEL: 'error' });
  const result: Result = { engine, kills: 0, crashes: 0, acknowledged: new Map(), problems: [] };
  const { acknowledged, problems } = result;
  const onAcknowledged = ({ kind }: Writer) => void acknowledged.set(kind, (acknowledged.get(kind) ?? 0) + 1);
  let service = await serve();
  const writers: Writer[] = [];
  for (let lane = 0; lane < lanes; lane += 1) writers.push(...(await startWriters(service, random)));

  while (result.kills < kills && problems.length < maxProblems && !isInterrupted()) {
    const crashed = server && random.below(killsPerCrash) === 0 ? server : undefined;
    const onKill = crashed && (() => crashed.interrupt('SIGQUIT'));
    const round = await killUnderWrites(service, { writers, random, serve, onAcknowledged, ...(onKill && { onKill }) });
    service = round.service;
    problems.push(...round.problems);
    result.kills += 1;
    if (crashed) result.crashes += 1;
    report(result);
  }
  await service.stop();
  return result;
}

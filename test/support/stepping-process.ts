/** A process that looks at all releases or proposals once. A test kills it before or after the commit of its first change. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { applyDueProposals } from '../../src/domain/proposals/due-proposals.ts';
import { stepReleases } from '../../src/domain/releases/release-steps.ts';
import { openContext } from '../../src/service.ts';
import type { Store } from '../../src/store/store.ts';
import type { TestDatabase } from './engines.ts';
import { badResults, createReaders } from './guarded-releases.ts';
import { reap } from './reaper.ts';
import { fileOf, sourceProgram } from './source-program.ts';

export type Moment = 'before the commit' | 'after the commit';

/** Starts a process that looks at all releases, which have bad results, and kills it at the given moment. */
export const stepAndKill = (database: TestDatabase, moment: Moment): Promise<void> => runAndKill(database, { moment, job: 'releases' });

/** Starts a process that applies all due proposals, and kills it at the given moment. `onStopped` runs just before the kill. */
export const applyAndKill = (database: TestDatabase, moment: Moment, onStopped?: () => void): Promise<void> =>
  runAndKill(database, { moment, job: 'proposals' }, onStopped);

interface Run {
  moment: Moment;
  job: 'releases' | 'proposals';
}

async function runAndKill({ env }: TestDatabase, run: Run, onStopped?: () => void): Promise<void> {
  const child = fork(fileOf('stepping-process'), [JSON.stringify({ env, ...run })], {
    ...sourceProgram,
    stdio: 'inherit',
  });
  reap(child);
  const exited = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    exited.then(([code]): never => {
      throw new Error(`The process ended with code ${code}`);
    }),
  ]);
  onStopped?.();
  child.kill('SIGKILL');
  await exited;
}

if (import.meta.main) {
  // `runAndKill` wrote this value.
  const { env, moment, job } = JSON.parse(process.argv[2] ?? '') as Run & { env: Record<string, string> };
  // The process waits until it is killed.
  setInterval(() => {}, 60_000);
  const ctx = await openContext(loadConfig(env), pino({ level: 'silent' }));
  const { store } = ctx;
  const stop = () => {
    process.send?.('stopped');
    return new Promise<never>(() => {});
  };
  const changePrompts: Store['changePrompts'] = async (accountId, change) => {
    const changeFirst: typeof change = async (stores) => {
      const result = await change(stores);
      return moment === 'before the commit' ? stop() : result;
    };
    await store.changePrompts(accountId, changeFirst);
    return stop();
  };
  const readers = { ...createReaders(), readReleaseResults: async () => badResults };
  const stopping = { ...ctx, store: { ...store, changePrompts } };
  if (job === 'releases') await stepReleases(stopping, readers);
  else await applyDueProposals(stopping);
}

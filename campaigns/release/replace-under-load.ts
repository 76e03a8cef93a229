import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../test/support/random.ts';
import { findProblems, judge, startClients, startWriting, type WriteResults } from '../upgrade/rolling.ts';
import type { Served } from './serve.ts';

/** The number of acknowledged writes before each replacement, and after the last one. */
const writesBetween = 300;

export interface Replacements extends WriteResults {
  resets: number;
  moves: number;
}

/**
 * Serves the same data in one form after another: stops the service, and then starts the next form. Meanwhile, clients write, read and
 * retry. After each replacement, looks up the acknowledged changes.
 */
export async function replaceUnderLoad(forms: (() => Promise<Served>)[], random: Random): Promise<Replacements> {
  const [first, ...others] = forms;
  if (!first) throw new Error('No forms');
  let service = await first();
  try {
    const instances = [{ url: service.url }];
    const clients = await startClients(instances, random);
    const results: WriteResults = { writes: 0, unanswered: [], unavailable: 0, problems: [] };
    const { problems } = results;
    for (const serve of [...others, undefined]) {
      const writing = startWriting(instances, { clients, random, results });
      await untilWritten(results);
      if (serve) {
        problems.push(...(await service.stop()));
        service = await serve();
        instances[0] = { url: service.url };
      }
      await writing.stop();
      for (const writer of clients.writers) problems.push(...(await writer.verify(service)));
    }
    await Promise.all([clients.keys.stop(), clients.labels.stop()]);
    problems.push(...findProblems(clients, 0), ...(await service.stop()));
    return { ...results, ...judge(clients, 0) };
  } catch (err) {
    await service.kill();
    throw err;
  }
}

/** Waits for the next writes. A failed write also ends the wait, because its writer does not continue. */
async function untilWritten(results: WriteResults): Promise<void> {
  const countFailures = () => results.problems.length + results.unanswered.length + results.unavailable;
  const [enough, failures] = [results.writes + writesBetween, countFailures()];
  while (results.writes < enough && countFailures() === failures) await delay(1);
}

import { setTimeout as delay } from 'node:timers/promises';
import type { ServedProgram } from '../process.ts';
import type { Random } from '../random.ts';
import { OutcomeUnknown, type Writer, writeUntilLost } from './writer.ts';

/** The maximum number of acknowledged changes before a kill, and the maximum delay between the last of them and the kill. */
const moment = { changes: 150, ms: 30 };

interface Round {
  writers: Writer[];
  random: Random;
  /** Runs just before the kill. The returned function runs just after the kill. */
  onKill?(): Promise<() => Promise<void>>;
  serve(): Promise<ServedProgram>;
  onAcknowledged?(writer: Writer): void;
}

/** Lets all writers write until the service is killed, starts the service again, and verifies the acknowledged changes. */
export async function killUnderWrites(
  service: ServedProgram,
  { writers, random, onKill, serve, onAcknowledged }: Round,
): Promise<{ service: ServedProgram; problems: string[] }> {
  const { promise: isDue, resolve: setDue } = Promise.withResolvers<void>();
  let left = random.below(moment.changes);
  const count = (writer: Writer) => {
    onAcknowledged?.(writer);
    left -= 1;
    if (left <= 0) setDue();
  };
  const written = Promise.allSettled(writers.map((writer) => writeUntilLost(writer, service, count)));
  await Promise.race([isDue, written]);
  await delay(random.below(moment.ms));
  const afterKill = await onKill?.();
  const { stdout } = await service.kill();
  await afterKill?.();

  const surprises = (await written).flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  const restarted = await serve();
  const verified = await Promise.all(writers.map((writer) => verify(writer, restarted)));
  return { service: restarted, problems: [...surprises, ...findErrors(stdout), ...verified.flat()] };
}

const attempts = 10;

/** Verifies a writer. A request that gets 503 is retried, because the database of a busy machine may be too slow. */
async function verify(writer: Writer, service: ServedProgram): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writer.verify(service);
    } catch (err) {
      const isBusy = err instanceof OutcomeUnknown && err.isUnavailable;
      if (!isBusy || attempt === attempts) return [`${writer.kind}: cannot be verified: ${String(err)}`];
      await delay(500);
    }
  }
}

/**
 * Finds errors in the log, except errors about an unavailable database, which may happen. The log of a service in this process has levels
 * as numbers.
 */
export function findErrors(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => /"level":(?:"(?:error|fatal)"|[56]0)/.test(line) && !/database|ECONNREFUSED|terminat/i.test(line));
}

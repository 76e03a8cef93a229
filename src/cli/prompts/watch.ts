import { ApiError, ConnectionError, PromptHarborError, TlsError } from '../../../client/src/errors.ts';
import type { Input } from '../command.ts';
import { connect, explainError } from '../connection.ts';
import { CliError, exitCodes, messageOf } from '../errors.ts';
import { note } from '../terminal.ts';
import { pull } from './pull.ts';

/**
 * Pulls at the start, whenever it connects and after every event. Events that arrive together cause a single pull. Waits while the service
 * is unavailable. Ends if the service has never responded and another server responds at the URL.
 */
export async function watch(input: Input): Promise<void> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const ph = await connect(input);
  let pulling: Promise<void> | undefined;
  let isStale = false;
  let failure: unknown;

  async function pullAll(): Promise<void> {
    while (isStale && !controller.signal.aborted) {
      isStale = false;
      await pullOnce(input);
    }
    pulling = undefined;
  }

  try {
    let hasConnected = false;
    const onDisconnect = (err: unknown) => {
      if (!hasConnected && isForeign(err)) throw err;
      note('The connection was lost. Trying again.');
    };
    for await (const _event of ph.events.stream({}, { signal: controller.signal, onDisconnect })) {
      hasConnected = true;
      isStale = true;
      pulling ??= pullAll().catch((err) => {
        failure = err;
        stop();
      });
    }
  } catch (err) {
    if (!controller.signal.aborted) throw err;
  }
  await pulling;
  if (failure) throw failure;
}

/** Returns whether an error means that the URL leads to something other than a PromptHarbor service, or to an untrusted service. */
function isForeign(err: unknown): boolean {
  if (err instanceof ApiError || err instanceof ConnectionError) return err instanceof TlsError;
  return err instanceof PromptHarborError;
}

/** Pulls once. An error that another attempt may resolve does not end the watch. */
async function pullOnce(input: Input): Promise<void> {
  try {
    await pull(input);
  } catch (thrown) {
    const err = explainError(thrown, input);
    if (err instanceof CliError && err.exitCode === exitCodes.refused) throw err;
    note(messageOf(err));
  }
}

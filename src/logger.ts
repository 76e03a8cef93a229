import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** JSON lines on standard output. Written in batches, so that a request does not wait for its log line. */
export function createLogger(level: Config['logLevel']): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 1, sync: false, minLength: 64 * 1024, maxWrite: 1024 * 1024, periodicFlush: 250 }),
  );
}

/** Name, message and stack alone: what a library hangs on its errors (a query's parameters, a request) is not for the log. */
function describeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) };
  return { type: err.name, message: err.message, stack: err.stack, ...(err.cause !== undefined && { cause: describeError(err.cause) }) };
}

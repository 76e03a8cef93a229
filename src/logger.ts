import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** Logs JSON lines to standard output. They are buffered, so that a request does not wait for its log line. */
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

/** Only name, message and stack: other properties of library errors, such as query parameters, may hold secrets. */
function describeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) };
  return { type: err.name, message: err.message, stack: err.stack, ...(err.cause !== undefined && { cause: describeError(err.cause) }) };
}

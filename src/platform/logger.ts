import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { createLogStream, openOutput } from './log-stream.ts';

/** Logs JSON lines to standard output. Lines are buffered, so that a request does not wait for its log line. */
export function createLogger(level: Config['logLevel']): Logger {
  const stream = createLogStream({ fd: openOutput() });
  process.on('exit', () => stream.flushSync());
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    stream,
  );
}

/**
 * Returns only the name, message and stack of an error. Other properties of library errors, such as query parameters, may contain secrets.
 */
function describeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) };
  return { type: err.name, message: err.message, stack: err.stack, ...(err.cause !== undefined && { cause: describeError(err.cause) }) };
}

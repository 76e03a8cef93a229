import type { Logger } from 'pino';

/**
 * Handles errors that no request and no task caught. After an unhandled rejection, the service continues, because nothing depends on the
 * promise. After an uncaught exception, the state of the process is unknown. The service then finishes the requests in progress, writes the
 * statistics, and exits with code 1, so that a supervisor restarts it.
 */
export function catchStrayErrors(logger: Pick<Logger, 'error' | 'fatal'>, stop: () => void): void {
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled promise rejection'));
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'uncaught exception, stopping');
    process.exitCode = 1;
    stop();
  });
}

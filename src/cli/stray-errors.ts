import type { Logger } from 'pino';

/**
 * Handles errors that no request and no task caught. After a rejected promise that nothing waits for, the service continues, because the
 * rejection left no state that others could see. After an uncaught exception, the state of the process is unknown, so the service stops as
 * it does on a signal (requests in progress finish, statistics are written) and exits with 1, so that a supervisor restarts it.
 */
export function catchStrayErrors(logger: Pick<Logger, 'error' | 'fatal'>, stop: () => void): void {
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled promise rejection'));
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'uncaught exception, stopping');
    process.exitCode = 1;
    stop();
  });
}

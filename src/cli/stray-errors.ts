import type { Logger } from 'pino';

/**
 * The last net for errors that no request and no task caught. A rejected promise that nobody waits for left nothing half done that
 * others could see, so the service goes on. After an exception out of a callback its state is unknown, so the service stops as it does
 * on a signal (requests in progress finish, statistics are written) and exits with 1, for a supervisor to start it again.
 */
export function catchStrayErrors(logger: Pick<Logger, 'error' | 'fatal'>, stop: () => void): void {
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled promise rejection'));
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'uncaught exception, stopping');
    process.exitCode = 1;
    stop();
  });
}

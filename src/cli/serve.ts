import { flushCompileCache } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { startSnapshots } from '../domain/backups/snapshots.ts';
import type { Context } from '../domain/context.ts';
import { startHousekeeping } from '../domain/housekeeping.ts';
import { startFillingTexts } from '../domain/prompts/fill-texts.ts';
import { startApplyingProposals } from '../domain/proposals/due-proposals.ts';
import { startSteppingReleases } from '../domain/releases/release-steps.ts';
import { startComparingResults } from '../domain/results/alerts.ts';
import { startWebhooks } from '../domain/webhooks/dispatcher.ts';
import { buildApp, listeningOrigin } from '../http/app.ts';
import { createLogger } from '../platform/logger.ts';
import { loopbackAddresses } from '../platform/loopback.ts';
import { closeContext, openContext } from '../service.ts';
import { assertCanListen, explainListenFailure } from './listen.ts';
import { assertNotServed } from './operator/client.ts';
import { startOperatorServer } from './operator/server.ts';
import { describeMissingPublicUrl } from './public-url.ts';
import { catchStrayErrors } from './stray-errors.ts';
import { write } from './terminal.ts';

const stopTimeoutMs = 9000;
const repeatedSignalMs = 3000;

/** Runs the service until SIGTERM, SIGINT or SIGHUP. */
export async function serve(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  // This signal is ignored. Some tools send it so that a program reopens its log, but without this listener, Node would open a debugger
  // port.
  process.on('SIGUSR1', () => undefined);
  if (config.databaseUrl === undefined) await assertNotServed(config.dataDir);
  await assertCanListen(config);
  const ctx = await openContext(config, logger);
  let isDraining = false;
  const app = await buildApp({ config, ctx, logger, isDraining: () => isDraining });

  // The handler is registered before listening, so that a signal during the start also leads to a graceful stop.
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  onStopSignal(stop);
  catchStrayErrors(logger, stop);
  try {
    await app.listen({ port: config.port, host: config.host === 'localhost' ? loopbackAddresses[0] : config.host });
  } catch (err) {
    await closeContext(ctx);
    throw explainListenFailure(err, config);
  }
  const operators = config.databaseUrl === undefined ? await startOperatorServer(ctx, { dataDir: config.dataDir, logger }) : undefined;
  const url = config.publicUrl?.origin ?? listeningOrigin(app.server, config.host);
  if (config.smtpUrl !== undefined && config.publicUrl === undefined) logger.warn({ origin: url }, describeMissingPublicUrl(url));
  write(process.stderr, formatWelcome(url, (await ctx.store.accounts.list('', 1)).length === 0));

  // Node writes its compile cache when a process exits. It is written now, because a killed process would never write it.
  flushCompileCache();
  const housekeeping = startHousekeeping(ctx, { onError: (err) => logger.error({ err }, 'housekeeping failed') });
  const texts = startFillingTexts(ctx, { onError: (err) => logger.error({ err }, 'preparing prompts for searches failed, will retry') });
  const webhooks = startWebhooks(ctx, { onError: (err) => logger.error({ err }, 'sending webhooks failed, will retry') });
  const alerts = startComparingResults(ctx, { onError: (err) => logger.error({ err }, 'comparing results failed, will retry') });
  const steps = startSteppingReleases(ctx, ctx.store.statistics, {
    onError: (err) => logger.error({ err }, 'stepping releases failed, will retry'),
  });
  const proposals = startApplyingProposals(ctx, {
    onError: (err) => logger.error({ err }, 'applying proposals failed, will retry'),
  });
  const snapshots = startConfiguredSnapshots(ctx, config, logger);
  await stopped;
  if (config.drainMs > 0) {
    isDraining = true;
    logger.info({ drainMs: config.drainMs }, 'draining: no longer ready, but still serving requests');
    await wait(config.drainMs);
  }
  // Backups are canceled first. A command that requested a backup waits for it, and the service in turn waits for that command.
  const swept = Promise.all([
    ctx.backups?.stop(),
    snapshots?.stop(),
    operators?.stop(),
    housekeeping.stop(),
    texts.stop(),
    webhooks.stop(),
    alerts.stop(),
    steps.stop(),
    proposals.stop(),
  ]);
  // Requests that take longer are aborted, so that a stop never hangs.
  const stopTimer = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs);
  // Node keeps a connection open after its last response, so idle connections are closed until none are left.
  const idleTimer = setInterval(() => app.server.closeIdleConnections(), 50);
  await app.close();
  clearInterval(idleTimer);
  clearTimeout(stopTimer);
  await swept;
  await closeContext(ctx);
  logger.info('stopped');
  logger.flush();
}

function startConfiguredSnapshots(ctx: Context, { backupDir: dir, backupEveryMs: everyMs, backupKeep: keep }: Config, logger: Logger) {
  const { store, backups } = ctx;
  if (!backups || dir === undefined) return undefined;
  const lastAt = backups.metrics.lastAt?.toISOString() ?? 'never';
  logger.info({ dir, everyMs, keep, lastAt }, 'automatic backups are on');
  return startSnapshots(
    { store, backups },
    { dir, everyMs, keep },
    {
      onMade: ({ canary: _, ...report }) => logger.info(report, 'a backup was made and verified'),
      onError: (err) =>
        logger.error({ err, lastAt: backups.metrics.lastAt?.toISOString() ?? 'never' }, 'making a backup failed, will retry'),
    },
  );
}

/**
 * Stops at the first signal. A second signal soon afterwards is expected and ignored: Ctrl+C reaches every process of the terminal, and npm
 * also forwards the signal. A third signal, or a late second one, forces an immediate exit.
 */
function onStopSignal(stop: () => void): void {
  let count = 0;
  let firstAt = 0;
  const onSignal = (signal: NodeJS.Signals, number: number) => {
    count += 1;
    if (count === 1) {
      firstAt = performance.now();
      stop();
    } else if (count > 2 || performance.now() - firstAt > repeatedSignalMs) {
      write(process.stderr, `promptharbor: received ${signal} again, exiting without waiting for open requests.\n`);
      process.exit(128 + number);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function formatWelcome(url: string, isNew: boolean): string {
  const firstStep = isNew
    ? `
  Create an account and get its API key:

    curl -s ${url}/api/auth/register -H 'Content-Type: application/json' \\
      -d '{"email":"you@example.com","password":"at least 8 characters"}'
`
    : '';
  return `
  PromptHarbor is ready at ${url}
  Dashboard:     ${url}/dashboard
  Documentation: ${url}/docs/guides
${firstStep}
  Stop with Ctrl+C.

`;
}

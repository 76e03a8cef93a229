import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type AccessWatch, createAccessWatch } from './domain/access-watch.ts';
import { createBackups } from './domain/backups/backups.ts';
import { type Context, createContext } from './domain/context.ts';
import { createFeed } from './domain/events/feed.ts';
import { newId } from './domain/ids.ts';
import { createMailQueue } from './domain/mail/mail-queue.ts';
import { createMailer } from './domain/mail/mailer.ts';
import { createProviders } from './domain/oidc/providers.ts';
import { createOutbound } from './domain/outbound/outbound.ts';
import { createIntake } from './domain/results/intake/intake.ts';
import { createResultRecorder } from './domain/results/result-recorder.ts';
import { trimResults } from './domain/results/retention.ts';
import { unlock } from './domain/secrets/master-secret.ts';
import { createUsageRecorder, type UsageRecorder } from './domain/statistics/usage-recorder.ts';
import { createRejectionLog } from './http/observability/rejection-log.ts';
import { createBackground } from './platform/scheduling/background.ts';
import { openStore } from './store/store.ts';

/**
 * Opens the store and loads the master secret, for the service and for every command. `secretDir` is the folder of the secret, by default
 * the folder of the database. If `migrates` is false, the schema is not changed. If `movesStatistics` is false, statistics in the main file
 * are not moved to a file of their own, so that a backup remains a single file.
 */
export async function openContext(
  config: Config,
  logger: Logger,
  { secretDir = config.dataDir, migrates = true, movesStatistics = true } = {},
): Promise<Context> {
  const store = await openStore({ ...config, migrates, movesStatistics: migrates && movesStatistics });
  try {
    const keyring = await unlock(store, { ...config, dataDir: config.databaseUrl ? undefined : secretDir });
    const everyMs = config.backupDir === undefined ? undefined : config.backupEveryMs;
    const backups = await createBackups(store, { keyring, dataDir: config.dataDir, everyMs });
    const recorder = createUsageRecorder({
      writeCounts: store.statistics.add,
      writeEvents: store.activity.add,
      onFailure: (err) => logger.error({ err }, 'writing statistics failed, will retry'),
      onLoss: (err, lost) => logger.error({ err, lost }, 'the last statistics could not be written and are lost'),
    });
    const background = createBackground((task, err) => logger.error({ err, task }, 'background work failed'));
    const results = createResultRecorder(store, {
      trim: (accountId) => background.run('trimming results', () => trimResults({ store }, accountId)),
    });
    const mailer = createMailer(config, logger);
    const rejections = createRejectionLog(logger);
    const outbound = createOutbound({
      allow: config.outboundAllow,
      onBlocked: (reason) => rejections.add({ code: 'outbound_blocked', reason }),
      onFailure: (err) => logger.error({ err }, 'the thread for outbound requests failed and restarts with the next request'),
    });
    const providers = createProviders(config.providers, {
      outbound,
      onFailure: (provider, reason) => logger.warn({ provider, reason }, 'a sign-in with a provider failed'),
      onRefusedRole: (provider, reason) => logger.warn({ provider, reason }, 'a role that a group requires was not assigned'),
    });
    const intake = createIntake({
      onFailure: (err) => logger.error({ err }, 'the thread that reads reports failed and restarts with the next report'),
    });
    const access = createAccessWatch();
    const feed = createFeed(store, access, (err) => logger.error({ err }, 'reading events failed, will retry'));
    const audit = createAudit({ logger, recorder, access });
    const mails = createMailQueue(({ kind, accountId, outcome, reason }) =>
      logger.warn({ mail: kind, account: accountId, outcome, reason }, 'an email was not sent'),
    );
    return createContext({
      store,
      keyring,
      registration: config.registration,
      requiresVerifiedEmail: config.requiresVerifiedEmail,
      providers,
      passwordSignIn: config.passwordSignIn,
      publicOrigin: config.publicUrl?.origin,
      activityRetentionDays: config.activityRetentionDays,
      mailer,
      mails,
      outbound,
      intake,
      background,
      backups,
      access,
      feed,
      recorder,
      results,
      audit,
    });
  } catch (err) {
    await store.close();
    throw err;
  }
}

/** Writes the remaining statistics and closes all resources that `openContext` opened. */
export async function closeContext({
  recorder,
  results,
  templates,
  feed,
  access,
  backups,
  outbound,
  intake,
  store,
}: Context): Promise<void> {
  feed.close();
  access.close();
  await backups?.stop();
  await recorder.stop();
  await results.stop();
  await templates.close();
  await outbound.close();
  await intake.close();
  await store.close();
}

/**
 * Writes account events to the log and to the account's activity. Events without an account are recorded for the account `nobody`, which
 * does not exist, and are dropped when they are written. The same work is therefore done for known and unknown emails, and its duration
 * does not reveal whether an email has an account.
 */
function createAudit({ logger, recorder, access }: { logger: Logger; recorder: UsageRecorder; access: AccessWatch }): Context['audit'] {
  return ({ type, accountId, client, by, detail }) => {
    // Whenever a key, a session or a membership ends, an account event is recorded. The event concerns the account itself or the member in
    // the event's detail.
    for (const id of [accountId, detail?.userId]) if (id !== undefined) access.recheck(id);
    const address = client?.address;
    logger.info({ event: type, account: accountId, address, by: by?.userId, member: detail?.userId }, 'account');
    const at = new Date().toISOString();
    recorder.addEvent({
      accountId: accountId ?? 'nobody',
      id: newId('e'),
      type,
      at,
      address: address ?? null,
      userAgent: client?.userAgent ?? null,
      by: by ?? null,
      detail: detail ?? null,
    });
  };
}

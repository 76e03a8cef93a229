import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createBackground } from './domain/background.ts';
import { type Context, createContext } from './domain/context.ts';
import { newId } from './domain/ids.ts';
import { unlock } from './domain/secrets/master-secret.ts';
import { createUsageRecorder, type UsageRecorder } from './domain/statistics/usage-recorder.ts';
import { type AppOptions, buildApp } from './http/app.ts';
import { createMailer } from './mailer.ts';
import { openStore } from './store/store.ts';

/** Opens the store and the secret: what the service and every command work with. */
export async function openContext(config: Config, logger: Logger): Promise<Context> {
  const store = await openStore(config);
  try {
    const keyring = await unlock(store, { ...config, dataDir: config.databaseUrl ? undefined : config.dataDir });
    const recorder = createUsageRecorder({
      write: store.usageBatches.write,
      onFailure: (err) => logger.error({ err }, 'statistics cannot be written; they are kept and tried again'),
      onLoss: (err, lost) => logger.error({ err, lost }, 'statistics of the last moments could not be written'),
    });
    const background = createBackground((task, err) => logger.error({ err, task }, 'background work failed'));
    const mailer = createMailer(config, logger);
    const audit = createAudit(logger, recorder);
    return createContext({ store, keyring, registration: config.registration, mailer, background, recorder, audit });
  } catch (err) {
    await store.close();
    throw err;
  }
}

/** Ends what openContext began. */
export async function closeContext({ recorder, templates, store }: Context): Promise<void> {
  await recorder.stop();
  await templates.close();
  await store.close();
}

/** Account events go to the log, and to the account's own record where it is known whose they are. */
function createAudit(logger: Logger, recorder: UsageRecorder): Context['audit'] {
  return ({ type, accountId, client }) => {
    const address = client?.address;
    logger.info({ event: type, account: accountId, address }, 'account');
    if (accountId === undefined) return;
    const at = new Date().toISOString();
    const userAgent = client?.userAgent?.slice(0, 512) ?? null;
    recorder.addEvent({ accountId, id: newId('e'), type, at, address: address ?? null, userAgent });
  };
}

/** The whole service on an open context, ready to listen. */
export async function createService(config: Config, ctx: Context, logger: Logger, onRoute?: AppOptions['onRoute']) {
  return buildApp({ config, ctx, logger, onRoute, recorder: ctx.recorder });
}

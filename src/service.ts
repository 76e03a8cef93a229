import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createBackground } from './domain/background.ts';
import { type Context, createContext } from './domain/context.ts';
import { unlock } from './domain/master-secret.ts';
import { createSessions } from './domain/sessions.ts';
import { type AppParts, buildApp } from './http/app.ts';
import { createMailer } from './mailer.ts';
import { openStore } from './store/store.ts';

/** Opens the store and the secret: what the service and every command work with. */
export async function openContext(config: Config, logger: Logger): Promise<Context> {
  const store = await openStore(config);
  try {
    const keyring = await unlock(store, { ...config, dataDir: config.databaseUrl ? undefined : config.dataDir });
    const audit: Context['audit'] = ({ type, accountId, address }) => logger.info({ event: type, account: accountId, address }, 'account');
    const background = createBackground((task, err) => logger.error({ err, task }, 'background work failed'));
    const mailer = createMailer(config, logger);
    return createContext({ store, keyring, registration: config.registration, mailer, background, audit });
  } catch (err) {
    await store.close();
    throw err;
  }
}

/** Ends what openContext began. */
export async function closeContext({ templates, store }: Context): Promise<void> {
  await templates.close();
  await store.close();
}

/** The whole service on an open context, ready to listen. */
export async function createService(config: Config, ctx: Context, logger: Logger, onRoute?: AppParts['onRoute']) {
  const { publicUrl, trustProxy, rateLimitPerMinute } = config;
  const sessions = createSessions(ctx, publicUrl);
  return buildApp({ ctx, sessions, publicUrl, trustProxy, rateLimitPerMinute, logger, onRoute });
}

// This must be the first import, because it has to run before the service's own modules.
import './cheap-hashes.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import type { Context } from '../../src/domain/context.ts';
import { type DispatcherOptions, startWebhooks } from '../../src/domain/webhooks/dispatcher.ts';
import { buildApp } from '../../src/http/app.ts';
import { closeContext, openContext } from '../../src/service.ts';
import { type Engine, engines, type TestDatabase } from './engines.ts';

export interface Service {
  url: string;
  server: Server;
  ctx: Context;
  database: TestDatabase;
  /** The log output so far. */
  logs(): string;
  /** Stops the service. May be called twice, so that a test can close the service early and still register `close` with `t.after`. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  engine?: Engine | undefined;
  env?: Record<string, string>;
  database?: TestDatabase;
  /** Options with which the service sends webhooks. */
  webhooks?: DispatcherOptions;
  /** Called with the context before the service uses it, for tests that observe the service's calls. */
  prepare?(ctx: Context): void;
}

/**
 * Starts the real service in this process, with real sockets and a real database. Settings are environment variables. There is no write
 * limit, because tests save faster than people.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const engine = options.engine ?? engines[0];
  if (!engine) throw new Error('There is no engine to test on');
  const database = options.database ?? (await engine.createMigrated());
  const config = loadConfig({ PORT: '0', PRIMARY_LEASE_MS: '60000', WRITE_LIMIT_PER_MINUTE: 'off', ...database.env, ...options.env });
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const ctx = await openContext(config, logger);
  options.prepare?.(ctx);
  const app = await buildApp({ config, ctx, logger });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  const onError = (err: unknown) => logger.error({ err }, 'sending webhooks failed');
  const webhooks = options.webhooks && startWebhooks(ctx, { ...options.webhooks, onError });

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await webhooks?.stop();
    await app.close();
    await closeContext(ctx);
    if (!options.database) await database.remove();
  }

  return {
    url: `http://127.0.0.1:${port}`,
    server: app.server,
    ctx,
    database,
    logs: () => lines.join(''),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Runs the service with a stopped clock while `use` runs, then stops the service, so that a command can use the embedded database. */
export async function withService<T>(
  database: TestDatabase,
  env: Record<string, string>,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ database, env });
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  try {
    return await use(service);
  } finally {
    mock.timers.reset();
    await service.close();
  }
}

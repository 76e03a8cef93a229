import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '../config.ts';
import type { Context } from '../domain/context.ts';
import { sweep } from '../domain/housekeeping.ts';
import { StartError } from '../errors.ts';
import { createLogger } from '../logger.ts';
import { closeContext, createService, openContext } from '../service.ts';

const stopWithinMs = 9000;
const sweepEveryMs = 60 * 60 * 1000;

/** config → store → app → listen → close. */
export async function serve(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const ctx = await openContext(config, logger);
  const app = await createService(config, ctx, logger);

  // From here on a signal leads to an orderly stop, also when it comes before the service is ready.
  const stop = stopSignal();
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (err) {
    await closeContext(ctx);
    throw explainListenFailure(err, config);
  }
  const { address, family, port } = app.server.address() as AddressInfo;
  const url = config.publicUrl?.origin ?? `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  process.stderr.write(welcome(url, (await ctx.store.accounts.list('', 1)).length === 0));

  // Not at the end, which a killed process never reaches: the next start is to be quick all the same.
  flushCompileCache();
  const sweeping = startSweeping(ctx, (err) => logger.error({ err }, 'housekeeping failed'));
  await stop;
  clearInterval(sweeping);
  // Whoever keeps a connection busy past this is cut off, so that a stop never hangs.
  const impatience = setTimeout(() => app.server.closeAllConnections(), stopWithinMs);
  // Node keeps a connection open after its last answer, in case another request follows. None will.
  const tidying = setInterval(() => app.server.closeIdleConnections(), 50);
  await app.close();
  clearInterval(tidying);
  clearTimeout(impatience);
  await closeContext(ctx);
  logger.info('stopped');
  logger.flush();
}

function startSweeping(ctx: Context, onError: (err: unknown) => void): NodeJS.Timeout {
  const run = () => sweep(ctx).catch(onError);
  run();
  return setInterval(run, sweepEveryMs);
}

function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  return promise;
}

function explainListenFailure(err: unknown, { port, host }: { port: number; host: string }): unknown {
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} on ${host} is taken. Stop what uses it, or set PORT to another one.`);
  if (code === 'EACCES') return new StartError(`Port ${port} needs more rights than this user has. Set PORT to 1024 or higher.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`This machine has no address ${host}. Set HOST to one it has, or to 0.0.0.0.`);
  return err;
}

function welcome(url: string, isNew: boolean): string {
  const firstStep = isNew
    ? `
  Make your account and get its key:

    curl -s ${url}/api/auth/register -H 'Content-Type: application/json' \\
      -d '{"email":"you@example.com","password":"at least 8 characters"}'
`
    : '';
  return `
  PromptHarbor is ready at ${url}
  Dashboard:     ${url}/dashboard
  API reference: ${url}/docs
${firstStep}
  Stop with Ctrl+C.

`;
}

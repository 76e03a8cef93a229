/** PromptHarbor with statistics. With STATISTICS=off, the service does not count calls. */
import { loadConfig } from '../../src/config.ts';
import { buildApp } from '../../src/http/app.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { closeContext, openContext } from '../../src/service.ts';

const config = loadConfig();
const logger = createLogger(config.logLevel);
const ctx = await openContext(config, logger);
const app = await buildApp({ config, ctx, logger, isCounting: process.env.STATISTICS !== 'off' });
await app.listen({ port: config.port, host: config.host });
process.once('SIGTERM', async () => {
  await app.close();
  await closeContext(ctx);
});

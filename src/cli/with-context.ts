import { pino } from 'pino';
import { loadConfig } from '../config.ts';
import type { Context } from '../domain/context.ts';
import { closeContext, openContext } from '../service.ts';

/** Runs a command on the opened store, quietly, and closes it whatever happens. */
export async function withContext(run: (ctx: Context) => Promise<void>): Promise<void> {
  const ctx = await openContext(loadConfig(), pino({ level: 'silent' }));
  try {
    await run(ctx);
  } finally {
    await closeContext(ctx);
  }
}

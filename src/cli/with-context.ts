import { pino } from 'pino';
import { loadConfig } from '../config.ts';
import type { Context } from '../domain/context.ts';
import { closeContext, openContext } from '../service.ts';

/** Runs a command with an open context and without log output. */
export async function withContext(run: (ctx: Context) => Promise<void>): Promise<void> {
  const ctx = await openContext(loadConfig(), pino({ level: 'silent' }));
  try {
    await run(ctx);
  } finally {
    await closeContext(ctx);
  }
}

import { setTimeout } from 'node:timers/promises';
import { Health } from '../../contract/health.ts';
import { AppError } from '../../errors.ts';
import type { Routes } from './route.ts';

const pingTimeoutMs = 2000;

export const healthRoutes: Routes = ({ app, ctx, createRoute, isDraining }) => {
  // This route is not created with `createRoute`, because it has none of the usual errors: it always responds.
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'health',
        tags: ['Health'],
        summary: 'Liveness: check that the process is running',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' }) as const,
  );

  const route = createRoute({ tag: 'Health', access: 'public' });

  route('GET', '/readyz', {
    operationId: 'readiness',
    summary: 'Readiness: check that the database responds',
    response: { 200: Health },
    handler: async () => {
      if (isDraining()) throw new AppError('overloaded', { text: 'The service is stopping.' });
      await Promise.race([ctx.store.ping(), timeOut()]);
      return { status: 'ok' } as const;
    },
  });
};

async function timeOut(): Promise<never> {
  await setTimeout(pingTimeoutMs, undefined, { ref: false });
  throw new AppError('database_unavailable');
}

import { Health } from '../../contract/health.ts';
import { AppError } from '../../errors.ts';
import { errorResponses, type Routes } from './route.ts';

const pingTimeoutMs = 2000;

export const healthRoutes: Routes = (app, { ctx }) => {
  const tags = ['Health'];

  app.get(
    '/healthz',
    { schema: { operationId: 'health', tags, summary: 'Liveness: the process is running', response: { 200: Health } } },
    async () => ({ status: 'ok' }) as const,
  );

  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'readiness',
        tags,
        summary: 'Readiness: the database responds',
        response: { 200: Health, ...errorResponses(503) },
      },
    },
    async () => {
      await withTimeout(pingTimeoutMs, ctx.store.ping());
      return { status: 'ok' } as const;
    },
  );
};

async function withTimeout(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError('database_unavailable')), timeoutMs);
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

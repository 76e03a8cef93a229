import { Health } from '../../contract/health.ts';
import { AppError } from '../../errors.ts';
import { errorResponses, type Routes } from './route.ts';

const readyWithinMs = 2000;

export const healthRoutes: Routes = (app, { ctx }) => {
  const tags = ['Health'];

  app.get(
    '/healthz',
    { schema: { operationId: 'health', tags, summary: 'Whether the process lives', response: { 200: Health } } },
    async () => ({ status: 'ok' }) as const,
  );

  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'readiness',
        tags,
        summary: 'Whether the database answers',
        response: { 200: Health, ...errorResponses(503) },
      },
    },
    async () => {
      await within(readyWithinMs, ctx.store.ping());
      return { status: 'ok' } as const;
    },
  );
};

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError('database_unavailable')), timeoutMs);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

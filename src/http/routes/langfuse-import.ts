import { LangfuseRead, LangfuseResponse } from '../../contract/langfuse-import.ts';
import { readLangfuse } from '../../domain/transfer/langfuse-reads.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** Reads prompts from a Langfuse server, so that they can be imported. */
export const langfuseImportRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Export and import' });

  route('POST', '/api/import/langfuse', {
    operationId: 'readLangfuse',
    summary: 'Read prompts of a Langfuse server',
    description:
      'One page of its prompts, or one version, so that a browser can import them: the service makes the request, because Langfuse allows none ' +
      'from other pages. The keys are neither stored nor logged. Takes up to 30 seconds, and ends when the caller leaves.',
    body: LangfuseRead,
    response: { 200: LangfuseResponse },
    handler: (req, reply) => {
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      return readLangfuse(ctx, actorOf(req), req.body, left.signal);
    },
  });
};

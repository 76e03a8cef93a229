import { LangfuseRead, LangfuseResponse } from '../../contract/langfuse-import.ts';
import { readLangfuse } from '../../domain/transfer/langfuse-reads.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** Reads prompts from a Langfuse server, so that they can be imported. */
export const langfuseImportRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Export and import' });

  route('POST', '/api/import/langfuse', {
    operationId: 'readLangfuse',
    summary: 'Read prompts from a Langfuse server',
    description:
      'Returns one page of prompts or one version, so that a browser can import them. The service makes the request because Langfuse does not ' +
      'allow requests from other websites. The keys are neither stored nor logged. The request takes up to 30 seconds and is canceled if the ' +
      'caller disconnects.',
    body: LangfuseRead,
    response: { 200: LangfuseResponse },
    handler: (req, reply) => {
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      return readLangfuse(ctx, actorOf(req), req.body, left.signal);
    },
  });
};

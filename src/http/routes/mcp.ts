import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { LabelOrLatest } from '../../contract/labels.ts';
import { AppError } from '../../errors.ts';
import { mcpPath } from '../mcp/mcp-methods.ts';
import { isOwnOrigin } from '../middleware/origin.ts';
import type { Routes } from './route.ts';

const McpQuery = Type.Object(
  {
    label: Type.Optional(
      Type.Union(LabelOrLatest.anyOf, { description: 'The label whose prompts are listed and rendered. Default: `production`.' }),
    ),
  },
  { additionalProperties: false },
);

const McpMessage = Type.Unsafe<unknown>({
  title: 'McpMessage',
  description: 'One JSON-RPC message. Clients that use earlier protocol revisions receive the message as a server-sent event.',
  examples: [{ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'support/triage', arguments: { request: 'Where is it?' } } }],
});

/** The Model Context Protocol: prompts for assistants. Its code is imported with the first message, because few installations need it. */
export const mcpRoutes: Routes = ({ ctx, eventStreams, writeLimit, publicOrigin, createRoute }) => {
  const route = createRoute({ tag: 'Model Context Protocol' });

  route('POST', mcpPath, {
    operationId: 'callMcp',
    summary: 'Serve prompts to assistants',
    description:
      'Implements the Streamable HTTP transport of the Model Context Protocol, without sessions, for the revisions 2024-11-05 to 2026-07-28. ' +
      'Protocol errors are JSON-RPC messages. The errors listed here concern the HTTP request.',
    beforeAuthentication: [async (req) => assertCaller(req, publicOrigin)],
    querystring: McpQuery,
    body: McpMessage,
    response: { 200: McpMessage },
    errors: [415, 429],
    handler: async (req, reply) => (await import('../mcp/handler.ts')).handleMessage({ ctx, eventStreams, writeLimit }, req, reply),
  });
};

/**
 * Rejects requests from web pages of other sites. If PUBLIC_URL is not set, the origin comes from the Host header. A page of another site
 * can control this header (DNS rebinding), so only the names of this machine are accepted. A session cookie is never enough, because
 * browsers send it automatically.
 */
function assertCaller(req: FastifyRequest, publicOrigin: string | undefined): void {
  const isOwn = isOwnOrigin(req, publicOrigin) && (publicOrigin !== undefined || loopbackNames.has(req.hostname));
  if (req.headers.origin !== undefined && !isOwn) {
    throw new AppError('cross_origin', { text: 'Requests from other origins are not allowed' });
  }
  if (req.headers.authorization === undefined) throw new AppError('unauthorized');
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

import { type McpRequestContext, Server, type ServerOptions } from '@modelcontextprotocol/server';
import { AppError } from '../../errors.ts';
import { version } from '../../version.ts';
import type { McpCall } from './call.ts';
import { complete } from './completion.ts';
import { toProtocolError } from './errors.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, listResourceTemplates, readResource } from './resources.ts';
import { callTool, listTools } from './tools.ts';

const instructions =
  'This server provides the prompts of a PromptHarbor workspace. Use a prompt with prompts/get or the tool render_prompt. To change one, read it with ' +
  'get_prompt, save a version with save_version, compare it with compare_versions, and deploy it with move_label, or give it to ' +
  'some callers first with start_release. If people have to approve the move of a label, propose the change with propose_change.';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Clients may cache only data that never changes while the service runs. Clients must request all other data each time, so that it is never
 * stale.
 */
const cacheHints: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': { ttlMs: dayMs, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: dayMs, cacheScope: 'private' },
  'prompts/list': { ttlMs: 0, cacheScope: 'private' },
  'resources/list': { ttlMs: 0, cacheScope: 'private' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'tools/list': { ttlMs: 0, cacheScope: 'private' },
};

/**
 * The SDK uses this validator only to check users' answers to questions, and this service never asks questions. The SDK's default validator
 * takes a long time to create, and each server would create one.
 */
const jsonSchemaValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Not supported' }),
};

/** Builds the server that handles one call. */
export function buildServer(call: McpCall, era: McpRequestContext['era']): Server {
  // Clients of earlier revisions can be notified only within a session, and this service has no sessions for them.
  const canNotify = era === 'modern';
  const server = new Server(
    { name: 'promptharbor', title: 'PromptHarbor', version },
    {
      capabilities: {
        prompts: { listChanged: canNotify },
        resources: { listChanged: canNotify, subscribe: canNotify },
        tools: {},
        completions: {},
      },
      instructions,
      cacheHints,
      jsonSchemaValidator,
    },
  );

  /** Records why a call failed and reports it to the client. */
  async function guard<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (err) {
      call.error ??= err;
      throw err instanceof AppError ? toProtocolError(err) : err;
    }
  }

  server.setRequestHandler('prompts/list', ({ params }) => guard(() => listPrompts(call, params?.cursor)));
  server.setRequestHandler('prompts/get', ({ params }) => guard(() => getPrompt(call, params)));
  server.setRequestHandler('resources/list', ({ params }) => guard(() => listResources(call, params?.cursor)));
  server.setRequestHandler('resources/templates/list', () => listResourceTemplates());
  server.setRequestHandler('resources/read', ({ params }) => guard(() => readResource(call, params.uri)));
  server.setRequestHandler('tools/list', () => listTools(call));
  server.setRequestHandler('tools/call', ({ params }) => guard(() => callTool(call, params.name, params.arguments)));
  server.setRequestHandler('completion/complete', ({ params }) => guard(() => complete(call, params)));
  return server;
}

import type { ModelConnectionTest } from '../../contract/models.ts';
import { findJsonExcess } from '../../json-bounds.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { chunkBounds } from './chat-stream.ts';
import { getConnectionRecord } from './connections.ts';
import { fromOutboundError, fromStatus, ModelError, unknownProtocol } from './model-errors.ts';
import { type ModelServer, openModelServer } from './model-server.ts';

const timeoutMs = 15_000;
const maxResponseBytes = 2 * 1024 * 1024;
const maxModels = 1000;
const shownModels = 10;

/** Asks a connection's server for its models, or says in words what is wrong. */
export async function testConnection(ctx: Context, actor: Actor, id: string): Promise<ModelConnectionTest> {
  const { workspaceId } = actor;
  const connection = await getConnectionRecord(ctx.store, workspaceId, id);
  return ctx.modelTests.run(workspaceId, async () => {
    const started = performance.now();
    const finish = (result: Pick<ModelConnectionTest, 'models' | 'problem'>): ModelConnectionTest => ({
      ok: result.problem === null,
      ...result,
      durationMs: Math.round(performance.now() - started),
    });
    try {
      return finish(await probe(openModelServer(ctx, workspaceId, connection), connection));
    } catch (err) {
      if (err instanceof ModelError) return finish({ models: [], problem: err.message });
      throw err;
    }
  });
}

async function probe(server: ModelServer, { models: wanted }: ConnectionRecord): Promise<Pick<ModelConnectionTest, 'models' | 'problem'>> {
  const { status, text } = await request(server, { path: '/models' });
  const [model] = wanted;
  if (status !== 200) {
    // Some servers do not list models, or not for this kind of key: then only a completion tells.
    if (model === undefined || status >= 500) throw fromStatus(server, { status, text });
    await completeOnce(server, model);
    return { models: [], problem: null };
  }
  const models = parseModels(text, server);
  if (!models) throw unknownProtocol(server);
  const known = new Set(models);
  const missing = wanted.find((name) => !known.has(name) && !known.has(`models/${name}`) && !known.has(`${name}:latest`));
  return { models: models.slice(0, maxModels), problem: missing === undefined ? null : describeMissing(server, missing, models) };
}

/** The smallest possible completion. */
async function completeOnce(server: ModelServer, model: string): Promise<void> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 });
  const { status, text } = await request(server, { path: '/chat/completions', body });
  if (status !== 200) throw fromStatus(server, { status, text, model });
}

async function request(server: ModelServer, { path, body }: { path: '/models' | '/chat/completions'; body?: string }) {
  try {
    const response = await server.send({ path, timeoutMs, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text(maxResponseBytes) };
  } catch (err) {
    if (err instanceof OutboundError) throw fromOutboundError(err, server);
    throw err;
  }
}

function parseModels(text: string, { redactOutput }: ModelServer): string[] | undefined {
  if (findJsonExcess(text, chunkBounds) !== undefined) return undefined;
  try {
    const { data }: { data?: unknown } = JSON.parse(text) ?? {};
    if (!Array.isArray(data)) return undefined;
    return data.flatMap((model: unknown) =>
      typeof model === 'object' && model !== null && 'id' in model && typeof model.id === 'string'
        ? [redactOutput(model.id).slice(0, 200)]
        : [],
    );
  } catch {
    return undefined;
  }
}

function describeMissing({ host }: ModelServer, missing: string, models: string[]): string {
  const others = models.length > shownModels ? ` and ${models.length - shownModels} more` : '';
  const offered = models.length === 0 ? 'It offers none.' : `It offers ${models.slice(0, shownModels).join(', ')}${others}.`;
  return `${host} has no model “${missing}”. ${offered}`;
}

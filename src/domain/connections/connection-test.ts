import { maxModelNameLength } from '../../contract/limits.ts';
import type { ModelConnectionTest } from '../../contract/models.ts';
import type { FairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { JobResponse } from '../outbound/outbound-messages.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { getConnectionRecord } from './connections.ts';
import { fromOutboundError, fromStatus, ModelError, unknownProtocol } from './model-errors.ts';
import { type ModelServer, openModelServer } from './model-server.ts';

export interface WithModelTests {
  /** A test waits for a server that may be slow, so each workspace runs one test at a time. */
  modelTests: FairQueue;
}

const shownModels = 10;

/** Requests the list of models from a connection's server, or throws an error that explains what is wrong. */
export async function testConnection(
  ctx: WithStore & WithKeyring & WithModelTests & WithOutbound,
  actor: Actor,
  id: string,
): Promise<ModelConnectionTest> {
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
  const response = await request(server, () => server.listModels());
  const [model] = wanted;
  if (response.status !== 200) {
    // Some servers do not list models at all, or do not list them for this kind of key. In that case, only a completion can test the
    // connection.
    if (model === undefined || response.status >= 500) throw fromStatus(server, response);
    await completeOnce(server, model);
    return { models: [], problem: null };
  }
  if (!response.modelIds) throw unknownProtocol(server);
  const models = response.modelIds.map((id) => server.redactOutput(id).slice(0, maxModelNameLength));
  const known = new Set(models);
  const missing = wanted.find((name) => !known.has(name) && !known.has(`models/${name}`) && !known.has(`${name}:latest`));
  return { models, problem: missing === undefined ? null : describeMissing(server, missing, models) };
}

/** Requests the smallest possible completion. */
async function completeOnce(server: ModelServer, model: string): Promise<void> {
  const { path, body } = server.protocol.toCall({ model, messages: [{ role: 'user', content: 'Hi' }], parameters: { max_tokens: 1 } });
  // The completion is not streamed, because not every server streams and the result is not read.
  const { stream: _stream, stream_options: _options, ...rest } = body;
  const response = await request(server, () => server.tryChat({ path, body: rest }));
  if (response.status !== 200) throw fromStatus(server, { ...response, model });
}

async function request(server: ModelServer, send: () => Promise<JobResponse>): Promise<JobResponse> {
  try {
    return await send();
  } catch (err) {
    if (err instanceof OutboundError) throw fromOutboundError(err, server);
    throw err;
  }
}

function describeMissing({ host }: ModelServer, missing: string, models: string[]): string {
  const others = models.length > shownModels ? ` and ${models.length - shownModels} more` : '';
  const offered = models.length === 0 ? 'It offers no models.' : `It offers ${models.slice(0, shownModels).join(', ')}${others}.`;
  return `${host} has no model “${missing}”. ${offered}`;
}

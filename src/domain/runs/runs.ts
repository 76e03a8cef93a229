import { maxPromptRuns, maxWorkspaceRuns } from '../../contract/limits.ts';
import { type BuiltInPrice, findBuiltInPrice } from '../../contract/model-prices.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import type { AssignedRelease } from '../../contract/release-assignment.ts';
import type { DraftRunRequest, Run, RunRequest, RunSummary } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import { BudgetError, type Holding } from '../../platform/scheduling/byte-budget.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithStore } from '../../store/store.ts';
import type { Watcher, WithAccessWatch } from '../access-watch.ts';
import { type Actor, toPerson } from '../actor.ts';
import { loadSubject } from '../candidates/load-candidate.ts';
import { getConnectionRecord, resolveConnection } from '../connections/connections.ts';
import { openModelServer } from '../connections/model-server.ts';
import { newId } from '../ids.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { renderContent } from '../prompts/render/render.ts';
import { prepareRenderable, type RenderableVersion } from '../prompts/render/renderables.ts';
import { analyzeContent, parseContent, serializeConfig } from '../prompts/versions/version-content.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { assertRole, getCurrentRole } from '../workspaces/change-workspace.ts';
import { type ChatOptions, type Completion, completeChat } from './chat.ts';
import { assertBudget, costOf, countUsage } from './daily-budget.ts';
import { toRequest } from './model-request.ts';
import type { CountedCompletion, WithModels, WithRuns } from './model-runs.ts';
import type { ChatRequest } from './protocols/protocol.ts';
import { chooseModel } from './run-input.ts';

/** The caller of an operation that takes a long time. */
export interface Caller {
  /** The signal is aborted when nobody waits for the result anymore. */
  signal: AbortSignal;
  /** Throws if the key was reset, the session has ended, or the account is no longer a member. */
  assertAllowed(): Promise<void>;
}

/** The caller who waits for a run. */
export interface RunListener extends Caller, Pick<ChatOptions, 'onEvent' | 'memory'> {
  /** Called when the run can no longer be refused and is about to start. */
  onStart(): void;
}

/** A finished run, with its summary for lists. */
export interface FinishedRun {
  run: Run;
  summary: RunSummary;
}

const previewLength = 200;
const keptBytes = 512 * 1024;
/** The maximum stored size of a failed run. It is small, because a server that fails repeatedly must not fill the database. */
const keptBytesOfFailure = 64 * 1024;
const kept = { perPrompt: maxPromptRuns, perWorkspace: maxWorkspaceRuns, bytesPerWorkspace: 64 * 1024 * 1024 };

/** Runs a version or a candidate of a prompt, and stores the run. */
export async function runPrompt(
  ctx: WithRuns,
  actor: Actor,
  name: string,
  { label, version, candidate: id, key, context, ...request }: RunRequest,
  listener: RunListener,
): Promise<FinishedRun> {
  const { variables = {} } = request;
  const connection = await resolveConnection(ctx.store, actor.workspaceId, request.connection);
  const { renderable, candidate } = await loadSubject(ctx, actor, name, { label, version, candidate: id }, { key, context });
  if (!candidate) countServed(ctx, actor, renderable, key);
  const config: unknown = JSON.parse(renderable.configJson);
  const chosen = chooseModel({ ...request, connection, config });
  const sent = toRequest(await renderContent(ctx, actor, renderable, variables), chosen, request.parameters);
  // The content of a candidate may change, so it is stored with the run.
  const draft = candidate && { ...toDraft(renderable.content), config };
  const input = { variables, parameters: sent.parameters, messages: sent.messages, ...(draft && { draft }) };
  const { promptId, version: number, release } = renderable;
  const subject = { promptId, version: candidate ? null : number, candidate, release };
  return execute(ctx, actor, { connection, request: sent, ...subject, input, listener });
}

/** Returns the content of a candidate in the form of a request that runs this content as a draft. */
function toDraft({ type: _, variables, ...content }: RenderableVersion['content']): Omit<NonNullable<Run['draft']>, 'config'> {
  return { ...content, ...(variables && { declarations: variables }) };
}

/** Counts the version of an application's run for the release that chose it. The runs of people in the dashboard do not count. */
function countServed({ recorder }: WithRecorder, { workspaceId, keySerial }: Actor, served: RenderableVersion, key: string | undefined) {
  const { promptId, version, label, release } = served;
  if (keySerial !== undefined) recorder.countServed(workspaceId, { promptId, version, label, release, key });
}

/** Runs a draft. If a prompt is named, the run is stored with it. */
export async function runDraft(
  ctx: WithModels & WithTemplates,
  actor: Actor,
  { template, messages: templates, syntax, declarations, tools, output, config = {}, name, ...request }: DraftRunRequest,
  listener: RunListener,
): Promise<FinishedRun> {
  const { variables = {} } = request;
  const connection = await resolveConnection(ctx.store, actor.workspaceId, request.connection);
  const promptId = name === undefined ? undefined : (await getPromptRecord(ctx.store, actor, name)).id;
  const content = parseContent({ template, messages: templates, syntax, variables: declarations, tools, output });
  // The result is not used: the call only checks the size of the config.
  serializeConfig(config);
  const own = name === undefined ? {} : { name: normalizeName(name) };
  const renderable = await prepareRenderable(ctx, actor, { content, ...own, ...(await analyzeContent(ctx, actor, content)) });
  const chosen = chooseModel({ ...request, connection, config });
  const sent = toRequest(await renderContent(ctx, actor, renderable, variables), chosen, request.parameters);
  const texts = template !== undefined ? { template } : { messages: templates };
  const declared = { ...(declarations && { declarations }), ...(tools && { tools }), ...(output && { output }) };
  const draft = { ...(syntax && { syntax }), ...texts, ...declared, config };
  const input = { variables, parameters: sent.parameters, messages: sent.messages, draft };
  return execute(ctx, actor, { connection, request: sent, promptId, version: null, input, listener });
}

export interface ModelCall {
  connection: ConnectionRecord;
  request: ChatRequest;
}

/** Requests a completion when it is the workspace's turn, unless the workspace's budget is used up. */
export async function callModel(ctx: WithModels, actor: Actor, call: ModelCall, listener: RunListener): Promise<CountedCompletion> {
  const { workspaceId } = actor;
  const { request } = call;
  const { onStart, onEvent } = listener;
  const memory = reserveRequest(request, listener.memory);
  const run = async (signal: AbortSignal) => {
    await assertMayRun(ctx, actor, listener);
    await assertBudget(ctx, workspaceId);
    // The connection is read again, because a check run takes up to an hour, and an admin may have deleted the connection or replaced its
    // key in the meantime.
    const connection = await getConnectionRecord(ctx.store, workspaceId, call.connection.id);
    const server = openModelServer(ctx, workspaceId, connection);
    const converted = { ...request, call: server.protocol.toCall(request) };
    onStart();
    const completion = await whileConnected(ctx, workspaceId, connection, (deleted) =>
      completeChat(server, converted, { signal: AbortSignal.any([signal, deleted]), limits: ctx.modelRuns.limits, memory, onEvent }),
    );
    const cost = costOf(completion.usage, priceOf(connection, request.model));
    await countUsage(ctx, workspaceId, completion.usage, cost);
    countRun(ctx, actor, { model: request.model, completion, cost });
    return { ...completion, cost };
  };
  try {
    return await ctx.modelRuns.run(workspaceId, listener.signal, run);
  } catch (err) {
    // The caller's signal is aborted when the caller has disconnected or holds too much memory. The queue rejects with the signal's reason,
    // which is not an AppError.
    const isCanceled = listener.signal.aborted || ctx.modelRuns.stopping.aborted;
    throw isCanceled && !(err instanceof AppError) ? new AppError('run_canceled') : err;
  }
}

function countRun(
  { recorder }: WithRecorder,
  { workspaceId, accountId }: Actor,
  { model, completion, cost }: { model: string; completion: Completion; cost: number | null },
): void {
  const { usage, durationMs, error } = completion;
  const { inputTokens, outputTokens } = usage;
  recorder.countRun({ workspaceId, accountId, model, hasFailed: error !== null, durationMs, inputTokens, outputTokens, cost });
}

/** The additional memory of a request per character. It is needed because messages are serialized, passed to another thread and sent. */
const bytesPerCharacter = 3;

/** Counts the request as memory of the run before the run waits in the queue. Throws if it exceeds the limit. */
function reserveRequest({ messages, parameters }: ChatRequest, memory: Holding): Holding {
  const lengths = messages.map(({ content, role: _, ...rest }) => lengthOf(content) + lengthOf(rest));
  const requestBytes = lengths.reduce((sum, length) => sum + length, lengthOf(parameters)) * bytesPerCharacter;
  const set = (bytes: number) => memory.set(requestBytes + bytes);
  try {
    set(0);
  } catch (err) {
    throw err instanceof BudgetError ? new AppError('too_many_concurrent', { text: err.message }) : err;
  }
  return { ...memory, set };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value ?? '').length;
}

/** Runs `use` with a signal that is aborted when the connection is deleted. */
async function whileConnected<T>(
  { store, access }: WithStore & WithAccessWatch,
  workspaceId: string,
  { id }: ConnectionRecord,
  use: (deleted: AbortSignal) => Promise<T>,
): Promise<T> {
  const deleted = new AbortController();
  const watcher: Watcher = {
    ownerId: workspaceId,
    credential: `${workspaceId} ${id}`,
    findRevision: async () => ((await store.connections.find(workspaceId, id)) ? 0 : new AppError('connection_not_found')),
    onEnd: (reason) => deleted.abort(reason),
  };
  access.add(watcher);
  try {
    return await use(deleted.signal);
  } finally {
    access.remove(watcher);
  }
}

/** Throws if the caller is no longer allowed to run models. */
export async function assertMayRun({ store }: WithStore, actor: Actor, { assertAllowed }: Caller): Promise<void> {
  await assertAllowed();
  assertRole(await getCurrentRole(store, actor), 'editor');
}

/** Returns whether an error ends the whole request, rather than being the result of a single test case. */
export function isFinal(err: unknown): boolean {
  return !(err instanceof AppError) || err.status >= 500 || accessErrors.includes(err.code);
}

const accessErrors: AppError['code'][] = ['unauthorized', 'workspace_not_found', 'forbidden'];

/**
 * Finds the price of a model: the price in the connection or, if there is none, the list price. Callers choose model names, so properties
 * that the object inherits must not be found.
 */
function priceOf({ baseUrl, prices }: ConnectionRecord, model: string): BuiltInPrice | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : findBuiltInPrice(baseUrl, model)?.price;
}

interface Execution extends ModelCall {
  promptId: string | undefined;
  version: number | null;
  candidate?: Run['candidate'];
  release?: AssignedRelease | undefined;
  input: Pick<Run, 'variables' | 'parameters' | 'messages' | 'draft'>;
  listener: RunListener;
}

async function execute(
  ctx: WithModels,
  actor: Actor,
  { promptId, version, candidate, release, input, listener, ...call }: Execution,
): Promise<FinishedRun> {
  const { connection, request } = call;
  const chosen = { version, ...(candidate && { candidate }), ...(release && { release }) };
  const id = newId('r');
  const createdAt = new Date().toISOString();
  const { output, toolCalls, ...result } = await callModel(ctx, actor, call, listener);
  const by = toPerson(actor);
  const source = { id, ...chosen, connection: { id: connection.id, name: connection.name }, model: request.model, createdAt, by };
  const summary: RunSummary = { ...source, ...result, preview: output.slice(0, previewLength).toWellFormed() };
  const run: Run = { ...source, ...input, output, toolCalls, ...result };
  if (promptId !== undefined) {
    const owner = { accountId: actor.workspaceId, promptId };
    const detail = toDetail({ ...input, output, toolCalls }, result.error ? keptBytesOfFailure : keptBytes);
    await ctx.store.runs.insert(owner, { id, createdAt, summary: JSON.stringify(summary), detail }, kept);
  }
  return { run, summary };
}

type RunDetail = Pick<Run, 'variables' | 'parameters' | 'messages' | 'draft' | 'output' | 'toolCalls'>;

/**
 * Serializes the detail of a run. If it is too large to be stored, first leaves out the messages, which can be rendered again, and then
 * everything except the output.
 */
function toDetail(detail: RunDetail, maxBytes: number): string {
  const whole = JSON.stringify(detail);
  if (whole.length <= maxBytes) return whole;
  const rendered = JSON.stringify({ ...detail, messages: [], truncated: true });
  if (rendered.length <= maxBytes) return rendered;
  const output = detail.output.slice(0, maxBytes / 2).toWellFormed();
  return JSON.stringify({ variables: {}, parameters: {}, messages: [], toolCalls: [], output, truncated: true });
}

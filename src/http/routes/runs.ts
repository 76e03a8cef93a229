import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageQuery } from '../../contract/lists.ts';
import { DraftRunRequest, FailedRun, Run, RunList, RunRequest } from '../../contract/runs.ts';
import type { ChatEvent } from '../../domain/runs/chat-assembler.ts';
import { getRun, listRuns } from '../../domain/runs/run-history.ts';
import { type FinishedRun, type RunListener, runDraft, runPrompt } from '../../domain/runs/runs.ts';
import { AppError } from '../../errors.ts';
import { actorOf } from '../middleware/authentication.ts';
import { createRunResponse, type RunResponse } from '../responses/run-response.ts';
import type { Routes } from './route.ts';

const protocol =
  'Responds with server-sent events: `delta` `{text}` or `{reasoning}` as the model writes, `tool_call` for each tool call, `usage` ' +
  '`{inputTokens, outputTokens, estimated, cost}`, then `done` with the run’s summary, or `error` `{code, message, status, ' +
  'retryAfterSeconds, run}`. With `Accept: application/json`, there is a single JSON response, whose status is 424 if the run failed. If ' +
  'the client disconnects or loses access, the request to the model is aborted. A run ends if the server sends nothing for 2 minutes, and ' +
  'after 10 minutes at the latest. If the service stops, the last event is `error` with the code `canceled` and a message that says so.';

/** Runs of prompts on models. */
export const runRoutes: Routes = (parts) => {
  const { ctx, createRoute } = parts;
  const route = createRoute({ tag: 'Runs' });
  const response = { 200: Run, 424: FailedRun };

  route('POST', '/api/prompts/:name/run', {
    operationId: 'runPrompt',
    summary: 'Run a version or a candidate on a model',
    description: `${protocol} The config’s tools, response format and other parameters are sent to the model unchanged. If the label has a release, \`key\` and \`context\` decide which version runs.`,
    body: RunRequest,
    response,
    errors: [422],
    handler: (req, reply) => respond(req, reply, parts, (listener) => runPrompt(ctx, actorOf(req), req.params.name, req.body, listener)),
  });

  route('POST', '/api/run', {
    operationId: 'runDraft',
    summary: 'Run a draft on a model',
    description: protocol,
    body: DraftRunRequest,
    response,
    errors: [422],
    handler: (req, reply) => respond(req, reply, parts, (listener) => runDraft(ctx, actorOf(req), req.body, listener)),
  });

  route('GET', '/api/prompts/:name/runs', {
    operationId: 'listRuns',
    summary: 'List the runs of a prompt, newest first',
    description: 'Runs are kept for 30 days, up to 200 per prompt and 2,000 or 64 MiB per workspace.',
    querystring: PageQuery,
    response: { 200: RunList },
    handler: (req) => listRuns(ctx, actorOf(req), req.params.name, req.query),
  });

  route('GET', '/api/prompts/:name/runs/:id', {
    operationId: 'getRun',
    summary: 'Get a run',
    response: { 200: Run },
    handler: (req) => getRun(ctx, actorOf(req), req.params),
  });
};

async function respond(
  req: FastifyRequest,
  reply: FastifyReply,
  parts: Parameters<typeof createRunResponse>[2],
  run: (listener: RunListener) => Promise<FinishedRun>,
): Promise<FastifyReply | Run> {
  const response = createRunResponse(req, reply, parts);
  const { signal, memory, assertAllowed, start } = response;
  const listener: RunListener = { signal, memory, assertAllowed, onStart: start, onEvent: (event) => sendDelta(response, event) };
  try {
    const finished = await response.whileAllowed(() => run(listener));
    if (response.stream) await sendEnd(response, finished);
    else return finished.run.error ? reply.status(424).send(toFailure(finished)) : finished.run;
  } catch (err) {
    // Until the stream has started, an error becomes an ordinary response.
    if (!response.stream) throw err;
    if (!(err instanceof AppError) || err.status >= 500) req.log.error({ id: req.id, err }, 'a run failed with an internal error');
    await response.send('error', { code: 'internal', message: 'Something went wrong on our side', status: null, retryAfterSeconds: null });
  }
  response.stream.finish();
  return reply;
}

/** The maximum length of text in one event. This length is small, so that a slow client does not look as if it had stopped reading. */
const chunkLength = 16 * 1024;

async function sendDelta(response: RunResponse, { type, text }: ChatEvent): Promise<void> {
  if (!response.stream) return;
  for (let start = 0; start < text.length; start += chunkLength) {
    const chunk = text.slice(start, start + chunkLength);
    await response.send('delta', type === 'delta' ? { text: chunk } : { reasoning: chunk });
  }
}

async function sendEnd(response: RunResponse, { run, summary }: FinishedRun): Promise<void> {
  for (const toolCall of run.toolCalls) await response.send('tool_call', toolCall);
  await response.send('usage', { ...run.usage, cost: run.cost });
  if (run.error) await response.send('error', { ...run.error, run: summary });
  else await response.send('done', summary);
}

function toFailure({ run }: FinishedRun): FailedRun {
  return { error: run.error?.message ?? '', code: 'run_failed', run };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Case, CaseCheck } from '../../contract/cases.ts';
import type { CaseResult, CheckResult } from '../../contract/checks.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { ModelMessage } from '../prompts/placeholder-messages.ts';
import { renderMessages } from '../prompts/render.ts';
import type { RenderableVersion } from '../prompts/renderables.ts';
import type { Completion } from './chat.ts';
import { type Evidence, evaluate } from './evaluate.ts';
import { askJudge } from './judge.ts';
import { callModel, type ModelCall } from './runs.ts';

/** What the cases are run on. */
export interface Target {
  renderable: RenderableVersion;
  model: (Pick<ModelCall, 'connection'> & Pick<ModelCall['request'], 'model' | 'parameters'>) | undefined;
}

const keptOutputLength = 4000;
const maxAttempts = 3;
const maxRetryMs = 30_000;
/** The server is busy, and may not be in a moment. */
const retriedStatuses: (number | null)[] = [429, 503, 529];

/** A case without checks passes if the model responds; one whose checks are all on the prompt needs no model. */
export function needsModel({ checks }: Case): boolean {
  return checks.length === 0 || checks.some(({ on }) => on !== 'prompt');
}

/** Runs a case and all its checks. What goes wrong is part of the result. */
export async function runCase(ctx: Context, actor: Actor, one: Case, target: Target, signal: AbortSignal): Promise<CaseResult> {
  const { id, name, variables, checks } = one;
  const empty = { id, name, checks: [], output: null, usage: null, cost: null, firstTokenMs: null, durationMs: null };
  try {
    const messages = await renderMessages(ctx, actor, target.renderable, variables);
    const prompt = textOf(messages);
    const completion = needsModel(one) ? await complete(ctx, actor, target, messages, signal) : undefined;
    const run = completion ? toRun(completion) : {};
    if (completion?.error) return { ...empty, ...run, passed: false, error: completion.error };
    const evidence: Evidence = { prompt, ...(completion && { ...completion, output: outputOf(completion) }) };
    const judged = { evidence, variables, connection: target.model?.connection, signal };
    let cost = completion?.cost ?? null;
    const results: CheckResult[] = [];
    for (const check of checks) {
      const { cost: added, ...result } = await runCheck(ctx, actor, check, judged);
      if (added !== null) cost = (cost ?? 0) + added;
      results.push(result);
    }
    return { ...empty, ...run, cost, checks: results, passed: results.every(({ passed }) => passed), error: null };
  } catch (err) {
    if (!(err instanceof AppError) || err.status >= 500) throw err;
    return { ...empty, passed: false, error: { code: err.code, message: err.message, status: null, retryAfterSeconds: null } };
  }
}

async function runCheck(
  ctx: Context,
  actor: Actor,
  check: CaseCheck,
  judged: Parameters<typeof askJudge>[3],
): Promise<CheckResult & { cost: number | null }> {
  if (check.kind === 'judge') return { ...check, ...(await askJudge(ctx, actor, check, judged)) };
  return { ...(await evaluate(ctx, actor.workspaceId, check, judged.evidence)), cost: null };
}

/** Repeats the request for a server that is busy: many cases at once easily exceed what it allows in a minute. */
async function complete(
  ctx: Context,
  { workspaceId }: Actor,
  { model }: Target,
  messages: ModelMessage[],
  signal: AbortSignal,
): Promise<Completion & { cost: number | null }> {
  if (!model) throw new Error('Cases that need a model are refused without one');
  const { connection, ...chosen } = model;
  for (let attempt = 1; ; attempt += 1) {
    const call = { connection, request: { ...chosen, messages } };
    const completion = await callModel(ctx, workspaceId, call, { signal, onStart() {}, onEvent() {} });
    const { error } = completion;
    if (!error || !retriedStatuses.includes(error.status) || attempt === maxAttempts || signal.aborted) return completion;
    const retryMs = error.retryAfterSeconds === null ? ctx.modelRuns.limits.retryMs * attempt : error.retryAfterSeconds * 1000;
    if (retryMs > maxRetryMs) return completion;
    await delay(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

function toRun(
  completion: Completion & { cost: number | null },
): Pick<CaseResult, 'output' | 'usage' | 'cost' | 'firstTokenMs' | 'durationMs'> {
  const { usage, cost, firstTokenMs, durationMs } = completion;
  return { output: outputOf(completion).slice(0, keptOutputLength).toWellFormed(), usage, cost, firstTokenMs, durationMs };
}

/** What the model wrote, or the tools it called, so that they can be checked too. */
function outputOf({ output, toolCalls }: Completion): string {
  return output === '' && toolCalls.length > 0 ? JSON.stringify(toolCalls) : output;
}

/** The text of all messages. */
function textOf(messages: ModelMessage[]): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))).join('\n\n');
}

import type { Case } from '../../contract/cases.ts';
import type { CaseResult, CheckResult } from '../../contract/checks.ts';
import type { ModelMessage } from '../../contract/model-messages.ts';
import { AppError, reasonOf } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import { renderContent } from '../prompts/render/render.ts';
import type { RenderableVersion } from '../prompts/render/renderables.ts';
import { type Rendered, toMessages } from '../prompts/render/rendered.ts';
import { type CallerWithMemory, withCallMemory } from '../runs/call-memory.ts';
import type { Completion } from '../runs/chat.ts';
import { toRequest } from '../runs/model-request.ts';
import type { CountedCompletion, WithModels, WithRuns } from '../runs/model-runs.ts';
import { type Caller, isFinal, type ModelCall } from '../runs/runs.ts';
import { callWithRetries } from './call-with-retries.ts';
import { type Evidence, evaluate } from './evaluate-check.ts';
import { askJudge } from './judge.ts';

/** The version and the model with which the test cases run. */
export interface Target {
  renderable: RenderableVersion;
  model: (Pick<ModelCall, 'connection'> & Pick<ModelCall['request'], 'model' | 'parameters'>) | undefined;
}

const keptOutputLength = 4000;

/**
 * Returns whether a test case needs a model. A test case needs no model only if it has checks and all of them are about the rendered
 * prompt. A test case without checks passes if the model responds.
 */
export function needsModel({ checks }: Case): boolean {
  return checks.length === 0 || checks.some(({ on }) => on !== 'prompt');
}

/** Runs a test case and all its checks. Failures are part of the result. */
export async function runCase(ctx: WithRuns, actor: Actor, one: Case, target: Target, caller: Caller): Promise<CaseResult> {
  const { id, name, variables, checks } = one;
  const empty = { id, name, checks: [], output: null, usage: null, cost: null, firstTokenMs: null, durationMs: null };
  try {
    return await withCallMemory(ctx, actor.workspaceId, caller, async (own) => {
      const rendered = await renderContent(ctx, actor, target.renderable, variables);
      const completion = needsModel(one) ? await complete(ctx, actor, target, rendered, own) : undefined;
      const run = completion ? toRun(completion) : {};
      if (completion?.error) return { ...empty, ...run, passed: false, error: completion.error };
      const evidence: Evidence = {
        prompt: textOf(toMessages(rendered)),
        ...(completion && { ...completion, output: outputOf(completion) }),
      };
      const judged = { evidence, variables, model: target.model, caller: own };
      let cost = completion?.cost ?? null;
      const results: CheckResult[] = [];
      for (const check of checks) {
        if (check.kind === 'judge') {
          const { cost: added, ...verdict } = await askJudge(ctx, actor, check, judged);
          if (added !== null) cost = (cost ?? 0) + added;
          results.push({ ...check, ...verdict });
        } else results.push(await evaluate(ctx, actor.workspaceId, check, evidence));
      }
      return { ...empty, ...run, cost, checks: results, passed: results.every(({ passed }) => passed), error: null };
    });
  } catch (err) {
    if (isFinal(err) || !(err instanceof AppError)) throw err;
    return { ...empty, passed: false, error: { code: err.code, message: reasonOf(err), status: null, retryAfterSeconds: null } };
  }
}

async function complete(
  ctx: WithModels,
  actor: Actor,
  { model }: Target,
  rendered: Rendered,
  caller: CallerWithMemory,
): Promise<CountedCompletion> {
  if (!model) throw new Error('A test case that needs a model was not refused, although there is no model');
  const { connection, ...chosen } = model;
  return callWithRetries(ctx, actor, { connection, request: toRequest(rendered, chosen) }, caller);
}

function toRun(completion: CountedCompletion): Pick<CaseResult, 'output' | 'usage' | 'cost' | 'firstTokenMs' | 'durationMs'> {
  const { usage, cost, firstTokenMs, durationMs } = completion;
  return { output: outputOf(completion).slice(0, keptOutputLength).toWellFormed(), usage, cost, firstTokenMs, durationMs };
}

/** Returns the output of the model, or the tools it called, so that they can be checked too. */
function outputOf({ output, toolCalls }: Completion): string {
  return output === '' && toolCalls.length > 0 ? JSON.stringify(toolCalls) : output;
}

/** Joins the texts of all messages. */
function textOf(messages: ModelMessage[]): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))).join('\n\n');
}

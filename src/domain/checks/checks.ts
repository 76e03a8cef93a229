import type { Case } from '../../contract/cases.ts';
import type { CaseResult, CheckRequest, CheckSummary } from '../../contract/checks.ts';
import { maxPromptCases, maxPromptChecks, maxWorkspaceChecks } from '../../contract/limits.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { FairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { CaseRecord } from '../../store/models/cases.ts';
import { type Actor, toPerson } from '../actor.ts';
import { loadSubject } from '../candidates/load-candidate.ts';
import { digestOf, findCasesDigest, toCase } from '../cases/cases.ts';
import { resolveConnection } from '../connections/connections.ts';
import { newId } from '../ids.ts';
import { digestContent } from '../prompts/versions/content-digest.ts';
import { serializeContent } from '../prompts/versions/version-content.ts';
import type { WithRuns } from '../runs/model-runs.ts';
import { chooseModel } from '../runs/run-input.ts';
import { assertMayRun, type Caller } from '../runs/runs.ts';
import { toCheckJson } from './check-history.ts';
import { needsModel, runCase, type Target } from './run-case.ts';

export interface WithCheckRuns {
  /** Check runs take a long time, so each workspace runs only a few at once. */
  checkRuns: FairQueue;
}

/** The caller who waits for the results. */
export interface CheckListener extends Caller {
  /** Called when the check run can no longer be refused. */
  onStart(): void;
  onCase(result: CaseResult, progress: { done: number; total: number }): Promise<void> | void;
}

const kept = { perPrompt: maxPromptChecks, perWorkspace: maxWorkspaceChecks, bytesPerWorkspace: 128 * 1024 * 1024 };
const defaultParallel = 4;
const maxDurationMs = 60 * 60_000;
const maxDetailLength = 2 * 1024 * 1024;
const shortLength = 200;

/** Runs all test cases of a prompt with one of its versions, and stores the results. Returns them as the JSON of a `Check`. */
export async function runChecks(
  ctx: WithRuns & WithCheckRuns,
  actor: Actor,
  name: string,
  request: CheckRequest,
  listener: CheckListener,
): Promise<{ summary: CheckSummary; json: string }> {
  const { workspaceId } = actor;
  const { parallel = defaultParallel } = request;
  const connection = request.connection === undefined ? undefined : await resolveConnection(ctx.store, workspaceId, request.connection);
  const { renderable, candidate } = await loadSubject(ctx, actor, name, request);
  const owner = { accountId: workspaceId, promptId: renderable.promptId };
  const chosen = connection && chooseModel({ connection, config: JSON.parse(renderable.configJson), model: request.model });
  const target: Target = { renderable, model: connection && chosen && { connection, ...chosen } };

  // All test cases together may take megabytes, so they are read only when the check run gets its slot, and each is parsed only when it
  // runs.
  return ctx.checkRuns.run(workspaceId, async () => {
    const records = await ctx.store.read(workspaceId).cases.list(owner, { afterId: '', limit: maxPromptCases });
    if (records.length === 0) throw new AppError('no_cases');
    if (!chosen) assertNoModelNeeded(records);
    listener.onStart();
    const started = performance.now();
    const createdAt = new Date().toISOString();
    const results = await runAll(records, { parallel, signals: [listener.signal, ctx.modelRuns.stopping] }, async (one, signal, done) => {
      const result = await runCase(ctx, actor, one, target, { ...listener, signal });
      if (!signal.aborted) await listener.onCase(result, { done: done(), total: records.length });
      return result;
    });
    const failed = results.filter(({ passed }) => !passed).length;
    const stored: Omit<CheckSummary, 'current'> = {
      id: newId('k'),
      version: candidate ? null : renderable.version,
      ...(candidate && { candidate }),
      connection: connection ? { id: connection.id, name: connection.name } : null,
      model: chosen?.model ?? null,
      passed: results.length - failed,
      failed,
      cost: sumCosts(results),
      durationMs: Math.round(performance.now() - started),
      createdAt,
      by: toPerson(actor),
    };
    const casesDigest = digestOf(records.map(({ id, digest }) => `${id} ${digest}`).join('\n'));
    // A member who has lost the role in the meantime must not open a gate.
    await assertMayRun(ctx, actor, listener);
    const detail = toDetail(results);
    const { content, configJson } = renderable;
    const contentDigest = digestContent({ syntax: content.syntax, content: serializeContent(content), config: configJson });
    const check = {
      id: stored.id,
      version: renderable.version,
      contentDigest,
      createdAt,
      summary: JSON.stringify(stored),
      detail,
      casesDigest,
    };
    await ctx.store.checks.insert(owner, { ...check, hasPassed: failed === 0 }, kept);
    const current = (await findCasesDigest(ctx.store, owner))?.digest === casesDigest;
    const summary = { ...stored, current };
    return { summary, json: toCheckJson(summary, detail) };
  });
}

/** Returns the error for a check run that ended early, because the service is stopping or nobody waits for the results anymore. */
function toCanceled(reason: unknown): AppError {
  return reason instanceof AppError && reason.code === 'service_stopping' ? reason : new AppError('checks_canceled');
}

type RunOne = (one: Case, signal: AbortSignal, done: () => number) => Promise<CaseResult>;

/** Runs the test cases, several at a time. The results are in the order of the test cases. */
async function runAll(
  cases: CaseRecord[],
  { parallel, signals }: { parallel: number; signals: AbortSignal[] },
  run: RunOne,
): Promise<CaseResult[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(maxDurationMs), failure.signal]);
  const results: CaseResult[] = [];
  const waiting = cases.entries();
  let finished = 0;
  const done = () => {
    finished += 1;
    return finished;
  };
  const worker = async () => {
    for (const [index, one] of waiting) {
      if (signal.aborted) throw toCanceled(signal.reason);
      results[index] = await run(toCase(one), signal, done);
    }
  };
  // An error of the service cancels the remaining test cases, which would otherwise continue at the workspace's expense.
  const workers = Array.from({ length: parallel }, () => worker().catch((err: unknown) => failure.abort(err)));
  await Promise.all(workers);
  if (!signal.aborted) return results;
  const isFailure = failure.signal.aborted && !signals.some(({ aborted }) => aborted);
  throw isFailure ? failure.signal.reason : toCanceled(signal.reason);
}

/** Serializes the results. If they are too long together, each result is shortened, so that the whole check run can be read at once. */
function toDetail(results: CaseResult[]): string {
  const texts = results.map((result) => JSON.stringify(result));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return `[${(length <= maxDetailLength ? texts : results.map((result) => JSON.stringify(shorten(result)))).join(',')}]`;
}

function shorten(result: CaseResult): CaseResult {
  const cut = (text: string) => text.slice(0, shortLength).toWellFormed();
  return {
    ...result,
    output: result.output === null ? null : cut(result.output),
    checks: result.checks.map(({ value: _value, rubric: _rubric, ...check }) => ({ ...check, message: cut(check.message) })),
  };
}

function assertNoModelNeeded(records: CaseRecord[]): void {
  for (const record of records) {
    if (!needsModel(toCase(record))) continue;
    throw invalidField('/connection', `Required because the test case “${record.name}” needs the output of a model`);
  }
}

function sumCosts(results: CaseResult[]): number | null {
  const costs = results.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

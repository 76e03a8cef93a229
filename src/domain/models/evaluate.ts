import type { CaseCheck } from '../../contract/cases.ts';
import type { CheckResult } from '../../contract/checks.ts';
import type { TokenUsage } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import type { Context } from '../context.ts';
import type { CheckRule } from '../templates/types.ts';
import { isSchema } from './case-checks.ts';
import { estimateTokens } from './chat.ts';

const shownLength = 100;

/** What the checks of a case look at. */
export interface Evidence {
  /** The rendered prompt. */
  prompt: string;
  /** What the model wrote, or its tool calls as JSON if it wrote nothing. Undefined if no model was run. */
  output?: string;
  usage?: TokenUsage;
  durationMs?: number;
}

export interface Verdict {
  passed: boolean;
  message: string;
}

/** Decides a check that needs no model of its own. */
export async function evaluate(ctx: Context, workspaceId: string, check: CaseCheck, evidence: Evidence): Promise<CheckResult> {
  const isPrompt = check.on === 'prompt';
  const text = isPrompt ? evidence.prompt : (evidence.output ?? '');
  const problem = await findProblem(ctx, workspaceId, check, { text, tokens: countTokens(isPrompt, text, evidence), ...evidence });
  const subject = isPrompt ? 'The prompt' : 'The output';
  return { ...check, passed: problem === undefined, message: problem === undefined ? '' : `${subject} ${problem}` };
}

interface Subject {
  text: string;
  tokens: number;
  durationMs?: number;
}

/** Why a check fails, to be continued after "The output". Undefined if it passes. */
async function findProblem(
  ctx: Context,
  workspaceId: string,
  { kind, value }: CaseCheck,
  { text, tokens, durationMs = 0 }: Subject,
): Promise<string | undefined> {
  switch (kind) {
    case 'contains':
      return text.includes(String(value)) ? undefined : `does not contain ${quote(value)}`;
    case 'notContains':
      return text.includes(String(value)) ? `contains ${quote(value)}` : undefined;
    case 'equals':
      return text.trim() === String(value).trim() ? undefined : `is not ${quote(value)}`;
    case 'json':
      return isJson(text) ? undefined : 'is not JSON';
    case 'maxCharacters':
      return exceeds([...text].length, value, 'characters');
    case 'maxTokens':
      return exceeds(tokens, value, 'tokens');
    case 'maxLatencyMs':
      return exceeds(durationMs, value, 'ms');
    case 'matches':
      return runApart(ctx, workspaceId, { kind, value: String(value) }, text);
    case 'jsonSchema':
      return runApart(ctx, workspaceId, { kind, value: isSchema(value) ? value : false }, text);
    case 'judge':
      throw new Error('A judge is asked, not evaluated');
  }
}

function exceeds(count: number, limit: unknown, unit: string): string | undefined {
  return count <= Number(limit) ? undefined : `has ${count} ${unit}, at most ${limit} are allowed`;
}

/** Expressions and schemas of users may take any time, so they are matched in a child process. */
async function runApart(ctx: Context, workspaceId: string, rule: CheckRule, text: string): Promise<string | undefined> {
  try {
    const result = await ctx.templates.check(workspaceId, { rule, text });
    if (!result.ok) return `cannot be checked: ${result.problem.slice(0, 500)}`;
    return result.problems.length === 0 ? undefined : result.problems.join('; ').slice(0, 1000);
  } catch (err) {
    if (err instanceof AppError && err.code === 'template_too_costly')
      return 'cannot be checked within the time and memory that a check may take';
    throw err;
  }
}

/** What the server counted, if it did. */
function countTokens(isPrompt: boolean, text: string, { usage }: Evidence): number {
  if (!usage || usage.estimated) return estimateTokens(text);
  return isPrompt ? usage.inputTokens : usage.outputTokens;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function quote(value: unknown): string {
  const text = String(value);
  return `“${text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text}”`;
}

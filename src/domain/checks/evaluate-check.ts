import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CaseCheck } from '../../contract/cases.ts';
import type { CheckResult } from '../../contract/checks.ts';
import type { TokenUsage } from '../../contract/runs.ts';
import { AppError } from '../../errors.ts';
import { isSchema } from '../cases/case-checks.ts';
import { estimateTokens } from '../runs/chat.ts';
import { findSearchProblem, quote } from '../templates/search.ts';
import type { CheckRule, SearchRule } from '../templates/template-types.ts';
import type { WithTemplates } from '../templates/templates.ts';

/** Longer JSON may take long to parse, if it is deeply nested. */
const maxParsedLength = 16 * 1024;
/** A search compares up to the product of both lengths. */
const maxComparisons = 8 * 1024 * 1024;

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
export async function evaluate(ctx: WithTemplates, workspaceId: string, check: CaseCheck, evidence: Evidence): Promise<CheckResult> {
  // A case may have many checks of a long text.
  await nextTurn();
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
  ctx: WithTemplates,
  workspaceId: string,
  { kind, value }: CaseCheck,
  { text, tokens, durationMs = 0 }: Subject,
): Promise<string | undefined> {
  switch (kind) {
    case 'contains':
    case 'notContains':
      return search(ctx, workspaceId, { kind, value: String(value) }, text);
    case 'equals':
      return text.trim() === String(value).trim() ? undefined : `is not ${quote(String(value))}`;
    case 'json':
      if (text.length > maxParsedLength) return runApart(ctx, workspaceId, { kind: 'jsonSchema', value: true }, text);
      return isJson(text) ? undefined : 'is not JSON';
    case 'maxCharacters':
      return exceeds(countCharacters(text), value, 'characters');
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

/** Counts a pair of surrogates as one, without a copy of the text. */
function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) index += 1;
    count += 1;
  }
  return count;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

async function search(ctx: WithTemplates, workspaceId: string, rule: SearchRule, text: string): Promise<string | undefined> {
  const isCostly = text.length * rule.value.length > maxComparisons;
  return isCostly ? runApart(ctx, workspaceId, rule, text) : findSearchProblem(rule, text);
}

/** What users write may take any time to match, so it is matched in a child process. */
async function runApart(ctx: WithTemplates, workspaceId: string, rule: CheckRule, text: string): Promise<string | undefined> {
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

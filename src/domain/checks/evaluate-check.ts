import type { CaseCheck } from '../../contract/cases.ts';
import type { CheckResult } from '../../contract/checks.ts';
import type { TokenUsage } from '../../contract/runs.ts';
import { estimateTokens } from '../../contract/token-estimate.ts';
import { AppError } from '../../errors.ts';
import { isSchema } from '../cases/case-checks.ts';
import type { CheckRule } from '../templates/template-types.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { exceeds } from '../templates/text-checks.ts';

/** The data that the checks of a test case evaluate. */
export interface Evidence {
  /** The rendered prompt. */
  prompt: string;
  /** The output of the model, or its tool calls as JSON if it wrote nothing. Undefined if no model was called. */
  output?: string;
  usage?: TokenUsage;
  durationMs?: number;
}

export type Verdict = Pick<CheckResult, 'passed' | 'message'>;

/** Evaluates a check that does not need a model. */
export async function evaluate(ctx: WithTemplates, workspaceId: string, check: CaseCheck, evidence: Evidence): Promise<CheckResult> {
  const isPrompt = check.on === 'prompt';
  const text = isPrompt ? evidence.prompt : (evidence.output ?? '');
  const problem = await findProblem(ctx, workspaceId, check, { text, tokens: countTokens(isPrompt, text, evidence), ...evidence });
  const subject = isPrompt ? 'The prompt' : 'The output';
  return { ...check, passed: problem === undefined, message: problem === undefined ? '' : `${subject} ${problem}` };
}

/** Returns the reason why a check fails, as the end of a sentence that begins with "The output". Returns undefined if it passes. */
async function findProblem(
  ctx: WithTemplates,
  workspaceId: string,
  check: CaseCheck,
  { text, tokens, durationMs = 0 }: { text: string; tokens: number; durationMs?: number },
): Promise<string | undefined> {
  if (check.kind === 'maxTokens') return exceeds(tokens, Number(check.value), 'tokens');
  if (check.kind === 'maxLatencyMs') return exceeds(durationMs, Number(check.value), 'ms');
  try {
    const result = await ctx.templates.check(workspaceId, { rule: toRule(check), text });
    if (!result.ok) return `cannot be checked: ${result.problem.slice(0, 500)}`;
    return result.problems.length === 0 ? undefined : result.problems.join('; ').slice(0, 1000);
  } catch (err) {
    if (err instanceof AppError && err.code === 'template_too_costly') return 'cannot be checked within the time and memory limits';
    throw err;
  }
}

function toRule({ kind, value }: CaseCheck): CheckRule {
  switch (kind) {
    case 'json':
      return { kind };
    case 'maxCharacters':
      return { kind, value: Number(value) };
    case 'jsonSchema':
      return { kind, value: isSchema(value) ? value : false };
    case 'contains':
    case 'notContains':
    case 'equals':
    case 'matches':
      return { kind, value: String(value) };
    default:
      throw new Error(`A check of the kind ${kind} does not apply to text`);
  }
}

/** Returns the number of tokens that the server counted, or an estimate. */
function countTokens(isPrompt: boolean, text: string, { usage }: Evidence): number {
  if (!usage || usage.estimated) return estimateTokens(text);
  return isPrompt ? usage.inputTokens : usage.outputTokens;
}

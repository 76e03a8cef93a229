import type { CaseCheck } from '../../contract/cases.ts';
import { AppError } from '../../errors.ts';
import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { resolveConnection } from '../connections/connections.ts';
import { renderMessages } from '../prompts/render/render.ts';
import { withCallMemory } from '../runs/call-memory.ts';
import type { WithRuns } from '../runs/model-runs.ts';
import { chooseModel } from '../runs/run-input.ts';
import { type Caller, isFinal } from '../runs/runs.ts';
import { callPatiently } from './call-with-retries.ts';
import type { Evidence, Verdict } from './evaluate-check.ts';

const maxMessageLength = 500;
/** Longer JSON may take long to parse, if it is deeply nested. */
const maxVerdictLength = 64 * 1024;

interface JudgedCase {
  evidence: Evidence;
  variables: Record<string, unknown>;
  /** Where the cases run. The judge runs there too, unless its check names another connection. */
  connection: ConnectionRecord | undefined;
  caller: Caller;
}

/**
 * Asks a prompt of the same workspace. It gets `output` (what is judged), `prompt` (the rendered prompt) and `variables` (those of the
 * case), and passes what it says passes.
 */
export async function askJudge(
  ctx: WithRuns,
  actor: Actor,
  check: CaseCheck,
  { evidence, variables, connection, caller }: JudgedCase,
): Promise<Verdict & { cost: number | null }> {
  const { workspaceId } = actor;
  try {
    const used = check.connection === undefined ? connection : await findConnection(ctx, workspaceId, check.connection);
    if (!used) return { ...refuse('The judge has no connection: name one in the check, or for the run'), cost: null };
    const renderable = await ctx.renderables.get(ctx, actor, String(check.value), { label: check.label });
    const chosen = chooseModel({ connection: used, config: JSON.parse(renderable.configJson), model: check.model });
    const judged = check.on === 'prompt' ? evidence.prompt : (evidence.output ?? '');
    const messages = await renderMessages(ctx, actor, renderable, { output: judged, prompt: evidence.prompt, variables });
    const call = { connection: used, request: { ...chosen, messages } };
    const { output, error, cost } = await withCallMemory(ctx, workspaceId, caller, (own) => callPatiently(ctx, actor, call, own));
    return { ...(error ? refuse(`The judge failed: ${error.message}`) : readVerdict(output)), cost };
  } catch (err) {
    if (isFinal(err) || !(err instanceof AppError)) throw err;
    return { ...refuse(`The judge cannot be run: ${err.message}`), cost: null };
  }
}

/** A check is not part of the request, so an unknown connection is no invalid field of it. */
function findConnection({ store }: WithStore, workspaceId: string, idOrName: string): Promise<ConnectionRecord> {
  return resolveConnection(store, workspaceId, { idOrName, path: '/connection' }).catch(() => {
    throw new AppError('connection_not_found');
  });
}

/** A judge says `{"pass": true}` as JSON, or begins with a word such as "pass" or "yes". Whatever is neither does not pass. */
export function readVerdict(output: string): Verdict {
  const text = withoutFence(output.trim());
  const said = text.slice(0, maxMessageLength).toWellFormed();
  const pass = text.length > maxVerdictLength ? undefined : findPass(text);
  if (pass !== undefined) return { passed: pass, message: said };
  const [word = ''] = text.startsWith('{') ? [] : (/[\w-]+/.exec(said) ?? []);
  if (/^(pass|passed|passes|yes|true)$/i.test(word)) return { passed: true, message: said };
  if (/^(fail|failed|fails|no|false)$/i.test(word)) return { passed: false, message: said };
  return refuse(`The judge said neither pass nor fail: ${said}`);
}

/** Models like to put JSON into a fenced block. */
function withoutFence(text: string): string {
  return text.startsWith('```') && text.endsWith('```') ? text.slice(text.indexOf('\n') + 1, -3).trim() : text;
}

function findPass(text: string): boolean | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const { pass, passed }: { pass?: unknown; passed?: unknown } = typeof parsed === 'object' && parsed !== null ? parsed : {};
    const verdict = pass ?? passed;
    return typeof verdict === 'boolean' ? verdict : undefined;
  } catch {
    return undefined;
  }
}

function refuse(message: string): Verdict {
  return { passed: false, message };
}

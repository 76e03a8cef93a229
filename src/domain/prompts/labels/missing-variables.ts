import { latestLabel } from '../../../contract/label-names.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { TemplateSyntax } from '../../../contract/versions.ts';
import type { Warning } from '../../../contract/warnings.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import type { WithRecorder } from '../../statistics/usage-recorder.ts';
import type { Analysis } from '../../templates/template-types.ts';
import { withDrafts } from '../includes/draft-includes.ts';
import { findIncludes } from '../includes/find-includes.ts';
import { loadIncludes } from '../includes/load-includes.ts';
import { createVariableMerger } from '../includes/merge-variables.ts';
import { type ResolvedIncludes, resolveIncludes } from '../includes/resolve-includes.ts';
import type { Content } from '../render/rendered.ts';
import { countFailingRenders, type FailingRenders } from '../usage.ts';
import { parseStoredAnalysis } from '../versions/version-content.ts';

export interface LabelMove {
  /** The id of the prompt, or undefined if it does not exist yet and therefore has no callers. */
  promptId: string | undefined;
  name: string;
  content: Content;
  analysis: Pick<Analysis, 'variables' | 'partials'>;
  includes: ResolvedIncludes;
  /** The labels that will point at the version. */
  labels: string[];
  /** The versions at which the prompt's labels point now. */
  current: ReadonlyMap<string, number>;
  /** The names of prompts that the same request changes. They get their own warnings. */
  changing?: ReadonlySet<string>;
}

/** The version that callers will render at a label after the move. */
interface CalledVersion {
  promptId: string;
  label: string;
  version: number;
  includes: ResolvedIncludes;
  /** The name of the dependent, if the version belongs to a prompt that includes the prompt whose label moves. */
  dependent?: string;
}

/** The maximum number of dependents that are checked. */
const maxDependents = 20;

/**
 * Finds variables that the move makes required although some renders in the last 24 hours did not send them. Renders of prompts that
 * include the changed prompt count too.
 */
export async function findMissingVariables(ctx: WithStore & WithRecorder, actor: Actor, move: LabelMove): Promise<Warning[]> {
  const { promptId, includes, labels, current } = move;
  if (promptId === undefined) return [];
  const warnings: Warning[] = [];
  for (const label of labels) {
    const version = current.get(label);
    if (version === undefined) continue;
    const own = { promptId, label, version, includes };
    if ((await listAdded(ctx, actor, own)).length === 0) continue;
    for (const called of [own, ...(await listDependents(ctx, actor, move, label))])
      warnings.push(...(await findMissing(ctx, actor, called, move.content.syntax)));
  }
  return warnings;
}

async function findMissing(ctx: WithStore & WithRecorder, actor: Actor, called: CalledVersion, syntax: TemplateSyntax): Promise<Warning[]> {
  const { promptId, label, includes } = called;
  const variables = await listAdded(ctx, actor, called);
  const failing = await countFailingRenders(ctx, actor, { promptId, label, variables });
  return includes.variables.flatMap((variable) => {
    const found = failing.get(variable.name);
    return found ? [describeMissing(called, variable.name, found, suggestOptional(variable, syntax))] : [];
  });
}

/** Lists the variables that callers need not send now, but will need to send after the move. */
async function listAdded(ctx: WithStore, actor: Actor, { promptId, version, includes }: CalledVersion): Promise<string[]> {
  const stores = ctx.store.read(actor.workspaceId);
  const record = await stores.versions.find(actor.workspaceId, promptId, version);
  const required = includes.variables.filter((variable) => variable.required).map(({ name }) => name);
  if (!record || required.length === 0) return required;
  const analysis = parseStoredAnalysis(record);
  const graph = await loadIncludes(stores, actor, analysis.partials, { content: false });
  const sent = createVariableMerger(graph)(analysis).filter((variable) => variable.required);
  return required.filter((name) => !sent.some((variable) => variable.name === name));
}

/** Lists the labeled versions of other prompts that include this prompt at the label, as they will be after the move. */
async function listDependents(ctx: WithStore, actor: Actor, move: LabelMove, label: string): Promise<CalledVersion[]> {
  const { workspaceId } = actor;
  const { promptId: ownId, name, content, analysis, changing } = move;
  return ctx.store.readSnapshot(workspaceId, async (stores) => {
    const reader = withDrafts(stores, [{ name, content, analysis, labels: [label] }]);
    const dependents: CalledVersion[] = [];
    const budget = { promptsLeft: maxDependents, labelsLeft: maxDependents };
    for await (const include of findIncludes(stores.references, workspaceId, { name, label }, budget)) {
      const { promptId, version, pointer, name: dependent } = include;
      if (pointer === latestLabel || promptId === ownId || changing?.has(dependent)) continue;
      const record = await stores.versions.find(workspaceId, promptId, version);
      if (!record) continue;
      const { syntax } = record;
      const includes = await resolveIncludes(reader, actor, { name: dependent, syntax, analysis: parseStoredAnalysis(record) });
      dependents.push({ promptId, label: pointer, version, includes, dependent });
    }
    return dependents;
  });
}

function describeMissing(
  { label, version, dependent }: CalledVersion,
  variable: string,
  { renders, isExact }: FailingRenders,
  suggestion: string,
): Warning {
  const at = dependent === undefined ? `"${label}"` : `"${dependent}" at "${label}"`;
  const count = `${renders} ${renders === 1 ? 'render' : 'renders'} of ${at} in the last 24 hours`;
  const missing = isExact
    ? `${count} did not send it and would have failed.`
    : `Up to ${count} may not have sent it and would have failed. Callers send too many variables to count each by name.`;
  const reason = dependent === undefined ? `but version ${version} does not need it` : `and "${dependent}" includes this prompt`;
  const message = `"${variable}" is required, ${reason}. ${missing} ${suggestion}`;
  const about = dependent === undefined ? {} : { prompt: dependent };
  return { code: 'missing_variable', message, ...about, label, variable, ...(isExact && { rendersLast24Hours: renders }) };
}

/** Says how to make a variable optional. Only a single value can have a default, and mustache has no defaults. */
function suggestOptional({ name, kind }: Variable, syntax: TemplateSyntax): string {
  if (syntax === 'mustache') return `Use it only in a section, such as {{#${name}}}…{{/${name}}}`;
  if (kind === 'list' || kind === 'object') return `Use it only in a condition, such as {% if ${name} %}…{% endif %}`;
  return `Give it a default, such as {{ ${name} | default: "…" }}`;
}

import { productionLabel } from '../../contract/label-names.ts';
import { maxFlagCharacters, maxFlags } from '../../contract/limits.ts';
import type { AssignedRelease, Caller } from '../../contract/release-assignment.ts';
import { AppError } from '../../errors.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord, type ResolvingStores, resolveVersionOf } from '../prompts/prompt-records.ts';
import type { Content } from '../prompts/render/rendered.ts';
import { composeContent } from '../prompts/versions/portable-version.ts';

/** The version that a caller gets, for programs that render it themselves. The texts of included prompts are inserted. */
export interface Evaluation {
  promptId: string;
  name: string;
  label: string;
  version: number;
  content: Content;
  config: unknown;
  /** How a release of the label chose the version. */
  release: AssignedRelease | undefined;
}

/** An evaluation, or the reason why the content of the prompt cannot be composed. */
export type EvaluationResult = Evaluation | { name: string; error: AppError };

const pagePrompts = 100;
const tooMuch =
  `A request can evaluate up to ${maxFlags} prompts with the label "${productionLabel}" and ${maxFlagCharacters} characters of content. ` +
  'Evaluate them one by one.';

/** Evaluates a label of a prompt for a caller. */
export async function evaluatePrompt(
  { store }: WithStore,
  actor: Actor,
  { name, label, caller }: { name: string; label: string; caller: Caller },
): Promise<Evaluation> {
  return evaluate(store, actor, await getPromptRecord(store, actor, name), { label, caller });
}

/** Evaluates all prompts that have the label `production` for a caller, in the order of their names. */
export async function evaluatePrompts({ store }: WithStore, actor: Actor, caller: Caller): Promise<EvaluationResult[]> {
  const { workspaceId } = actor;
  return store.readSnapshot(workspaceId, async (stores) => {
    const results: EvaluationResult[] = [];
    let characters = 0;
    for (let after: { value: string; id: string } | undefined; ; ) {
      const page = await stores.prompts.list(workspaceId, { sort: 'name', label: productionLabel, limit: pagePrompts, after });
      for (const prompt of page) {
        const result = await evaluate(stores, actor, prompt, { label: productionLabel, caller }).catch(toFailure(prompt));
        results.push(result);
        if ('content' in result) characters += JSON.stringify([result.content, result.config]).length;
        if (results.length > maxFlags || characters > maxFlagCharacters) throw new AppError('bad_request', { text: tooMuch });
      }
      const last = page.at(-1);
      if (!last || page.length < pagePrompts) return results;
      after = { value: last.name, id: last.id };
    }
  });
}

async function evaluate(
  stores: ResolvingStores,
  actor: Actor,
  prompt: PromptRecord,
  { label, caller }: { label: string; caller: Caller },
): Promise<Evaluation> {
  const found = await resolveVersionOf(stores, actor, prompt, { label }, caller);
  const { id: promptId, name } = prompt;
  const { version, config } = found.record;
  const content = await composeContent(stores, actor, found);
  return { promptId, name, label, version, content, config: JSON.parse(config), release: found.chosen?.release };
}

/** A prompt whose includes are missing must not prevent the evaluation of the other prompts. */
function toFailure({ name }: PromptRecord) {
  return (error: unknown): EvaluationResult => {
    if (error instanceof AppError && error.code === 'unresolved_partial') return { name, error };
    throw error;
  };
}

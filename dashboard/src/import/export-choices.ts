import type { ImportedPrompt } from '../../../client/src/types.ts';
import { findNameProblem } from '../../../src/contract/prompt-names.ts';
import type { ExportChoice } from '../../../src/formats/export-file.ts';

/** The user's choice for a prompt of an export. */
export type Choice = { action: 'import' | 'skip' | 'replace' } | { action: 'rename'; name: string };

export type Choices = ReadonlyMap<string, Choice>;

/** Returns the user's choice, or the default. By default, a prompt with a conflict is skipped, so the existing prompt is not changed. */
export function choiceOf({ name, status }: ImportedPrompt, choices: Choices): Choice {
  return choices.get(name) ?? { action: status === 'created' || status === 'completed' ? 'import' : 'skip' };
}

/** Returns a name that no prompt in the export has. */
export function suggestName(name: string, prompts: ImportedPrompt[]): string {
  const names = new Set(prompts.map((prompt) => prompt.name));
  for (let number = 1; ; number += 1) {
    const suggested = `${name.slice(0, 180)}-imported${number === 1 ? '' : `-${number}`}`;
    if (!names.has(suggested)) return suggested;
  }
}

/** Returns why the chosen names are not valid, keyed by the names in the export. */
export function findNameProblems(prompts: ImportedPrompt[], choices: Choices): Map<string, string> {
  const problems = new Map<string, string>();
  const taken = new Set(prompts.map(({ name }) => name));
  for (const prompt of prompts) {
    const choice = choiceOf(prompt, choices);
    if (choice.action !== 'rename') continue;
    const problem = taken.has(choice.name) ? 'Another prompt in this import has this name' : findNameProblem(choice.name);
    if (problem) problems.set(prompt.name, problem);
    taken.add(choice.name);
  }
  return problems;
}

/** Returns which prompts one step imports, and under which names. Prompts that replace existing ones are imported in a separate step. */
export function linesOf(prompts: ImportedPrompt[], choices: Choices, isReplacing: boolean): (name: string) => ExportChoice {
  const byName = new Map(prompts.map((prompt) => [prompt.name, choiceOf(prompt, choices)]));
  return (name) => {
    const choice = byName.get(name);
    if (!choice || choice.action === 'skip' || (choice.action === 'replace') !== isReplacing) return 'skip';
    return { name: choice.action === 'rename' ? choice.name : name };
  };
}

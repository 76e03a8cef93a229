import type { ImportedPrompt } from '../../../client/src/types.ts';
import { findNameProblem } from '../../../src/contract/prompt-names.ts';
import type { ExportChoice } from '../../../src/formats/export-file.ts';

/** What the user wants to happen to a prompt of an export. */
export type Choice = { action: 'import' | 'skip' | 'replace' } | { action: 'rename'; name: string };

export type Choices = ReadonlyMap<string, Choice>;

/** What happens without a choice: a conflict leaves the prompt that is here alone. */
export function choiceOf({ name, status }: ImportedPrompt, choices: Choices): Choice {
  return choices.get(name) ?? { action: status === 'created' || status === 'completed' ? 'import' : 'skip' };
}

/** A name that no prompt of the export has. */
export function suggestName(name: string, prompts: ImportedPrompt[]): string {
  const names = new Set(prompts.map((prompt) => prompt.name));
  for (let number = 1; ; number += 1) {
    const suggested = `${name.slice(0, 180)}-imported${number === 1 ? '' : `-${number}`}`;
    if (!names.has(suggested)) return suggested;
  }
}

/** What is wrong with the names that were chosen, by the names in the export. */
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

/** Which prompts one step imports, and under which names. Those that replace others take a step of their own. */
export function linesOf(prompts: ImportedPrompt[], choices: Choices, isReplacing: boolean): (name: string) => ExportChoice {
  const byName = new Map(prompts.map((prompt) => [prompt.name, choiceOf(prompt, choices)]));
  return (name) => {
    const choice = byName.get(name);
    if (!choice || choice.action === 'skip' || (choice.action === 'replace') !== isReplacing) return 'skip';
    return { name: choice.action === 'rename' ? choice.name : name };
  };
}

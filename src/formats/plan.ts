import type { Case, NewCase } from '../contract/cases.ts';
import type { ListedPrompt } from '../contract/prompts.ts';
import type { Version } from '../contract/versions.ts';
import { listDeclared } from './declared-variables.ts';
import type { ConvertedPrompt, Finding, PromptDraft } from './draft-types.ts';
import type { BatchItem } from './import-batches.ts';
import { isSameJson } from './json-values.ts';

/** The action of an import for a prompt. `describe` changes the description or the tags, and `cases` only adds test cases. */
export type PlannedAction = 'create' | 'update' | 'describe' | 'label' | 'cases' | 'same' | 'refuse';

export interface PlannedPrompt extends ConvertedPrompt {
  action: PlannedAction;
  /** The existing prompt, or undefined for a new one. */
  current: ListedPrompt | undefined;
  /** The test cases that the prompt does not have yet. */
  newCases: NewCase[];
}

/** The existing prompt that has the same name as a converted prompt. */
export interface CurrentPrompt {
  prompt: ListedPrompt;
  /** The existing test cases. The service is asked for them only if the converted prompt has test cases. */
  cases: Case[];
}

/** Compares a converted prompt with the newest version of the existing one. After an import, the two are equal. */
export function planPrompt(converted: ConvertedPrompt, current: CurrentPrompt | undefined, labels: string[]): PlannedPrompt {
  const { draft, path, findings } = converted;
  const refuse = (added: Finding[] = []): PlannedPrompt => ({
    ...{ ...converted, draft: undefined, findings: [...findings, ...added], action: 'refuse', current: current?.prompt, newCases: [] },
  });
  if (!draft) return refuse();
  if (!current) return { ...converted, action: 'create', current: undefined, newCases: converted.cases };
  const type = draft.template === undefined ? 'chat' : 'text';
  if (type !== current.prompt.type) {
    const message = `The service has a ${current.prompt.type} prompt with this name, and its type cannot be changed. Rename one of them`;
    return refuse([{ path, construct: `${type} prompt`, message, severity: 'error' }]);
  }
  const { added, different } = compareCases(converted.cases, current.cases);
  const notes = different.map((name): Finding => {
    return { path, construct: `test case "${name}"`, message: 'Already exists with different content; not changed', severity: 'warning' };
  });
  const action = compareDraft(draft, current.prompt, labels);
  return {
    ...converted,
    findings: [...findings, ...notes],
    action: action === 'same' && added.length > 0 ? 'cases' : action,
    current: current.prompt,
    newCases: added,
  };
}

function compareDraft(draft: PromptDraft, current: ListedPrompt, labels: string[]): PlannedAction {
  const { version, description, tags } = current;
  const hasSameContent =
    version?.syntax === draft.syntax &&
    version.template === draft.template &&
    isSameJson(version.messages, draft.messages) &&
    isSameJson(version.config, draft.config) &&
    hasSameDeclarations(draft, version);
  if (!hasSameContent) return 'update';
  const hasSameTags = draft.tags === undefined || isSameJson([...draft.tags].sort(), [...tags].sort());
  if ((draft.description ?? description) !== description || !hasSameTags) return 'describe';
  return labels.some((label) => current.labels[label] !== current.latestVersion) ? 'label' : 'same';
}

function hasSameDeclarations({ variables = [], tools, output }: PromptDraft, version: Version): boolean {
  const wanted = [...variables].sort((one, other) => (one.name < other.name ? -1 : 1));
  return isSameJson(listDeclared(version.variables), wanted) && isSameJson(version.tools, tools) && isSameJson(version.output, output);
}

/** Compares test cases by name. An existing test case is never changed. */
function compareCases(cases: NewCase[], current: Case[]): { added: NewCase[]; different: string[] } {
  const byName = new Map(current.map((each) => [each.name, each]));
  const added = cases.filter(({ name }) => !byName.has(name));
  const different = cases.filter(({ name, variables = {}, checks = [] }) => {
    const known = byName.get(name);
    return known && !(isSameJson(known.variables, variables) && isSameJson(known.checks, checks));
  });
  return { added, different: different.map(({ name }) => name) };
}

/**
 * Returns the item to send for a prompt. With `baseVersion`, the service refuses the item if someone else changed the prompt after it was
 * read.
 */
export function toBatchItem({ draft, path, current }: PlannedPrompt, labels: string[]): BatchItem | undefined {
  return (
    draft && { ...draft, labels, message: `Imported from ${path.slice(-400).toWellFormed()}`, baseVersion: current?.latestVersion ?? 0 }
  );
}

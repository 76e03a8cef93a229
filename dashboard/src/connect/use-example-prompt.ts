import { useQuery } from '@tanstack/react-query';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { exampleOf } from '../editor/preview/preview-values.ts';
import { chooseLabel } from '../editor/snippets/snippets.ts';
import type { Prompt } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import type { ExamplePrompt } from './result-setups.ts';

/** The prompt that the guides use. It is shown in a workspace without prompts. */
const guidePrompt: ExamplePrompt = {
  name: 'support/triage',
  type: 'text',
  label: productionLabel,
  version: 1,
  variables: { customer: 'Ada', request: 'My invoice is wrong' },
};

/** Returns what an example program needs to render a prompt: a label that exists, and values for its variables. */
export function useExamplePrompt(prompt: Prompt | undefined): ExamplePrompt {
  const { label } = chooseLabel(prompt?.labels ?? {});
  const number = prompt === undefined ? guidePrompt.version : (prompt.labels[label] ?? prompt.latestVersion);
  const { data: version } = useQuery({ ...versionQuery(prompt?.name ?? guidePrompt.name, number), enabled: prompt !== undefined });
  if (prompt === undefined) return guidePrompt;
  const required = (version?.variables ?? []).filter((variable) => variable.required);
  const variables = Object.fromEntries(required.map((variable) => [variable.name, exampleOf(variable)]));
  return { name: prompt.name, type: prompt.type, label, version: number, variables };
}

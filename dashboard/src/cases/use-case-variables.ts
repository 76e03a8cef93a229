import { useQuery } from '@tanstack/react-query';
import type { Variable } from '../lib/types.ts';
import { promptQuery, versionQuery } from '../prompts/queries.ts';

/**
 * Returns the variables that a test case of a prompt can have: the variables of the latest version, and the variables for which the test
 * case already has a value.
 */
export function useCaseVariables(
  promptName: string,
  values: Record<string, unknown>,
): { variables: Variable[]; placeholders: string[]; isPending: boolean } {
  const { data: prompt } = useQuery(promptQuery(promptName));
  const version = useQuery({
    ...versionQuery(promptName, prompt?.latestVersion ?? 0),
    enabled: prompt !== undefined,
  });
  const known = version.data?.variables ?? [];
  const others = Object.keys(values).filter((name) => known.every((variable) => variable.name !== name));
  return {
    variables: [...known, ...others.map((name) => ({ name, required: false }))],
    placeholders: version.data?.messages?.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])) ?? [],
    isPending: version.isPending,
  };
}

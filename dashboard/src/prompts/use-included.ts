import { useQuery } from '@tanstack/react-query';
import { findPinnedVersion, latestLabel } from '../../../src/contract/label-names.ts';
import type { Prompt } from '../lib/types.ts';
import type { Include } from './includes.ts';
import { fetchByName } from './usage.ts';

/** An include and the version that it resolves to. */
export interface Included extends Include {
  prompt: Prompt | undefined;
  /** The number of the version. The number is also set if a pinned version does not exist. */
  version: number | undefined;
}

/** Returns the versions to which the includes resolve, or undefined until these versions are loaded. */
export function useIncluded(includes: Include[]): Included[] | undefined {
  const names = [...new Set(includes.map(({ name }) => name))].sort();
  const { data } = useQuery({ queryKey: ['prompts', 'named', names], queryFn: () => fetchByName(names), enabled: names.length > 0 });
  if (!data) return undefined;
  const found = new Map(data.map((prompt) => [prompt.name, prompt]));
  return includes.map(({ name, label }) => {
    const prompt = found.get(name);
    const version = label === latestLabel ? prompt?.latestVersion : (findPinnedVersion(label) ?? prompt?.labels[label]);
    return { name, label, prompt, version };
  });
}

import { queryOptions, useQuery } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Prompt } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';

export interface TextMatches {
  /** The matching lines of each prompt that contains the text, by its id. */
  matches: ReadonlyMap<string, Prompt['matches']>;
  /** Whether the server is still searching. */
  isPending: boolean;
}

const none: TextMatches['matches'] = new Map();

/** Searches the content of the prompts on the server, because only names, descriptions and tags are loaded. */
export function useTextMatches(text: string | undefined): TextMatches {
  const search = useDebounced(text?.trim() || undefined, 200);
  const { data = none, isFetching } = useQuery({ ...textMatchesQuery(search ?? ''), enabled: search !== undefined });
  return {
    matches: search === undefined ? none : data,
    isPending: search !== (text?.trim() || undefined) || (isFetching && data === none),
  };
}

function textMatchesQuery(search: string) {
  return queryOptions({
    queryKey: ['prompts', 'matches', search],
    queryFn: async ({ signal }) => {
      const fetchPage = (cursor?: string) => call('listPrompts', { query: { limit: maxPageLimit, search, cursor } });
      const { data } = await readPages(fetchPage, { signal });
      return new Map(data.map(({ id, matches }) => [id, matches]));
    },
  });
}

import { queryOptions, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import type { Candidate, NewProposal, Prompt } from '../lib/types.ts';
import { fetchPrompt } from '../prompts/queries.ts';
import { fetchCandidates } from './queries.ts';

/** The content to which a label of another prompt can move in the same proposal. */
export interface Target {
  /** The id of a candidate, or empty for the newest version. */
  candidate: string;
  text: string;
}

/** Another prompt whose label moves in the same proposal. */
export interface MoreChange {
  name: string;
  targets: Target[];
  chosen: Target | undefined;
  isPending: boolean;
  error: string | undefined;
}

/** Keeps the other prompts of a proposal, and finds the contents to which the label of each can move. */
export function useMoreChanges(label: string) {
  const [names, setNames] = useState<string[]>([]);
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const loaded = useQueries({ queries: names.map(contentsQuery) });
  const items = names.map((name, index): MoreChange => {
    const { data, error } = loaded[index] ?? {};
    const targets = data ? listTargets(data, label) : [];
    const target = targets.find(({ candidate }) => candidate === chosen[name]) ?? targets[0];
    return { name, targets, chosen: target, isPending: !data && !error, error: error ? messageOf(error) : undefined };
  });
  return {
    items,
    isPending: items.some(({ isPending }) => isPending),
    add: (name: string) => setNames((before) => (before.includes(name) ? before : [...before, name])),
    remove: (name: string) => setNames((before) => before.filter((each) => each !== name)),
    choose: (name: string, candidate: string) => setChosen((before) => ({ ...before, [name]: candidate })),
    changes: items.flatMap(({ name, chosen: target }, index): NewProposal['changes'] => {
      if (!target) return [];
      const version = loaded[index]?.data?.prompt.latestVersion;
      return [{ prompt: name, label, ...(target.candidate === '' ? { version } : { candidate: target.candidate }) }];
    }),
  };
}

/** A prompt with its candidates, newest first. */
function contentsQuery(name: string) {
  return queryOptions({
    queryKey: ['proposals', 'candidates', 'contents', name],
    queryFn: async () => ({ prompt: await fetchPrompt(name), candidates: (await fetchCandidates(name)).toReversed() }),
  });
}

function listTargets({ prompt, candidates }: { prompt: Prompt; candidates: Candidate[] }, label: string): Target[] {
  const { latestVersion, labels } = prompt;
  return [
    ...candidates.map(({ id, title }) => ({ candidate: id, text: `Candidate: ${title}` })),
    ...(labels[label] === latestVersion ? [] : [{ candidate: '', text: `v${latestVersion}, the newest version` }]),
  ];
}

import { formatDate } from '../lib/format.ts';
import type { PromptFilters, Sort } from './filter-search.ts';
import type { Author } from './prompt-rows.ts';

export const changedTexts: Record<string, string> = { today: 'Today', '7d': 'The last 7 days', '30d': 'The last 30 days' };
export const deployedTexts = { false: 'Not deployed', true: 'Deployed' };
export const sortTexts: Record<Sort, string> = {
  name: 'Name',
  '-name': 'Name, descending',
  '-updatedAt': 'Last changed',
  updatedAt: 'First changed',
  '-calls': 'Most calls',
  calls: 'Fewest calls',
  '-lastUsedAt': 'Last used',
  lastUsedAt: 'Longest unused',
};

type FilterName = 'tag' | 'label' | 'author' | 'deployed' | 'changed';

/** Returns a description for each active filter that has no separate input field. */
export function describeFilters(filters: PromptFilters, authors: Author[]): { name: FilterName; text: string }[] {
  const { tag, label, author, deployed, changed } = filters;
  const authorName = authors.find(({ userId }) => userId === author)?.name ?? 'someone unknown';
  const all: { name: FilterName; text: string | undefined }[] = [
    { name: 'tag', text: tag && `Tag: ${tag}` },
    { name: 'label', text: label && `Label: ${label}` },
    { name: 'author', text: author && `Author: ${authorName}` },
    { name: 'deployed', text: deployed === undefined ? undefined : deployedTexts[`${deployed}`] },
    {
      name: 'changed',
      text: changed && `Changed: ${changedTexts[changed]?.toLowerCase() ?? `since ${formatDate(`${changed}T00:00:00`)}`}`,
    },
  ];
  return all.flatMap(({ name, text }) => (text ? [{ name, text }] : []));
}

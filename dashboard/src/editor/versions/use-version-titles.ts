import { useQuery } from '@tanstack/react-query';
import { latestLabel } from '../../../../src/contract/label-names.ts';
import { formatDate } from '../../lib/format.ts';
import type { HistoryEntry, Prompt } from '../../lib/types.ts';
import { changesQuery } from '../../prompts/changes.ts';

const maxMessageLength = 50;

/** Returns titles that distinguish the versions of a prompt in a menu: "v3 (production) · Shorter · Nov 18, 2026". */
export function useVersionTitles({ name, labels, latestVersion }: Prompt): (version: number) => string {
  const { data } = useQuery(changesQuery(name));
  const saves = new Map(data?.changes.filter(isSave).map((entry) => [entry.version, entry]));
  return (version) => {
    const names = [...labelsAt(labels, version), ...(version === latestVersion ? [latestLabel] : [])];
    const saved = saves.get(version);
    const message = saved?.message ?? '';
    return [
      names.length > 0 ? `v${version} (${names.join(', ')})` : `v${version}`,
      ...(message === '' ? [] : [message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message]),
      ...(saved ? [formatDate(saved.at)] : []),
    ].join(' · ');
  };
}

/** Returns whether this change created a version. */
export function isSave(entry: HistoryEntry): entry is HistoryEntry & { version: number } {
  return (entry.type === 'version_saved' || entry.type === 'created') && entry.version !== undefined;
}

export function labelsAt(labels: Prompt['labels'], version: number): string[] {
  return Object.keys(labels).filter((label) => labels[label] === version);
}

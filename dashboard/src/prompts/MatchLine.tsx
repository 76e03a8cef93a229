import type { Prompt } from '../lib/types.ts';

type Match = NonNullable<Prompt['matches']>[number];

/** The first line inside a prompt that matches the search. */
export function MatchLine({ match, latestVersion }: { match: Match; latestVersion: number }) {
  const { text, start, end } = match;
  // Little text is shown before the match, so that the match is visible even in a narrow column.
  const before = start > shownBefore ? `…${text.slice(start - shownBefore, start)}` : text.slice(0, start);
  return (
    <span className="flex min-w-0 gap-2 text-xs">
      <span className="shrink-0 text-ink-3">{describePlace(match, latestVersion)}</span>
      <span dir="auto" className="truncate text-left text-ink-2">
        {before}
        <mark className="rounded-sm bg-warn-soft text-ink">{text.slice(start, end)}</mark>
        {text.slice(end)}
      </span>
    </span>
  );
}

/** The number of characters that are shown before a match. */
const shownBefore = 12;

const places: Record<string, string> = { config: 'Config', tools: 'Tools', output: 'Output schema', variables: 'Variables' };

/** Returns where a match is. The place includes the version only if the match is not in the newest version. */
function describePlace({ path, line, version }: Match, latestVersion: number): string {
  const [, root = '', index] = path.split('/');
  const place = root === 'messages' ? `Message ${Number(index) + 1}, line ${line}` : (places[root] ?? `Line ${line}`);
  return version === undefined || version === latestVersion ? place : `v${version}, ${place.toLowerCase()}`;
}

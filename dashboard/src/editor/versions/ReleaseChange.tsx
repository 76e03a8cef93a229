import type { HistoryEntry } from '../../lib/types.ts';
import { describeDetail, findReleaseVerb, releaseVerbs } from '../../releases/events.ts';
import { describeResult } from '../../releases/results.ts';

/** Describes a change to a release. If the service made the change, also shows the numbers that led to it. */
export function ReleaseChange({ type, label, release }: Pick<HistoryEntry, 'type' | 'label' | 'release'>) {
  const verb = findReleaseVerb(type);
  if (!verb) return null;
  const decisive = (release?.guards ?? []).filter(({ verdict }) => verb === 'widened' || verdict === 'worse');
  return (
    <span className="wrap-anywhere">
      <span className="font-medium">{label}</span> release {releaseVerbs[verb]}
      {describeDetail(verb, release)}
      {decisive.map((result) => (
        <span key={`${result.arm} ${result.metric}`} className="block text-ink-2 text-xs">
          {describeResult(result)}
        </span>
      ))}
    </span>
  );
}

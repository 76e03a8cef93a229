import type { Statistics } from '../lib/types.ts';
import { ByPrompt, ByRoute, ByStatus } from './Breakdown.tsx';
import { ByMember } from './ByMember.tsx';
import type { StatsSearch } from './search.ts';

interface BreakdownsProps {
  stats: Statistics;
  search: StatsSearch;
  isTeam: boolean;
  onChange: (search: StatsSearch) => void;
}

/** The calls by prompt, member, status and route. The calls of a single member are counted only by route and status. */
export function Breakdowns({ stats, search, isTeam, onChange }: BreakdownsProps) {
  const isOfMember = search.member !== undefined;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {isOfMember ? <ByRoute stats={stats} /> : <ByPrompt stats={stats} search={search} />}
      <div className="space-y-6">
        {!isOfMember && (isTeam || stats.byMember.length > 1) && (
          <ByMember stats={stats} onFilter={(member) => onChange({ ...search, member })} />
        )}
        <ByStatus stats={stats} onFilter={(status) => onChange({ ...search, status })} />
        {!isOfMember && <ByRoute stats={stats} />}
      </div>
    </div>
  );
}

import type { Statistics } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { BreakdownTable, NumberCell, ShareBar } from './BreakdownTable.tsx';
import { memberName } from './members.ts';

type Caller = Statistics['byMember'][number];

/** Shows the calls by the member whose key was used. Selecting a member limits the page to that member's calls. */
export function ByMember({ stats: { byMember }, onFilter }: { stats: Statistics; onFilter: (userId: string) => void }) {
  const most = Math.max(1, ...byMember.map(({ calls }) => calls));
  return (
    <BreakdownTable title="By member" columns={['Member', 'Calls', 'Errors']} empty="No calls in this period.">
      {byMember.map((caller) => (
        <tr key={caller.userId} className="align-top">
          <td className="py-2 pr-3 pl-4">
            <MemberName caller={caller} onFilter={onFilter} />
            <ShareBar share={caller.calls / most} />
          </td>
          <NumberCell value={caller.calls} />
          <NumberCell value={caller.errors} danger />
        </tr>
      ))}
    </BreakdownTable>
  );
}

export function MemberName({ caller, onFilter }: { caller: Pick<Caller, 'userId' | 'name' | 'kind'>; onFilter: (userId: string) => void }) {
  const { userId, kind } = caller;
  const name = memberName(caller);
  if (userId === null) return <span className="text-ink-3">{name}</span>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <button
        type="button"
        dir="auto"
        title={`Show only ${name}`}
        className="rounded-sm text-left font-medium wrap-anywhere hover:underline"
        onClick={() => onFilter(userId)}
      >
        {name}
      </button>
      {kind === 'service' && <Badge>Service account</Badge>}
    </span>
  );
}

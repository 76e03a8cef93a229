import type { Statistics } from '../../contract/statistics.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { Store } from '../../store/store.ts';

type Caller = Pick<Statistics['byMember'][number], 'userId' | 'name' | 'kind'>;

interface Counts {
  calls: number;
  errors: number;
}

type MemberCounts = Counts & { memberId: string };

/**
 * Lists the members by their number of calls, most calls first. The account that owns the workspace has no counters: its calls are the
 * total minus the calls of the other members. In a team workspace, this difference belongs to no member.
 */
export async function listCallers(
  store: Store,
  workspaceId: string,
  { members, totals }: { members: MemberCounts[]; totals: Counts },
): Promise<Statistics['byMember']> {
  const sumOf = (key: keyof Counts) => members.reduce((sum, member) => sum + member[key], 0);
  const rest = { calls: totals.calls - sumOf('calls'), errors: Math.max(0, totals.errors - sumOf('errors')) };
  const restId = isTeam(workspaceId) ? '' : workspaceId;
  const others = members.find(({ memberId }) => memberId === restId);
  const named = members.filter((member) => member !== others);
  const remaining = { memberId: restId, calls: rest.calls + (others?.calls ?? 0), errors: rest.errors + (others?.errors ?? 0) };
  const all = remaining.calls > 0 ? [...named, remaining] : named;
  return nameCallers(
    store,
    workspaceId,
    all.toSorted((a, b) => b.calls - a.calls || (a.memberId < b.memberId ? -1 : 1)),
  );
}

/** Adds the names of current members. People who have left the workspace are listed without a name. */
export async function nameCallers<Row extends { memberId: string }>(
  store: Store,
  workspaceId: string,
  rows: Row[],
): Promise<(Omit<Row, 'memberId'> & Caller)[]> {
  const ids = rows.map(({ memberId }) => memberId).filter((id) => id !== '');
  const names = await store.read(workspaceId).memberships.findNames(workspaceId, ids);
  return rows.map(({ memberId, ...row }) => {
    const found = names.get(memberId);
    return { userId: memberId || null, name: found?.name ?? null, kind: found ? (found.isService ? 'service' : 'person') : null, ...row };
  });
}

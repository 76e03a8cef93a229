import type { CallCount, MemberCount, UsageCounts } from '../../store/statistics/usage-counts.ts';
import { bucketOf } from './durations.ts';
import { createHourlyLimit } from './hourly-limit.ts';
import { takeSorted } from './take-sorted.ts';

/** The fields of a call that are counted. */
export interface CountedCall {
  /** The workspace whose statistics include the call. */
  workspaceId: string;
  /** The account whose key was used. */
  accountId: string;
  /** The method and the pattern of the path, such as `GET /api/prompts/{name}`. */
  route: string;
  status: number;
  durationMs: number;
}

/**
 * The number of a member's calls, by hour, route, status and duration. Only two kinds of sums are stored: over all members, and over all
 * durations.
 */
type Counter = CallCount & { memberId: string };

interface CallCounterLimits {
  entries: number;
  memberEntriesOfWorkspace: number;
}

/** The member id of calls that are not counted by member. */
export const otherMembers = '';

/** Counts calls by workspace and member. Counting a call is one addition to a counter. */
export function createCallCounters(limits: CallCounterLimits) {
  /** The keys of the counters are numbers, because building a string for every call would cost more than counting it. */
  const workspaces = new Map<string, Map<string, Map<number, Counter>>>();
  const routeNumbers = new Map<string, number>();
  const isAdmitted = createHourlyLimit(limits.memberEntriesOfWorkspace);
  let size = 0;

  /**
   * Decides for which member a call counts. Counters of members use at most half of the entries. The other half is kept for the totals of
   * all workspaces.
   */
  function memberOf({ workspaceId, accountId, route, status }: CountedCall, hour: number): string {
    if (accountId === workspaceId) return accountId;
    const hasRoom = size < limits.entries / 2;
    return hasRoom && isAdmitted({ hour, owner: workspaceId, key: `${accountId} ${route} ${status}` }) ? accountId : otherMembers;
  }

  function add(key: number, counter: Counter): boolean {
    const { accountId, memberId } = counter;
    const members = workspaces.get(accountId) ?? new Map<string, Map<number, Counter>>();
    const counters = members.get(memberId) ?? new Map<number, Counter>();
    const known = counters.get(key);
    if (known) {
      known.calls += 1;
      return true;
    }
    if (size >= limits.entries) return false;
    workspaces.set(accountId, members.set(memberId, counters.set(key, counter)));
    size += 1;
    return true;
  }

  return {
    /** Counts a call in the hour `time`. Returns false if the call needs a new counter and the limit is reached. */
    count(call: CountedCall, hour: number, time: string): boolean {
      const { workspaceId, accountId, route, status, durationMs } = call;
      const bucket = bucketOf(durationMs);
      const routeNumber = routeNumbers.get(route) ?? routeNumbers.size;
      routeNumbers.set(route, routeNumber);
      const key = ((hour * 1000 + routeNumber) * 1000 + status) * 100 + bucket;
      const known = workspaces.get(workspaceId)?.get(accountId)?.get(key);
      if (!known) return add(key, { accountId: workspaceId, time, memberId: memberOf(call, hour), route, status, bucket, calls: 1 });
      known.calls += 1;
      return true;
    },

    /** Removes up to `max` counters and returns their sums over members and over durations. */
    take(max: number): Pick<UsageCounts, 'calls' | 'members'> {
      const totals = new Map<string, CallCount>();
      const byMember = new Map<string, MemberCount>();
      let taken = 0;
      for (const [workspaceId, members] of workspaces) {
        for (const [memberId, counters] of members) {
          for (const [key, counter] of counters) {
            if (taken === max) break;
            taken += 1;
            counters.delete(key);
            addToSums(counter, totals, byMember);
          }
          if (counters.size === 0) members.delete(memberId);
        }
        if (members.size === 0) workspaces.delete(workspaceId);
        if (taken === max) break;
      }
      size -= taken;
      return { calls: takeSorted(totals, max), members: takeSorted(byMember, max) };
    },

    get size() {
      return size;
    },
  };
}

function addToSums(counter: Counter, totals: Map<string, CallCount>, byMember: Map<string, MemberCount>): void {
  const { accountId, memberId, time, route, status, bucket, calls } = counter;
  addUp(totals, `${accountId}\n${time}\n${route}\n${status}\n${bucket}`, { accountId, time, route, status, bucket, calls });
  // The account's own calls need no rows, because they are the total minus the calls of the other members.
  if (memberId === accountId) return;
  addUp(byMember, `${accountId}\n${time}\n${memberId}\n${route}\n${status}`, { accountId, time, memberId, route, status, calls });
}

function addUp<Count extends { calls: number }>(sums: Map<string, Count>, key: string, count: Count): void {
  const sum = sums.get(key);
  if (sum) sum.calls += count.calls;
  else sums.set(key, count);
}

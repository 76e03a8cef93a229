/** What a member is in a workspace, from the least to the most. */
export const places = ['stranger', 'viewer', 'editor'] as const;
export type Place = (typeof places)[number];

/** A change of one membership. The changes of a membership are made one after the other. */
export interface Change {
  member: string;
  to: Place;
  start: number;
  end: number;
  /** Unknown if the database did not confirm it. */
  outcome: 'confirmed' | 'unknown';
}

/** A request of the member in the workspace, and what its response says the member is: at least `from` and at most `to`. */
export interface Probe {
  member: string;
  from: Place;
  to: Place;
  start: number;
  end: number;
}

export interface MembershipViolation {
  rule: 'stale accept' | 'member refused';
  probe: Probe;
}

/**
 * Checks a whole history: the response to each request fits what the member was at some moment between its start and its end. A change
 * may take effect from its start on, and has at the latest when it was confirmed. One that was not confirmed may have taken effect or
 * not, until a later one is confirmed. Before the first change, everybody is a stranger.
 */
export function findMembershipViolations(changes: Change[], probes: Probe[]): MembershipViolation[] {
  const changesByMember = Map.groupBy(changes, ({ member }) => member);
  return probes.flatMap((probe) => {
    const possible = findPossible(changesByMember.get(probe.member) ?? [], probe, 'stranger').map((place) => places.indexOf(place));
    const [from, to] = [places.indexOf(probe.from), places.indexOf(probe.to)];
    if (possible.some((place) => place >= from && place <= to)) return [];
    return [{ rule: possible.every((place) => place < from) ? ('stale accept' as const) : ('member refused' as const), probe }];
  });
}

/** What a value may have been during a request, if its changes are made one after the other. */
export function findPossible<T>(
  changes: { to: T; start: number; end: number; outcome: Change['outcome'] }[],
  { start, end }: { start: number; end: number },
  initial: T,
): T[] {
  const certain = changes.findLastIndex((change) => change.outcome === 'confirmed' && change.end < start);
  const later = changes.slice(certain + 1).filter((change) => change.start <= end);
  return [changes[certain]?.to ?? initial, ...later.map(({ to }) => to)];
}

export function countRemovals(changes: Change[]): number {
  return changes.filter(({ to, outcome }) => to === 'stranger' && outcome === 'confirmed').length;
}

/** Counts for the test's report. */
export function summarizeMemberships(changes: Change[], probes: Probe[]): string {
  const confirmed = changes.filter(({ outcome }) => outcome === 'confirmed');
  const demotions = confirmed.filter(({ to }) => to === 'viewer').length;
  const accepted = probes.filter(({ from }) => from !== 'stranger').length;
  return `${countRemovals(changes)} removals, ${demotions} changes to viewer, ${changes.length - confirmed.length} changes of unknown outcome, ${accepted} requests accepted, ${probes.length - accepted} refused`;
}

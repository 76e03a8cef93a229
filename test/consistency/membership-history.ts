/** The possible places of an account in a workspace, in order of increasing permissions. */
export const places = ['stranger', 'viewer', 'editor'] as const;
export type Place = (typeof places)[number];

/** A change to a membership. The changes to one membership never overlap. */
export interface Change {
  member: string;
  to: Place;
  start: number;
  end: number;
  /** `unknown` if the service did not confirm the change. */
  outcome: 'confirmed' | 'unknown';
}

/** A member's request in the workspace. The response shows that the member has at least the place `from` and at most `to`. */
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
 * Checks that the response to each request matches the member's place at some moment during the request. A change takes effect between its
 * start and its confirmation. A change that was not confirmed may have taken effect or not, until a later one is confirmed. Before the
 * first change, everyone is a stranger.
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

/** Returns the values that were possible during a request. Changes to the value must not overlap. */
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

/** Counts the changes and requests, for the test's report. */
export function summarizeMemberships(changes: Change[], probes: Probe[]): string {
  const confirmed = changes.filter(({ outcome }) => outcome === 'confirmed');
  const demotions = confirmed.filter(({ to }) => to === 'viewer').length;
  const accepted = probes.filter(({ from }) => from !== 'stranger').length;
  return `${countRemovals(changes)} removals, ${demotions} changes to viewer, ${changes.length - confirmed.length} changes of unknown outcome, ${accepted} requests accepted, ${probes.length - accepted} refused`;
}

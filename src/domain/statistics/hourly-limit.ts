/**
 * The maximum number of keys that are remembered. Beyond this number, the counts of all owners are reset, so that no owner is limited
 * because of another owner.
 */
const maxRemembered = 200_000;

/** Limits the number of distinct keys per owner and hour. Returns a function that decides whether a key is within the limit. */
export function createHourlyLimit(max: number): (counted: { hour: number; owner: string; key: string }) => boolean {
  const owners = new Map<string, Set<string>>();
  let currentHour = 0;
  let size = 0;
  return ({ hour, owner, key }) => {
    if (hour !== currentHour || size >= maxRemembered) {
      currentHour = hour;
      size = 0;
      owners.clear();
    }
    const known = owners.get(owner) ?? new Set();
    if (known.has(key)) return true;
    if (known.size >= max) return false;
    owners.set(owner, known.add(key));
    size += 1;
    return true;
  };
}

/** How many keys are remembered in all. Beyond that, all owners start anew, so that none loses counts because of others. */
const maxRemembered = 200_000;

/** Limits the number of different keys that an owner has in an hour. Returns a function that tells whether a key is among them. */
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

/** One call of a client: what it asked with which key, when it began and when its answer was in. */
export interface Call {
  kind: 'register' | 'log in' | 'verify' | 'rotate';
  account: string;
  /** The key presented; for a log-in and a registration the key received. */
  key: string;
  /** The key a rotation brought. */
  newKey?: string;
  start: number;
  end: number;
  /** Unknown: no answer, or one that says the service could not do it (503). */
  outcome: 'accepted' | 'refused' | 'unknown';
}

export interface Violation {
  rule: 'dead key accepted' | 'living key refused' | 'key rotated twice' | 'unknown key shown';
  call: Call;
}

/** When a key lived, as far as the clients can know. */
interface Life {
  /** From here on it must be accepted: the answer that brought it was in. */
  born: number;
  /** Up to here it must be accepted: nobody had tried to rotate it. */
  firstAttempt: number;
  /** From here on it must be refused: an answer has shown that it was replaced. */
  dead: number;
}

/**
 * Checks a whole history: no call accepts a key that starts after the answer to the rotation that killed it; no call refuses a key that
 * starts after its birth and ends before its rotation began; no key is rotated twice; none comes from nowhere.
 */
export function findViolations(history: Call[]): Violation[] {
  const violations: Violation[] = [];
  const lives = new Map<string, Life>();
  const calls = history.toSorted((a, b) => a.end - b.end);

  for (const call of calls.filter(({ outcome }) => outcome === 'accepted')) {
    const born = call.kind === 'rotate' ? call.newKey : call.kind === 'verify' ? undefined : call.key;
    if (born !== undefined && !lives.has(born)) lives.set(born, { born: call.end, firstAttempt: Infinity, dead: Infinity });
  }

  for (const call of calls.filter(({ kind, outcome }) => kind === 'rotate' && outcome !== 'refused')) {
    const life = lives.get(call.key);
    if (!life) {
      violations.push({ rule: 'unknown key shown', call });
      continue;
    }
    life.firstAttempt = Math.min(life.firstAttempt, call.start);
    if (call.outcome === 'unknown') continue;
    if (life.dead !== Infinity) violations.push({ rule: 'key rotated twice', call });
    life.dead = Math.min(life.dead, call.end);
  }

  noteDeathsSeenAtLogIn(calls, lives);

  for (const call of calls) {
    const life = lives.get(call.key);
    if (!life || call.kind === 'register') continue;
    if (call.outcome === 'accepted' && call.start > life.dead) violations.push({ rule: 'dead key accepted', call });
    if (call.outcome === 'refused' && call.start > life.born && call.end < life.firstAttempt) {
      violations.push({ rule: 'living key refused', call });
    }
  }
  return violations;
}

/** Where a rotation's answer never came, the next log-in tells: if it shows a younger key, the older ones are dead. */
function noteDeathsSeenAtLogIn(calls: Call[], lives: Map<string, Life>): void {
  for (const call of calls) {
    if (call.kind !== 'log in' || call.outcome !== 'accepted') continue;
    const shown = lives.get(call.key);
    for (const other of calls) {
      const life = lives.get(other.key);
      const isOlder = life && shown && other.account === call.account && other.key !== call.key && life.born < shown.born;
      if (isOlder && life.dead === Infinity && life.firstAttempt !== Infinity) life.dead = call.end;
    }
  }
}

/** How many calls of each kind came to what, for the reader of a test's report. */
export function summarise(history: Call[]): string {
  const groups = Object.groupBy(history, ({ kind, outcome }) => `${kind} ${outcome}`);
  return Object.entries(groups)
    .map(([name, calls]) => `${name} ${calls?.length}`)
    .join(', ');
}

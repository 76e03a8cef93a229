/** A client's call, with its key, start and end. */
export interface Call {
  kind: 'register' | 'log in' | 'verify' | 'rotate';
  account: string;
  /** The key that the client sent or, for a log-in or a registration, received. */
  key: string;
  /** The key that a rotation returned. */
  newKey?: string;
  start: number;
  end: number;
  /** `unknown` if there was no response or a 503. */
  outcome: 'accepted' | 'refused' | 'unknown';
}

export interface Violation {
  rule: 'dead key accepted' | 'living key refused' | 'key rotated twice' | 'unknown key shown';
  call: Call;
}

/** What the clients know about the lifetime of a key. */
interface Life {
  account: string;
  key: string;
  /** From this time on, the key must be accepted, because a client has received it. */
  born: number;
  /** Until this time, the key must be accepted, because no client had tried to rotate it. */
  firstAttempt: number;
  /** From this time on, the key must be refused, because a response has shown that the key was replaced. */
  dead: number;
}

/**
 * Checks a history for four rules. A call that starts after the response to a rotation must not accept the old key. A call that starts
 * after a key was received and ends before its rotation started must not refuse the key. No key is rotated twice. No unknown key is
 * rotated.
 */
export function findViolations(history: Call[]): Violation[] {
  const violations: Violation[] = [];
  const lives = new Map<string, Life>();
  const calls = history.toSorted((a, b) => a.end - b.end);

  for (const call of calls.filter(({ outcome }) => outcome === 'accepted')) {
    const born = call.kind === 'rotate' ? call.newKey : call.kind === 'verify' ? undefined : call.key;
    if (born !== undefined && !lives.has(born)) {
      lives.set(born, { account: call.account, key: born, born: call.end, firstAttempt: Infinity, dead: Infinity });
    }
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

/**
 * If the response to a rotation was lost, the next log-in shows whether the rotation happened: if the log-in returns a newer key, the older
 * keys are dead.
 */
function noteDeathsSeenAtLogIn(calls: Call[], lives: Map<string, Life>): void {
  const livesByAccount = Map.groupBy(lives.values(), ({ account }) => account);
  for (const call of calls) {
    if (call.kind !== 'log in' || call.outcome !== 'accepted') continue;
    const shown = lives.get(call.key);
    for (const life of livesByAccount.get(call.account) ?? []) {
      const isOlder = shown !== undefined && life.key !== call.key && life.born < shown.born;
      if (isOlder && life.dead === Infinity && life.firstAttempt !== Infinity) life.dead = call.end;
    }
  }
}

/** Counts calls by kind and outcome, for the test's report. */
export function summarize(history: Call[]): string {
  const groups = Object.groupBy(history, ({ kind, outcome }) => `${kind} ${outcome}`);
  return Object.entries(groups)
    .map(([name, calls]) => `${name} ${calls?.length}`)
    .join(', ');
}

import type { Round } from './round.ts';

export function isFailed({ stale, refused, misapplied, lost, surprises, isTimelineLost }: Round): boolean {
  return stale.length + refused.length + misapplied.length + lost + surprises.length > 0 || isTimelineLost;
}

/** Prints one line for the round, and one line for each kind of violation. */
export function describeRound(round: Round): string {
  const { fault, leaders, timelines, takeoverMs, outageMs, resets, verifications, removals, moves, scheduled } = round;
  const figures = [
    `${leaders.join(' to ')}, timeline ${timelines.join(' to ')}`,
    `taken over after ${seconds(takeoverMs)} s, longest outage ${seconds(outageMs)} s`,
    `${resets} resets, ${verifications} verifications, ${removals} removals, ${moves} label moves, ${scheduled} scheduled moves until now`,
    `${round.stale.length} stale, ${round.refused.length} refused, ${round.lost} lost, ${round.misapplied.length} not exactly once`,
  ];
  const violations = countEach([...round.stale, ...round.refused, ...round.misapplied, ...round.surprises]);
  if (round.unanswered > 0) violations.push(`${round.unanswered} × no response within 20 s`);
  if (round.isTimelineLost) violations.push('the cluster went back to an older timeline');
  return [`${fault}: ${figures.join('; ')}`, ...violations.map((text) => `   ${text}`)].join('\n');
}

/** Returns one row for each fault, and one for all faults together. */
export function formatTable(rounds: Round[]): string {
  const groups = Object.entries(Object.groupBy(rounds, ({ fault }) => fault)).map(([fault, group]) => formatRow(fault, group ?? []));
  return [
    '| fault | failovers | new primary after, s | longest outage, s | resets | removals | label moves | stale accepts | good keys refused | lost resets |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...groups.toSorted(),
    formatRow('all', rounds),
  ].join('\n');
}

function formatRow(name: string, rounds: Round[]): string {
  const sum = (value: (round: Round) => number) => rounds.reduce((total, round) => total + value(round), 0);
  const cells = [
    name,
    rounds.length,
    range(rounds.map(({ takeoverMs }) => takeoverMs)),
    range(rounds.map(({ outageMs }) => outageMs)),
    sum(({ resets }) => resets),
    sum(({ removals }) => removals),
    sum(({ moves }) => moves),
    sum(({ stale }) => stale.length),
    sum(({ refused }) => refused.length),
    sum(({ lost }) => lost),
  ];
  return `| ${cells.join(' | ')} |`;
}

function countEach(texts: string[]): string[] {
  const groups = Object.groupBy(texts, (text) => text);
  return Object.entries(groups).map(([text, same]) => `${same?.length} × ${text}`);
}

function range(durations: number[]): string {
  const [least, most] = [seconds(Math.min(...durations)), seconds(Math.max(...durations))];
  return least === most ? String(least) : `${least}–${most}`;
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

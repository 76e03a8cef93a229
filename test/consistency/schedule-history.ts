import type { ProposalState } from '../../src/contract/proposals.ts';

/** A proposal with a time, and what the service says about it. */
export interface ScheduledMove {
  /** Whether the service confirmed that the proposal was opened. */
  isConfirmed: boolean;
  /** The state of the proposal, which is read first. Undefined if the proposal does not exist. */
  state: ProposalState | undefined;
  /** The number of entries in the history of the prompt that name the proposal, which are read next. */
  entries: number;
  /** The number of events that say that the proposal was applied, which are read last. */
  events: number;
}

/** Finds moves that happened more than once or were lost. A move that has not happened yet is a violation only if `isEnd` is set. */
export function findScheduleViolations(moves: ScheduledMove[], { isEnd = false } = {}): string[] {
  return moves.flatMap((move) => findViolation(move, isEnd) ?? []);
}

function findViolation({ isConfirmed, state, entries, events }: ScheduledMove, isEnd: boolean): string | undefined {
  if (entries > 1) return `${entries} entries of one scheduled move`;
  if (events > 1) return `${events} events of one scheduled move`;
  if (state === undefined && isConfirmed) return 'a scheduled move that was lost';
  if (state === 'applied' && entries === 0) return 'a scheduled move that was applied and is not in the history';
  if (entries > events) return 'a scheduled move without an event';
  if (isEnd && state !== undefined && state !== 'applied') return `a scheduled move that is ${state} at the end`;
  return undefined;
}

import { findPossible } from './membership-history.ts';

/** A move of a label to another version. The moves of one label never overlap. */
export interface Move {
  prompt: string;
  to: number;
  start: number;
  end: number;
  /** `unknown` if the service did not confirm the move. */
  outcome: 'confirmed' | 'unknown';
}

/** A read of the prompt, with the version that its label pointed at. */
export interface LabelRead {
  prompt: string;
  version: number;
  start: number;
  end: number;
}

/** Finds reads that returned a version to which the label never pointed during the read. */
export function findStaleReads(moves: Move[], reads: LabelRead[]): LabelRead[] {
  const movesByPrompt = Map.groupBy(moves, ({ prompt }) => prompt);
  return reads.filter((read) => !findPossible(movesByPrompt.get(read.prompt) ?? [], read, 1).includes(read.version));
}

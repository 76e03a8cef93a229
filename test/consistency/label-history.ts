import { findPossible } from './membership-history.ts';

/** A label that was moved to another version. The moves of a prompt's label are made one after the other. */
export interface Move {
  prompt: string;
  to: number;
  start: number;
  end: number;
  /** Unknown if the database did not confirm it. */
  outcome: 'confirmed' | 'unknown';
}

/** A read of the prompt, and the version that its label pointed at. */
export interface LabelRead {
  prompt: string;
  version: number;
  start: number;
  end: number;
}

/** Finds reads that returned a version at which the label did not point at any moment between their start and their end. */
export function findStaleReads(moves: Move[], reads: LabelRead[]): LabelRead[] {
  const movesByPrompt = Map.groupBy(moves, ({ prompt }) => prompt);
  return reads.filter((read) => !findPossible(movesByPrompt.get(read.prompt) ?? [], read, 1).includes(read.version));
}

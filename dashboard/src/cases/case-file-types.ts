import type { NewCase } from '../lib/types.ts';

/** The content of a file with test cases. */
export interface CaseFile {
  cases: PlacedCase[];
  problems: FileProblem[];
}

export interface PlacedCase {
  /** The place in the file, such as "Line 3". */
  place: string;
  input: NewCase;
}

export interface FileProblem {
  place: string;
  message: string;
}

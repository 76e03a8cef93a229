import type { NewCase } from '../lib/types.ts';

/** What a file of cases contains. */
export interface CaseFile {
  cases: PlacedCase[];
  problems: FileProblem[];
}

export interface PlacedCase {
  /** Where it is in the file, such as "Line 3". */
  place: string;
  input: NewCase;
}

export interface FileProblem {
  place: string;
  message: string;
}

import type { LockEntry } from './lock-file.ts';

/** The difference between a file and the service, according to their last common state. */
export type Difference =
  | 'same'
  | 'added here'
  | 'changed here'
  | 'deleted here'
  | 'added there'
  | 'changed there'
  | 'deleted there'
  | 'conflict';

/**
 * Compares the digests of one prompt in the file and in the service with their last common state. If a side does not have the prompt, its
 * digest is undefined.
 */
export function compareSides({
  here,
  there,
  base,
}: Record<'here' | 'there', string | undefined> & { base: LockEntry | undefined }): Difference | undefined {
  if (here === there) return here === undefined ? undefined : 'same';
  if (base === undefined) {
    if (there === undefined) return 'added here';
    return here === undefined ? 'added there' : 'conflict';
  }
  if (there === base.digest) return here === undefined ? 'deleted here' : 'changed here';
  if (here === base.digest) return there === undefined ? 'deleted there' : 'changed there';
  return 'conflict';
}

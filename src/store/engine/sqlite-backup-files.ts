/** The files that a draft of a backup consists of while it is made. */
export function draftFiles(draft: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((ending) => `${draft}${ending}`);
}

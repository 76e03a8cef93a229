import { readFileSync } from 'node:fs';

/** The CPU time that a process has used so far; undefined if this is not Linux, or the process has ended. */
export function readCpuMs(pid: number | undefined): number | undefined {
  try {
    // The fields after the name, which is in parentheses and may contain anything; in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

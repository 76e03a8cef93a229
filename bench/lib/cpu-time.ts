import { readFileSync } from 'node:fs';

/** Returns the CPU time that a process has used so far, or undefined if this is not Linux or the process has ended. */
export function readCpuMs(pid: number | undefined): number | undefined {
  try {
    // The fields after the name, in hundredths of a second. The name is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

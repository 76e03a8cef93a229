import { setPriority } from 'node:os';

/** Lowers the priority of a process, so that requests go first when the machine is busy. */
export function lowerPriority(pid: number | undefined, priority: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, priority);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

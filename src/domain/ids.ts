import { randomBytes } from 'node:crypto';

let lastTime = 0;
let count = 0;

/**
 * Generates an id such as `u_mhz1k3p0_0015f0c9a7e21d4b836`: unique without the database, and the ids of one process sort in the
 * order of their creation, even within a millisecond.
 */
export function newId(prefix: string): string {
  const time = Date.now();
  count = time === lastTime ? count + 1 : 0;
  lastTime = time;
  return `${prefix}_${time.toString(36)}_${count.toString(36).padStart(3, '0')}${randomBytes(8).toString('hex')}`;
}

import { randomBytes } from 'node:crypto';

/** Makes an id such as `u_mhz1k3p0_5f0c9a7e21d4b836`: sorts by time of birth, unique without asking the database. */
export function newId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}_${randomBytes(8).toString('hex')}`;
}

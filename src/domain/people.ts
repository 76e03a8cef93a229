import type { ServicePerson } from '../contract/people.ts';
import type { Actor } from './actor.ts';

/** The actor as the one who makes a change. The name is stored with the change, so that people who leave keep theirs. */
export function toPerson({ accountId, name, via }: Actor): ServicePerson {
  return { userId: accountId, name, via: via === 'key' ? 'api' : 'dashboard' };
}

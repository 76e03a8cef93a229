import type { Statistics } from '../lib/types.ts';

type Caller = Pick<Statistics['byMember'][number], 'userId' | 'name' | 'kind'>;

/** Returns the name of a member. Statistics do not contain the names of people who have left. */
export function memberName({ userId, name }: Caller): string {
  return name ?? (userId === null ? 'Others' : 'Former member');
}

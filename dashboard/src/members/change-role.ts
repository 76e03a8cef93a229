import type { MemberRole } from '../../../src/contract/roles.ts';
import { call, messageOf } from '../lib/api.ts';
import type { Member } from '../lib/types.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { refreshMembers } from './queries.ts';
import { withArticle } from './roles.ts';

/** Changes the role of a member or service account, and shows a message that offers to undo it. */
export async function changeRole({ userId, name, role: before }: Member, role: MemberRole): Promise<void> {
  const put = async (next: MemberRole, options?: { undo: () => void }) => {
    try {
      await call('changeMember', { path: { userId }, body: { role: next } });
      toast(`${name} is now ${withArticle(next)}.`, options);
    } catch (err) {
      toastFailure(messageOf(err));
    }
    await refreshMembers();
  };
  await put(role, before === 'owner' ? undefined : { undo: () => void put(before) });
}

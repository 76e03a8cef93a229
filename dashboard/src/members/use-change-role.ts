import { useState } from 'react';
import type { MemberRole } from '../../../src/contract/roles.ts';
import { messageOf, request } from '../lib/api.ts';
import type { Member } from '../lib/types.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { refreshMembers } from './queries.ts';

/** Gives a member or service account another role, with a message that offers to undo it. */
export function useChangeRole({ userId, name, role: before }: Member) {
  const [busy, setBusy] = useState(false);
  const put = async (role: MemberRole, options?: { undo: () => void }) => {
    setBusy(true);
    try {
      await request('PATCH', `/api/members/${userId}`, { role });
      toast(`${name} is now ${role}.`, options);
    } catch (err) {
      toastFailure(messageOf(err));
    }
    await refreshMembers();
    setBusy(false);
  };
  const change = (role: MemberRole) => void put(role, before === 'owner' ? undefined : { undo: () => void put(before) });
  return { change, busy };
}

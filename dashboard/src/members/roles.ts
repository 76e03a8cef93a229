import type { MemberRole } from '../../../src/contract/roles.ts';

/** What each role may do, in addition to those before it. */
export const roleTexts: Record<MemberRole, string> = {
  viewer: 'Reads and renders prompts, and sees the statistics.',
  editor: 'Also writes prompts and versions, and moves labels that are not protected.',
  deployer: 'Also moves protected labels, such as production.',
  admin: 'Also manages members, service accounts and protected labels.',
};

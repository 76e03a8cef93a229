import type { MemberRole } from '../../../src/contract/roles.ts';

/** The permissions that each role adds to the permissions of the roles before it. */
export const roleTexts: Record<MemberRole, string> = {
  viewer: 'Reads and renders prompts, and sees statistics.',
  editor: 'Also writes prompts and moves labels that are not protected.',
  deployer: 'Also moves protected labels.',
  admin: 'Also manages members, service accounts and settings.',
};

/** Returns the role with its article, for sentences: "an editor". */
export function withArticle(role: string): string {
  return `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;
}

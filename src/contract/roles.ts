// Separate from the schemas, so that the dashboard can import these without TypeBox.

/** From the smallest to the largest: each role may do what those before it may. */
export const roles = ['viewer', 'editor', 'deployer', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** The roles that a member can be given. The account itself is the only owner of its workspace. */
export const memberRoles = ['viewer', 'editor', 'deployer', 'admin'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Whether a role may do what another one may. */
export function includesRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

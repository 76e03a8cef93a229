// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The roles from the lowest to the highest. Each role may do everything that the roles before it may do. */
export const roles = ['viewer', 'editor', 'deployer', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * The roles that an admin can give to a member. `owner` is not among them: a workspace has exactly one owner, who can transfer a team
 * workspace to another member.
 */
export const memberRoles = ['viewer', 'editor', 'deployer', 'admin'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Returns whether a role may do everything that the required role may do. */
export function includesRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

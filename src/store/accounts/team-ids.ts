/** The ids of team workspaces start with this, and those of accounts with `u_`. */
export const teamPrefix = 'w_';

export function isTeam(workspaceId: string): boolean {
  return workspaceId.startsWith(teamPrefix);
}

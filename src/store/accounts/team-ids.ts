/** The prefix of the ids of team workspaces. The ids of accounts start with `u_`. */
export const teamPrefix = 'w_';

export function isTeam(workspaceId: string): boolean {
  return workspaceId.startsWith(teamPrefix);
}

/** The dependency of use cases that create links to the dashboard when there is no request, for example in emails. */
export interface WithLinks {
  /** The origin of PUBLIC_URL. Undefined if PUBLIC_URL is not set. */
  publicOrigin: string | undefined;
}

/** Returns a dashboard path that opens in the given workspace, even if another workspace is currently open. */
export function inWorkspace(path: string, workspaceId: string): string {
  return `${path}?workspace=${workspaceId}`;
}

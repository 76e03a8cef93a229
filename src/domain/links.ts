/** The dependency of use cases that link to the dashboard outside of a request. */
export interface WithLinks {
  /** The origin of PUBLIC_URL. Undefined if it is not set. */
  publicOrigin: string | undefined;
}

/** Returns a path of the dashboard that opens in a workspace, whichever one is open. */
export function inWorkspace(path: string, workspaceId: string): string {
  return `${path}?workspace=${workspaceId}`;
}

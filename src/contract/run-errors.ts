// Separate from runs.ts, so that the dashboard can import these without TypeBox.

/** Why a run failed. */
export const runErrorCodes = [
  /** There was no connection to the server, or it was lost. */
  'unreachable',
  /** The server responded with an error, at once or in the middle of its response. */
  'rejected',
  /** The response ended before it was complete. */
  'incomplete',
  /** The server was silent for too long, or the run took too long. */
  'timeout',
  /** The response is not what the protocol describes. */
  'invalid_response',
  /** The response is longer than a run may be. */
  'too_long',
  /** The client disconnected, or the service stopped. */
  'canceled',
] as const;

import type { ExitCode } from '../errors.ts';

/**
 * HTTP over the socket: `POST /v1/<name of the task>` with its input as JSON. The response has one JSON value per line, and is complete
 * only with `done` or `error`. Empty lines mean that the service is still working.
 */
export const protocolPath = '/v1/';

/** A service that works on a command sends an empty line this often. */
export const heartbeatMs = 5000;

/** The maximum size of the input, which is more than any command sends. */
export const maxInputBytes = 64 * 1024;

export type ResponseLine = { print: string } | { error: string; exitCode: ExitCode } | { done: true };

import type { ExitCode } from '../errors.ts';

/**
 * The protocol is HTTP over the socket: `POST /v1/<name of the task>` with the input of the task as JSON. The response has one JSON value
 * per line, and is complete only if it ends with `done` or `error`. Empty lines mean that the service is still working.
 */
export const protocolPath = '/v1/';

/** The interval at which a service that is working on a command sends an empty line. */
export const heartbeatMs = 5000;

/** The maximum size of the input, which is more than any command sends. */
export const maxInputBytes = 64 * 1024;

export type ResponseLine = { print: string } | { error: string; exitCode: ExitCode } | { done: true };

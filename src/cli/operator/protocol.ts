import type { ExitCode } from '../errors.ts';

/**
 * HTTP over the socket: `POST /v1/<name of the task>` with its input as JSON. The response has one JSON value per line, and is complete
 * only with `done` or `error`.
 */
export const protocolPath = '/v1/';

/** No command has that much to say. */
export const maxInputBytes = 64 * 1024;

export type ResponseLine = { print: string } | { error: string; exitCode: ExitCode } | { done: true };

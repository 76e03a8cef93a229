import type { FastifyReply } from 'fastify';
import type { Warning } from '../../contract/warnings.ts';

/** For the API reference. */
export const warningHeaderText = 'The header `x-promptharbor-warning` says which one; with `strict=true`, the response is 409 instead.';

/** Says what fails from now on, where a response has no body. */
export function setWarning(reply: FastifyReply, [warning]: Warning[]): void {
  // Headers are ASCII, and names of prompts are any text.
  if (warning) reply.header('x-promptharbor-warning', warning.message.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent));
}

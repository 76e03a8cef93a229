import type { FastifyReply } from 'fastify';
import type { Warning } from '../../contract/warnings.ts';

/** The description of the header in the API reference. */
export const warningHeaderText =
  'The header `x-promptharbor-warning` then names one such prompt. With `strict=true`, the response is 409 instead.';

/** Sets the header with the first warning about the effects of this request. The header is used for responses without a body. */
export function setWarning(reply: FastifyReply, [warning]: Warning[]): void {
  // Headers are ASCII, but prompt names may contain any character.
  if (warning) reply.header('x-promptharbor-warning', warning.message.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent));
}

import type { FastifyRequest } from 'fastify';

/** The formats besides JSON, and their media types. */
export const mediaTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' };
type Format = keyof typeof mediaTypes;

/**
 * Returns the format that a request asks for, by the parameter `format` or by its `Accept` header. Browsers and most clients also accept
 * JSON, or everything.
 */
export function formatOf<F extends Format>(
  { headers, query }: FastifyRequest<{ Querystring: { format?: F | 'json' } }>,
  offered: readonly F[],
): F | 'json' {
  const accepted = headers.accept?.trim().toLowerCase() ?? '';
  return query.format ?? offered.find((format) => accepted.startsWith(mediaTypes[format])) ?? 'json';
}

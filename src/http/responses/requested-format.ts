import type { FastifyRequest } from 'fastify';

/** The formats other than JSON, with their media types. */
export const mediaTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' };
type Format = keyof typeof mediaTypes;

/**
 * Returns the format that a request asks for: the parameter `format` or, if it is missing, the first media type in the `Accept` header. If
 * that is not an offered format, as is the case for browsers and most clients, returns `json`.
 */
export function formatOf<F extends Format>(
  { headers, query }: FastifyRequest<{ Querystring: { format?: F | 'json' } }>,
  offered: readonly F[],
): F | 'json' {
  const accepted = headers.accept?.trim().toLowerCase() ?? '';
  return query.format ?? offered.find((format) => accepted.startsWith(mediaTypes[format])) ?? 'json';
}

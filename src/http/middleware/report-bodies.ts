import type { FastifyInstance, FastifyRequest } from 'fastify';
import { protobufMediaType } from '../../contract/otlp.ts';
import type { Upload } from '../../domain/results/intake/intake-messages.ts';
import { AppError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts reports. Their bodies are passed on as they were received, because a separate thread reads them. */
    takesReport?: boolean;
  }
}

/** Accepts protobuf at the routes that take reports. */
export function acceptReports(app: FastifyInstance): void {
  app.addContentTypeParser(protobufMediaType, { parseAs: 'buffer' }, async (req: FastifyRequest, body: Buffer) => {
    if (!req.routeOptions.config.takesReport) throw new AppError('unsupported_media_type');
    return body;
  });
}

/** Returns the encoding of a body. Throws if it is not supported. */
export function encodingOf({ headers }: FastifyRequest): 'gzip' | 'identity' {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'gzip' || encoding === 'identity') return encoding;
  throw new AppError('unsupported_media_type', { text: 'The only supported content encoding is gzip' });
}

export function uploadOf(req: FastifyRequest, { kind, format }: Pick<Upload, 'kind' | 'format'>): Upload {
  const { body } = req;
  // Without a body, Fastify calls no parser. An empty body is valid in protobuf, but not in JSON.
  const bytes = Buffer.isBuffer(body) ? new Uint8Array(body) : new Uint8Array();
  return { kind, format, isCompressed: encodingOf(req) === 'gzip' && bytes.length > 0, body: bytes };
}

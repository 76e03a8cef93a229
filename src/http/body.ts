import type { FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { AppError } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body. Bytes that are not UTF-8 are refused instead of being replaced, and so is a way to a prototype. */
export async function parseJson(_req: FastifyRequest, body: Buffer): Promise<unknown> {
  // Nothing in chunks is nothing all the same; where a body is needed, validation says so.
  if (body.length === 0) return undefined;
  try {
    return secureJson.parse(utf8.decode(body), null, { protoAction: 'error', constructorAction: 'error' });
  } catch (err) {
    throw new AppError('invalid_json', { cause: err });
  }
}

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { protobufMediaType } from '../../contract/otlp.ts';
import type { AppError } from '../../errors.ts';

// This file builds the responses of OTLP over HTTP. A response has the content type of its request.

export function isProtobuf({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === protobufMediaType;
}

interface PartialSuccess {
  /** The name of the field with the number. */
  field: 'rejectedSpans' | 'rejectedLogRecords';
  rejected: number;
  errorMessage: string;
}

/** Sends the response to a request whose items were accepted, either all of them or only some. */
export function sendPartialSuccess(req: FastifyRequest, reply: FastifyReply, success: PartialSuccess | undefined): FastifyReply {
  if (isProtobuf(req)) return reply.type(protobufMediaType).send(success ? writePartialSuccess(success) : Buffer.alloc(0));
  const { field, rejected, errorMessage } = success ?? {};
  // OTLP in JSON writes 64-bit integers as strings.
  const body = field === undefined ? {} : { partialSuccess: { [field]: String(rejected), errorMessage } };
  return reply.type('application/json; charset=utf-8').serializer(String).send(JSON.stringify(body));
}

function writePartialSuccess({ rejected, errorMessage }: PartialSuccess): Buffer {
  const partialSuccess = new BinaryWriter();
  partialSuccess.tag(1, WireType.Varint).int64(rejected).tag(2, WireType.LengthDelimited).string(errorMessage);
  return Buffer.from(new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(partialSuccess.finish()).finish());
}

/** Returns an error as a google.rpc.Status, with its content type. */
export function toStatus({ status, message }: AppError, req: FastifyRequest): { type: string; body: string | Buffer } {
  const code = grpcCodes[status] ?? internal;
  if (!isProtobuf(req)) return { type: 'application/json; charset=utf-8', body: JSON.stringify({ code, message }) };
  const writer = new BinaryWriter().tag(1, WireType.Varint).int32(code).tag(2, WireType.LengthDelimited).string(message);
  return { type: protobufMediaType, body: Buffer.from(writer.finish()) };
}

const internal = 13;
const grpcCodes: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 408: 4, 413: 3, 415: 3, 429: 8, 503: 14 };

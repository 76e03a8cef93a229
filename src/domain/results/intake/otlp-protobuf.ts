import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import {
  type Attributes,
  type AttributeValue,
  findKnownName,
  maxAttributeNameBytes,
  maxAttributes,
  maxAttributeValueBytes,
} from './attributes.ts';
import { UnreadableError } from './intake-messages.ts';
import type { LogRecord, Span } from './telemetry.ts';

// Reads OTLP requests in protobuf, with the field numbers of opentelemetry/proto/{trace,logs,common}/v1. Fields that are not read here are
// skipped by length, so that contents are not decoded.

/** Both kinds of requests contain resources, which contain scopes, which contain the spans or log records. */
const outerField = 1;
const innerField = 2;
const itemField = 2;
const spanIds = { trace: 1, span: 2 };
const logIds = { trace: 9, span: 10 };

export function* readProtobufSpans(bytes: Uint8Array): Generator<Span> {
  for (const reader of items(bytes)) yield readSpan(reader);
}

export function* readProtobufLogs(bytes: Uint8Array): Generator<LogRecord> {
  for (const reader of items(bytes)) yield readLogRecord(reader);
}

/**
 * The maximum number of resources, scopes, spans and log records in a request. Real ones have ids and times, so fewer fit into a request of
 * the maximum size. An attacker can send empty ones, which have only two bytes each but take far more time than other data of this size.
 */
const maxMessages = 200_000;

function* items(bytes: Uint8Array): Generator<BinaryReader> {
  const budget = { left: maxMessages };
  for (const outer of messages(new BinaryReader(bytes), outerField, budget)) {
    for (const inner of messages(outer, innerField, budget)) yield* messages(inner, itemField, budget);
  }
}

/** Yields a reader for each message in a repeated field, and skips all other fields. */
function* messages(reader: BinaryReader, wanted: number, budget: { left: number }): Generator<BinaryReader> {
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === wanted && wireType === WireType.LengthDelimited) {
      budget.left -= 1;
      if (budget.left < 0) throw new UnreadableError('malformed', `The body has more than ${maxMessages.toLocaleString('en')} messages`);
      yield new BinaryReader(reader.bytes());
    } else reader.skip(wireType, field);
  }
}

function readSpan(reader: BinaryReader): Span {
  const span: Span = {
    traceId: undefined,
    spanId: undefined,
    parentId: undefined,
    startNs: 0n,
    endNs: 0n,
    hasError: false,
    attributes: undefined,
  };
  let attributes = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) {
      if (field === spanIds.trace) span.traceId = toId(reader.bytes(), 16);
      else if (field === spanIds.span) span.spanId = toId(reader.bytes(), 8);
      else if (field === 4) span.parentId = toId(reader.bytes(), 8);
      else if (field === 9 && attributes < maxAttributes) {
        attributes += 1;
        span.attributes = addAttribute(span.attributes, reader.bytes());
      } else if (field === 15) span.hasError = readStatus(reader.bytes());
      else reader.skip(wireType, field);
    } else if (wireType === WireType.Bit64 && field === 7) span.startNs = BigInt(reader.fixed64());
    else if (wireType === WireType.Bit64 && field === 8) span.endNs = BigInt(reader.fixed64());
    else reader.skip(wireType, field);
  }
  return span;
}

function readLogRecord(reader: BinaryReader): LogRecord {
  const record: LogRecord = { traceId: undefined, spanId: undefined, timeNs: 0n, eventName: undefined, attributes: undefined };
  let attributes = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) {
      if (field === logIds.trace) record.traceId = toId(reader.bytes(), 16);
      else if (field === logIds.span) record.spanId = toId(reader.bytes(), 8);
      else if (field === 12) record.eventName = decode(reader.bytes(), maxAttributeNameBytes) ?? undefined;
      else if (field === 6 && attributes < maxAttributes) {
        attributes += 1;
        record.attributes = addAttribute(record.attributes, reader.bytes());
      } else reader.skip(wireType, field);
    } else if (wireType === WireType.Bit64 && field === 1) record.timeNs = BigInt(reader.fixed64());
    else reader.skip(wireType, field);
  }
  return record;
}

const statusCodeError = 2;

function readStatus(bytes: Uint8Array): boolean {
  const reader = new BinaryReader(bytes);
  let code = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 3 && wireType === WireType.Varint) code = reader.int32();
    else reader.skip(wireType, field);
  }
  return code === statusCodeError;
}

/** Adds a KeyValue if its key is known. Only the value of a known key is decoded. */
function addAttribute(attributes: Attributes | undefined, bytes: Uint8Array): Attributes | undefined {
  const reader = new BinaryReader(bytes);
  let name: string | undefined;
  let value: Uint8Array | undefined;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited && field === 1) {
      const key = decode(reader.bytes(), maxAttributeNameBytes);
      name = key === null ? undefined : findKnownName(key);
    } else if (wireType === WireType.LengthDelimited && field === 2) value = reader.bytes();
    else reader.skip(wireType, field);
  }
  if (name === undefined || !value) return attributes;
  return (attributes ?? new Map<string, AttributeValue>()).set(name, readValue(value));
}

/** Reads an AnyValue. The last of several values counts, as is the rule in protobuf. */
function readValue(bytes: Uint8Array): AttributeValue {
  const reader = new BinaryReader(bytes);
  let value: AttributeValue = null;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1 && wireType === WireType.LengthDelimited) value = decode(reader.bytes(), maxAttributeValueBytes);
    else if (field === 2 && wireType === WireType.Varint) value = reader.bool();
    else if (field === 3 && wireType === WireType.Varint) value = Number(reader.int64());
    else if (field === 4 && wireType === WireType.Bit64) value = reader.double();
    else reader.skip(wireType, field);
  }
  return value;
}

/** Returns an id in hexadecimal, or undefined if its length is wrong. An id of zeros means that there is no id. */
function toId(bytes: Uint8Array, length: number): string | undefined {
  if (bytes.length !== length || bytes.every((byte) => byte === 0)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('hex');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns null if the text is too long or is not valid UTF-8. */
function decode(bytes: Uint8Array, maxBytes: number): string | null {
  if (bytes.length > maxBytes) return null;
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

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
  const source = createSource(bytes);
  for (const end of items(source)) yield readSpan(source, end);
}

export function* readProtobufLogs(bytes: Uint8Array): Generator<LogRecord> {
  const source = createSource(bytes);
  for (const end of items(source)) yield readLogRecord(source, end);
}

/** One reader for all nested messages of a request. Each message is read from the current position to its end. */
interface Source {
  reader: BinaryReader;
  /** The bytes that the reader reads, as a Buffer. */
  buffer: Buffer;
}

function createSource({ buffer, byteOffset, byteLength }: Uint8Array): Source {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return { reader: new BinaryReader(bytes), buffer: bytes };
}

/** Calls a function for each field up to the end of a message. The function reads or skips the field. */
function readFields(reader: BinaryReader, end: number, readField: (field: number, wireType: WireType) => void): void {
  while (reader.pos < end) readField(...reader.tag());
  expectEnd(reader, end);
}

function expectEnd(reader: BinaryReader, end: number): void {
  if (reader.pos !== end) throw new RangeError('A field exceeds its message');
}

/** Reads the length of a field. Returns the position at which the field ends. */
function readEnd(reader: BinaryReader): number {
  const length = reader.uint32();
  return reader.pos + length;
}

/**
 * Skips a field. The reader's own method creates a view of each field that has a length. Creating a view takes longer than reading most
 * fields.
 */
function skip(reader: BinaryReader, wireType: WireType, field: number): void {
  if (wireType === WireType.LengthDelimited) reader.pos = readEnd(reader);
  else reader.skip(wireType, field);
}

/**
 * The maximum number of resources, scopes, spans and log records in a request. Real messages have ids and times, so fewer of them fit into
 * a request of the maximum size. An attacker can send empty messages, which have only two bytes each but take far more time than other data
 * of this size.
 */
const maxMessages = 200_000;

/** Yields the end of each span or log record. The caller must read the record before it requests the next end. */
function* items({ reader }: Source): Generator<number> {
  const budget = { left: maxMessages };
  for (const outerEnd of messages(reader, reader.len, outerField, budget)) {
    for (const innerEnd of messages(reader, outerEnd, innerField, budget)) yield* messages(reader, innerEnd, itemField, budget);
  }
}

/** Yields the end of each message in a repeated field, and skips all other fields. */
function* messages(reader: BinaryReader, end: number, wanted: number, budget: { left: number }): Generator<number> {
  while (reader.pos < end) {
    const [field, wireType] = reader.tag();
    if (field === wanted && wireType === WireType.LengthDelimited) {
      budget.left -= 1;
      if (budget.left < 0) throw new UnreadableError('malformed', `The body has more than ${maxMessages.toLocaleString('en')} messages`);
      yield readEnd(reader);
    } else skip(reader, wireType, field);
  }
  expectEnd(reader, end);
}

function readSpan(source: Source, end: number): Span {
  const { reader } = source;
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
  readFields(reader, end, (field, wireType) => {
    if (wireType === WireType.LengthDelimited) {
      if (field === spanIds.trace) span.traceId = readId(source, 16);
      else if (field === spanIds.span) span.spanId = readId(source, 8);
      else if (field === 4) span.parentId = readId(source, 8);
      else if (field === 9 && attributes < maxAttributes) {
        attributes += 1;
        span.attributes = addAttribute(span.attributes, source);
      } else if (field === 15) span.hasError = readStatus(reader);
      else skip(reader, wireType, field);
    } else if (wireType === WireType.Bit64 && field === 7) span.startNs = BigInt(reader.fixed64());
    else if (wireType === WireType.Bit64 && field === 8) span.endNs = BigInt(reader.fixed64());
    else skip(reader, wireType, field);
  });
  return span;
}

function readLogRecord(source: Source, end: number): LogRecord {
  const { reader } = source;
  const record: LogRecord = { traceId: undefined, spanId: undefined, timeNs: 0n, eventName: undefined, attributes: undefined };
  let attributes = 0;
  readFields(reader, end, (field, wireType) => {
    if (wireType === WireType.LengthDelimited) {
      if (field === logIds.trace) record.traceId = readId(source, 16);
      else if (field === logIds.span) record.spanId = readId(source, 8);
      else if (field === 12) record.eventName = readText(source, maxAttributeNameBytes) ?? undefined;
      else if (field === 6 && attributes < maxAttributes) {
        attributes += 1;
        record.attributes = addAttribute(record.attributes, source);
      } else skip(reader, wireType, field);
    } else if (wireType === WireType.Bit64 && field === 1) record.timeNs = BigInt(reader.fixed64());
    else skip(reader, wireType, field);
  });
  return record;
}

const statusCodeError = 2;

function readStatus(reader: BinaryReader): boolean {
  let code = 0;
  readFields(reader, readEnd(reader), (field, wireType) => {
    if (field === 3 && wireType === WireType.Varint) code = reader.int32();
    else skip(reader, wireType, field);
  });
  return code === statusCodeError;
}

/** Adds a KeyValue if its key is known. Only the value of a known key is decoded. */
function addAttribute(attributes: Attributes | undefined, source: Source): Attributes | undefined {
  const { reader } = source;
  const end = readEnd(reader);
  let name: string | undefined;
  let valueStart: number | undefined;
  readFields(reader, end, (field, wireType) => {
    if (wireType === WireType.LengthDelimited && field === 1) {
      name = readKnownName(source);
      return;
    }
    if (wireType === WireType.LengthDelimited && field === 2) valueStart = reader.pos;
    skip(reader, wireType, field);
  });
  if (name === undefined || valueStart === undefined) return attributes;
  reader.pos = valueStart;
  const value = readValue(source);
  reader.pos = end;
  return (attributes ?? new Map<string, AttributeValue>()).set(name, value);
}

/** Reads a key. Returns undefined if it is not known. Known keys are ASCII, so the key need not be decoded as UTF-8. */
function readKnownName({ reader, buffer }: Source): string | undefined {
  const start = skipBytes(reader);
  return reader.pos - start > maxAttributeNameBytes ? undefined : findKnownName(buffer.toString('latin1', start, reader.pos));
}

/** Reads an AnyValue. The last of several values counts, as is the rule in protobuf. */
function readValue(source: Source): AttributeValue {
  const { reader } = source;
  let value: AttributeValue = null;
  readFields(reader, readEnd(reader), (field, wireType) => {
    if (field === 1 && wireType === WireType.LengthDelimited) value = readText(source, maxAttributeValueBytes);
    else if (field === 2 && wireType === WireType.Varint) value = reader.bool();
    else if (field === 3 && wireType === WireType.Varint) value = Number(reader.int64());
    else if (field === 4 && wireType === WireType.Bit64) value = reader.double();
    else skip(reader, wireType, field);
  });
  return value;
}

/** Moves to the end of a field with a length. Returns the position of its first byte. */
function skipBytes(reader: BinaryReader): number {
  const end = readEnd(reader);
  const start = reader.pos;
  reader.pos = end;
  return start;
}

/** Reads an id in hexadecimal. Returns undefined if its length is wrong. An id of zeros means that there is no id. */
function readId({ reader, buffer }: Source, length: number): string | undefined {
  const start = skipBytes(reader);
  if (reader.pos - start !== length) return undefined;
  const id = buffer.toString('hex', start, reader.pos);
  return /^0+$/.test(id) ? undefined : id;
}

/** Reads a string. Returns null if it is too long or is not valid UTF-8. */
function readText({ reader, buffer }: Source, maxBytes: number): string | null {
  const start = skipBytes(reader);
  if (reader.pos - start > maxBytes) return null;
  const text = buffer.toString('utf8', start, reader.pos);
  // Invalid bytes were replaced by this character. The text may also contain the character itself, so it is decoded again to find invalid
  // bytes.
  return text.includes('\ufffd') ? decode(buffer.subarray(start, reader.pos)) : text;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

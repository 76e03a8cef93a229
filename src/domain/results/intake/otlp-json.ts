import {
  type Attributes,
  type AttributeValue,
  findKnownName,
  maxAttributeNameBytes,
  maxAttributes,
  maxAttributeValueBytes,
} from './attributes.ts';
import { UnreadableError } from './intake-messages.ts';
import { isRecord } from './measurements.ts';
import type { LogRecord, Span } from './telemetry.ts';

// Reads OTLP requests in JSON. Ids are hexadecimal, 64-bit integers are strings or numbers, and enums are integers.

type Json = Record<string, unknown>;

export function* readJsonSpans(request: unknown): Generator<Span> {
  for (const span of items(request, ['resourceSpans', 'scopeSpans', 'spans'])) {
    yield {
      traceId: toId(span.traceId, 32),
      spanId: toId(span.spanId, 16),
      parentId: toId(span.parentSpanId, 16),
      startNs: toNanoseconds(span.startTimeUnixNano),
      endNs: toNanoseconds(span.endTimeUnixNano),
      hasError: isError(span.status),
      attributes: readAttributes(span.attributes),
    };
  }
}

export function* readJsonLogs(request: unknown): Generator<LogRecord> {
  for (const record of items(request, ['resourceLogs', 'scopeLogs', 'logRecords'])) {
    yield {
      traceId: toId(record.traceId, 32),
      spanId: toId(record.spanId, 16),
      timeNs: toNanoseconds(record.timeUnixNano),
      eventName: typeof record.eventName === 'string' ? record.eventName : undefined,
      attributes: readAttributes(record.attributes),
    };
  }
}

/** Yields the objects that are found by following nested lists. */
function* items(value: unknown, [list, ...rest]: readonly string[]): Generator<Json> {
  const object = toObject(value);
  if (list === undefined) {
    yield object;
    return;
  }
  const found = object[list] ?? [];
  if (!Array.isArray(found)) throw new UnreadableError('malformed', `"${list}" is not a list`);
  for (const item of found) yield* items(item, rest);
}

function toObject(value: unknown): Json {
  if (!isRecord(value)) throw new UnreadableError('malformed', 'The body does not have the structure of OTLP');
  return value;
}

function readAttributes(list: unknown): Attributes | undefined {
  if (!Array.isArray(list)) return undefined;
  const attributes: Attributes = new Map();
  for (const item of list.slice(0, maxAttributes)) {
    if (!isRecord(item) || typeof item.key !== 'string' || item.key.length > maxAttributeNameBytes) continue;
    const name = findKnownName(item.key);
    if (name !== undefined) attributes.set(name, readValue(item.value));
  }
  return attributes.size > 0 ? attributes : undefined;
}

function readValue(value: unknown): AttributeValue {
  if (!isRecord(value)) return null;
  const { stringValue, boolValue, intValue, doubleValue } = value;
  if (typeof stringValue === 'string') return Buffer.byteLength(stringValue) > maxAttributeValueBytes ? null : stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  if (typeof doubleValue === 'number') return doubleValue;
  if (typeof intValue === 'number') return intValue;
  return typeof intValue === 'string' && /^-?\d{1,19}$/.test(intValue) ? Number(intValue) : null;
}

/** Returns an id in lower case. In OTLP, an id of zeros means that there is no id. */
function toId(value: unknown, length: number): string | undefined {
  if (typeof value !== 'string' || value.length !== length || !/^[0-9a-f]+$/i.test(value) || /^0+$/.test(value)) return undefined;
  return value.toLowerCase();
}

function toNanoseconds(value: unknown): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  return typeof value === 'number' && Number.isSafeInteger(Math.trunc(value / 1000)) && value > 0 ? BigInt(Math.trunc(value)) : 0n;
}

function isError(status: unknown): boolean {
  return isRecord(status) && (status.code === 2 || status.code === 'STATUS_CODE_ERROR');
}

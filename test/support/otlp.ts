import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

// These functions write OTLP requests with any fields, including those that no SDK would send.

export type Attribute = [name: string, value: string | number | boolean | string[] | Uint8Array];

interface TestSpan {
  traceId?: Uint8Array;
  spanId?: Uint8Array;
  parentId?: Uint8Array;
  startNs?: bigint;
  endNs?: bigint;
  attributes?: Attribute[];
}

export const traceId = bytesOf(16, 1);
export const startNs = 1_790_000_000_250_000_000n;

/** Returns an id that consists of one byte, repeated. */
export function bytesOf(length: number, byte: number): Uint8Array {
  return new Uint8Array(length).fill(byte);
}

export const named: Attribute[] = [
  ['gen_ai.prompt.name', 'support/triage'],
  ['gen_ai.prompt.version', '3'],
];

/** Writes a request with spans of one scope. By default, a span is a valid call of 812.5 ms. */
export function writeTraces(...spans: TestSpan[]): Uint8Array {
  return message(1, message(2, ...spans.map((span, at) => message(2, writeSpan({ spanId: bytesOf(8, at + 1), ...span })))));
}

function writeSpan({ spanId, parentId, attributes = named, ...span }: TestSpan): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).bytes(span.traceId ?? traceId);
  if (spanId) writer.tag(2, WireType.LengthDelimited).bytes(spanId);
  if (parentId) writer.tag(4, WireType.LengthDelimited).bytes(parentId);
  writer.tag(7, WireType.Bit64).fixed64(span.startNs ?? startNs);
  writer.tag(8, WireType.Bit64).fixed64(span.endNs ?? (span.startNs ?? startNs) + 812_500_000n);
  for (const attribute of attributes) writer.raw(message(9, writeAttribute(attribute)));
  return writer.finish();
}

export function writeAttribute([name, value]: Attribute): Uint8Array {
  return concat(message(1, new TextEncoder().encode(name)), message(2, writeValue(value)));
}

function writeValue(value: Attribute[1]): Uint8Array {
  const writer = new BinaryWriter();
  if (typeof value === 'string') return writer.tag(1, WireType.LengthDelimited).string(value).finish();
  if (typeof value === 'boolean') return writer.tag(2, WireType.Varint).bool(value).finish();
  if (value instanceof Uint8Array) return writer.tag(1, WireType.LengthDelimited).bytes(value).finish();
  if (Array.isArray(value)) return message(5, ...value.map((item) => message(1, writeValue(item))));
  if (Number.isInteger(value)) return writer.tag(3, WireType.Varint).int64(value).finish();
  return writer.tag(4, WireType.Bit64).double(value).finish();
}

/** Writes a field that is a message, or any other field whose length comes first. */
export function message(field: number, ...parts: Uint8Array[]): Uint8Array {
  return new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(Buffer.concat(parts)).finish();
}

export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

type JsonSpan = Record<string, unknown>;

/** Returns a valid call of 812.5 ms as JSON. The arguments replace its fields. */
export function jsonSpan({ attributes = {}, ...fields }: JsonSpan & { attributes?: Record<string, unknown> } = {}): JsonSpan {
  return {
    traceId: '01'.repeat(16),
    spanId: '02'.repeat(8),
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + 812_500_000n),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) })),
    ...fields,
  };
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return value;
}

export function jsonTraces(...spans: JsonSpan[]) {
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

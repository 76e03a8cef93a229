import { gunzipSync } from 'node:zlib';
import { maxReportBytes } from '../../../contract/limits.ts';
import { findJsonExcess } from '../../../platform/json-bounds.ts';
import { type Reading, UnreadableError, type Upload } from './intake-messages.ts';
import { readLangfuseBatch } from './langfuse-batch.ts';
import { readJsonLogs, readJsonSpans } from './otlp-json.ts';
import { readProtobufLogs, readProtobufSpans } from './otlp-protobuf.ts';
import { toScores } from './scores.ts';
import { toCalls } from './spans.ts';

/** These bounds are far above real requests: a span has about 30 values, and a request of the maximum size has about 5,000 spans. */
const jsonBounds = { maxDepth: 100, maxValues: 500_000 };

/** Reads the body of a request. Throws an UnreadableError, or any other error if the body does not have the expected structure. */
export function readUpload({ kind, format, isCompressed, body }: Upload): Reading {
  const bytes = isCompressed ? decompress(body) : body;
  if (kind === 'langfuse') return readLangfuseBatch(parse(bytes));
  if (kind === 'traces') return toCalls(format === 'json' ? readJsonSpans(parse(bytes)) : readProtobufSpans(bytes));
  return toScores(format === 'json' ? readJsonLogs(parse(bytes)) : readProtobufLogs(bytes));
}

function decompress(body: Uint8Array): Uint8Array {
  try {
    return gunzipSync(body, { maxOutputLength: maxReportBytes });
  } catch (err) {
    if (err instanceof RangeError) throw new UnreadableError('too_large', 'The decompressed body is larger than 4 MiB');
    throw new UnreadableError('malformed', 'The body is not valid gzip');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (findJsonExcess(text, jsonBounds)) throw new UnreadableError('malformed', 'The body has too many values, or is nested too deeply');
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableError('malformed', 'The body is not valid JSON');
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableError('malformed', 'The body is not valid UTF-8');
  }
}

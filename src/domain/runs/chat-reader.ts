import { createParser } from 'eventsource-parser';
import type { Holding } from '../../platform/scheduling/byte-budget.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { readBytes } from '../outbound/read-bytes.ts';
import type { ChatPart } from './chat-parts.ts';
import type { ChatReader } from './protocols/protocol.ts';

interface Body {
  /** The server that sends the response, for error messages. */
  host: string;
  body: AsyncIterable<Buffer>;
  memory: Holding;
  /** Parses the events of the server's protocol. */
  read: ChatReader;
}

const maxResponseBytes = 16 * 1024 * 1024;
const maxEventCharacters = 512 * 1024;
/** The maximum number of lines in an event, including the comments that some servers send while a model thinks. */
const maxEventLines = 10_000;
/**
 * The minimum number of bytes that an event counts as, because even a tiny event takes time to parse. Every event with a token has more
 * bytes.
 */
const minEventBytes = 128;
const maxJsonBytes = 2 * 1024 * 1024;

/** Yields the parts of a streamed response as they arrive, until its end marker. */
export async function* readEvents({ host, body, memory, read }: Body): AsyncGenerator<ChatPart[]> {
  const decoder = new TextDecoder();
  let received: string[] = [];
  const pending = { bytes: 0, lines: 0 };
  const parser = createParser({
    onEvent({ data }) {
      received.push(data);
      Object.assign(pending, { bytes: 0, lines: 0 });
    },
    onError(err) {
      if (err.type === 'max-buffer-size-exceeded') throw tooLong(host, `an event of more than ${maxEventCharacters} characters`);
    },
    maxBufferSize: maxEventCharacters,
  });
  let size = 0;

  /** Parses a chunk, and adds what it contains to `parts`. Returns whether it contains the end marker. */
  function readChunk(chunk: Buffer, parts: ChatPart[]): boolean {
    pending.bytes += chunk.length;
    pending.lines += countLines(chunk);
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (pending.lines > maxEventLines) throw tooLong(host, `an event of more than ${maxEventLines} lines`);
    memory.set(pending.bytes);
    const events = received;
    received = [];
    size += Math.max(chunk.length, events.length * minEventBytes);
    if (size > maxResponseBytes) throw tooLong(host, `a response of more than ${maxResponseBytes} bytes`);
    for (const data of events) {
      const added = read(data);
      if (!added) return true;
      append(parts, added);
    }
    return false;
  }

  for await (const chunk of body) {
    const parts: ChatPart[] = [];
    let isDone = false;
    try {
      isDone = readChunk(chunk, parts);
    } catch (err) {
      // The parts before the error are still used.
      yield parts;
      throw err;
    }
    yield parts;
    if (isDone) return;
  }
}

/** Yields the parts of a response that is not streamed. */
export async function* readWhole({ host, body, memory, read }: Body): AsyncGenerator<ChatPart[]> {
  const bytes = await readBytes(body, { maxBytes: maxJsonBytes + 1, memory });
  if (bytes.length > maxJsonBytes) throw tooLong(host, `a response of more than ${maxJsonBytes} bytes`);
  yield read(bytes.toString('utf8')) ?? [];
}

/**
 * Merges texts of the same type, and fragments of the same tool call, into one part, so that the cost of handling parts depends on their
 * length, not on their number.
 */
function append(parts: ChatPart[], added: ChatPart[]): void {
  for (const part of added) {
    const same = parts.find(
      (earlier) => earlier.type === part.type && (!('index' in earlier) || !('index' in part) || earlier.index === part.index),
    );
    if (same && 'text' in same && 'text' in part) same.text += part.text;
    else if (same && 'index' in same && 'index' in part) {
      same.fields.push(...part.fields);
      same.functionFields.push(...part.functionFields);
      same.arguments += part.arguments;
    } else parts.push(part);
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === lineFeed || byte === carriageReturn) lines += 1;
  return lines;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function tooLong(host: string, what: string): OutboundError {
  return new OutboundError('too_long', `${host} sent ${what}`);
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { createTurnstile } from '../../event-loop.ts';
import type { Holding } from '../byte-budget.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { readBytes } from '../outbound/read-bytes.ts';
import { type ChatPart, parseChunk } from './chat-parts.ts';

interface Body {
  /** The server that sends it, for errors. */
  host: string;
  body: AsyncIterable<Buffer>;
  memory: Holding;
}

const endMarker = '[DONE]';
/** What is parsed in one turn of the event loop. A server may send very many events at once, and do so in many runs. */
const batchBytes = 4 * 1024;
const maxResponseBytes = 16 * 1024 * 1024;
const maxEventCharacters = 512 * 1024;
/** Lines without the end of an event: also comments, which some servers send while a model thinks. */
const maxEventLines = 10_000;
/** The fewest bytes that an event counts for, because it takes time however small it is. One with a token is larger. */
const minEventBytes = 128;
const maxJsonBytes = 4 * 1024 * 1024;

/** The parts of a streamed response, as they arrive. Ends at its end marker. */
export async function* readEvents({ host, body, memory }: Body): AsyncGenerator<ChatPart[]> {
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

  /** Adds the parts in a few kilobytes. Returns whether the end marker was among them. */
  function read(batch: Buffer, parts: ChatPart[]): boolean {
    pending.bytes += batch.length;
    pending.lines += countLines(batch);
    parser.feed(decoder.decode(batch, { stream: true }));
    if (pending.lines > maxEventLines) throw tooLong(host, `an event of more than ${maxEventLines} lines`);
    memory.set(pending.bytes);
    const events = received;
    received = [];
    size += Math.max(batch.length, events.length * minEventBytes);
    if (size > maxResponseBytes) throw tooLong(host, `a response of more than ${maxResponseBytes} bytes`);
    for (const data of events) {
      if (data.trim() === endMarker) return true;
      append(parts, parseChunk(data, host));
    }
    return false;
  }

  for await (const chunk of body) {
    const parts: ChatPart[] = [];
    let isDone = false;
    try {
      for (let start = 0; start < chunk.length && !isDone; start += batchBytes) {
        if (start > 0) await nextTurn();
        isDone = read(chunk.subarray(start, start + batchBytes), parts);
      }
    } catch (err) {
      // What came before the error still counts.
      yield parts;
      throw err;
    }
    yield parts;
    if (isDone) return;
  }
}

/** The parts of a response that is not streamed. */
export async function* readWhole({ host, body, memory }: Body): AsyncGenerator<ChatPart[]> {
  const bytes = await readBytes(body, { maxBytes: maxJsonBytes + 1, memory });
  if (bytes.length > maxJsonBytes) throw tooLong(host, `a response of more than ${maxJsonBytes} bytes`);
  // Parsing has no pauses, so no two of them belong in one turn.
  await parsingTurn('');
  yield parseChunk(bytes.toString('utf8'), host);
}

const parsingTurn = createTurnstile();

/**
 * Texts of one kind become one part, and so do the fragments of a tool call: whoever takes them has work in proportion to their length
 * and not to their number.
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

import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The maximum number of bytes that a connection passes to the HTTP parser in one turn of the event loop. */
const batchBytes = 4 * 1024;

/**
 * A connection that passes a few kilobytes to the HTTP parser in each turn of the event loop. A socket reads up to 64 KiB at a time. From a
 * hostile server, they may contain thousands of informational responses or chunks. Parsing them at once, on many connections, would delay
 * everything else. Even if the connection were destroyed after the first few chunks, the parser would still process the remaining ones.
 */
export class PacedSocket extends Duplex {
  readonly #socket: Socket;
  #wake: (() => void) | undefined;
  #passing = Promise.resolve();
  /** The bytes passed on so far, including headers and framing. */
  bytesPassed = 0;

  constructor(socket: Socket) {
    // The buffer is no larger than a batch, so that the reader of the response gets it in small parts.
    super({ highWaterMark: batchBytes });
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#passing = this.#pass(bytes);
    });
    // The end, an error and the closing of the socket are passed on only after all bytes that have arrived before them.
    let hasEnded = false;
    socket.once('end', () => {
      hasEnded = true;
      void this.#passing.then(() => this.push(null));
    });
    socket.once('error', (err) => void this.#passing.then(() => this.destroy(err)));
    socket.once('close', () => void this.#passing.then(() => hasEnded || this.destroy()));
  }

  async #pass(bytes: Buffer): Promise<void> {
    this.#socket.pause();
    for (let start = 0; start < bytes.length && !this.destroyed; start += batchBytes) {
      const batch = bytes.subarray(start, start + batchBytes);
      this.bytesPassed += batch.length;
      const isWanted = this.push(batch);
      await (isWanted ? nextTurn() : new Promise<void>((resolve) => (this.#wake = resolve)));
    }
    if (!this.destroyed) this.#socket.resume();
  }

  override _read(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (err?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, callback);
  }

  override _final(callback: (err?: Error | null) => void): void {
    this.#socket.end(callback);
  }

  override _destroy(err: Error | null, callback: (err?: Error | null) => void): void {
    this._read();
    this.#socket.destroy();
    callback(err);
  }
}

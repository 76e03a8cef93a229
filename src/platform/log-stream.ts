import { constants, fstatSync, openSync, write as writeFile, writeSync } from 'node:fs';

const flushIntervalMs = 250;
const flushAtCharacters = 64 * 1024;
const defaultMaxBuffered = 8 * 1024 * 1024;
/**
 * The first and the longest delay before another attempt to write to a full pipe. The first delay is short, because the reader may be fast.
 * The delays then grow.
 */
const retryAfterMs = { first: 2, max: 100 };
const syncAttempts = 5;

/**
 * Writes lines to a file descriptor in the background, in large batches. Lines that the destination refuses (a full disk, a closed pipe, a
 * lost terminal) or that do not fit into the buffer are dropped. Once lines are accepted again, one line states how many are missing. The
 * log must never stop the service, so this code never throws, never blocks for long, and uses bounded memory.
 */
export function createLogStream({ fd, maxBufferedCharacters = defaultMaxBuffered }: { fd: number; maxBufferedCharacters?: number }) {
  let buffered = '';
  let dropped = 0;
  let isWriting = false;
  /** Bytes that wait until a full pipe accepts data again. */
  let waiting: Buffer = Buffer.alloc(0);
  let retryMs = retryAfterMs.first;
  setInterval(flush, flushIntervalMs).unref();

  function flush(): void {
    if (isWriting || buffered === '') return;
    isWriting = true;
    writeAll(takeBuffered());
  }

  /** Removes and returns the buffered lines. If lines were lost before them, a line with the number of lost lines comes first. */
  function takeBuffered(): Buffer {
    const lines = dropped === 0 ? buffered : reportOf(dropped) + buffered;
    dropped = 0;
    buffered = '';
    return Buffer.from(lines);
  }

  function writeAll(bytes: Buffer): void {
    writeFile(fd, bytes, (err, written) => {
      if (isFull(err)) {
        waiting = bytes;
        setTimeout(retry, retryMs).unref();
        retryMs = Math.min(retryMs * 2, retryAfterMs.max);
        return;
      }
      retryMs = retryAfterMs.first;
      if (!err && written < bytes.length) writeAll(bytes.subarray(written));
      else {
        if (err) dropped += countLines(bytes);
        isWriting = false;
        // After an error, writing is not retried immediately, because a full disk usually stays full for some time.
        if (!err && buffered.length >= flushAtCharacters) flush();
      }
    });
  }

  function retry(): void {
    const bytes = waiting;
    waiting = Buffer.alloc(0);
    writeAll(bytes);
  }

  return {
    write(lines: string): void {
      if (buffered.length + lines.length > maxBufferedCharacters) {
        dropped += countLines(Buffer.from(lines));
        return;
      }
      buffered += lines;
      if (buffered.length >= flushAtCharacters) flush();
    },

    /** Starts writing the buffered lines. */
    flush,

    /** Writes the buffered lines before the process exits. Gives up if the destination does not accept them. */
    flushSync(): void {
      let bytes = Buffer.concat([waiting, takeBuffered()]);
      for (let attempt = 0; bytes.length > 0 && attempt < syncAttempts; attempt += 1) {
        try {
          bytes = bytes.subarray(writeSync(fd, bytes));
          attempt = 0;
        } catch (err) {
          if (!isFull(err)) return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryAfterMs.max);
        }
      }
    },
  };
}

/**
 * Returns a file descriptor for standard output. A pipe is opened again in non-blocking mode: otherwise, writing to a pipe that nobody
 * reads would occupy a thread and keep the process from exiting. If this is not possible, standard output is used unchanged.
 */
export function openOutput(): number {
  try {
    if (fstatSync(1).isFIFO()) return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Opening the pipe again fails if the system is not Linux or if the pipe belongs to another user.
  }
  return 1;
}

function reportOf(dropped: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, dropped, msg: 'log lines were dropped because standard output did not accept them' })}\n`;
}

function isFull(err: unknown): boolean {
  return err instanceof Error && 'code' in err && (err.code === 'EAGAIN' || err.code === 'EBUSY');
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', end + 1)) count += 1;
  return count;
}

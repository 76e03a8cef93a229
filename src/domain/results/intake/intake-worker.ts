import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type FromThread, type ToThread, UnreadableError } from './intake-messages.ts';
import { readUpload } from './read-upload.ts';

// The thread that reads what programs report.

/** The priority of the thread, which is below normal. */
const priority = 5;

// On Linux, this call lowers the priority of this thread only, so that requests are processed first when the machine is busy.
if (process.platform === 'linux') setPriority(priority);

// The reading is sent as JSON, because Node takes several times as long to copy many small objects between threads.
parentPort?.on('message', (message: ToThread) => parentPort?.postMessage(JSON.stringify(respond(message))));

function respond({ id, upload }: ToThread): FromThread {
  try {
    return { id, reading: readUpload(upload) };
  } catch (err) {
    // The errors of parsers quote the text that they could not parse. This text may be content. Only our own texts leave the thread.
    if (err instanceof UnreadableError) return { id, refusal: { kind: err.kind, text: err.message } };
    return { id, refusal: { kind: 'malformed', text: 'The body does not have the expected structure' } };
  }
}

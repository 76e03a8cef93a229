import { type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maxImportPromptBytes } from '../../contract/transfer-format.ts';
import { AppError } from '../../errors.ts';
import { createFairSlots, type Slot } from '../../platform/scheduling/fair-slots.ts';
import { slotLimits } from '../../platform/scheduling/limits.ts';
import { actorOf } from './authentication.ts';
import { bodyBytesOf } from './body-memory.ts';

/** The minimum number of bytes that each import counts as. */
const minWeight = 16 * 1024;
/** The number of bytes that a client must send to count as making progress. */
const progressBytes = 64 * 1024;

/** Limits the imports in progress by the number of bytes that they may hold in memory. An import counts from its first byte. */
export function createImportSlots() {
  const slots = createFairSlots(slotLimits.imports);
  const taken = new WeakMap<FastifyRequest, Slot>();

  function slotOf(req: FastifyRequest): Slot {
    const found = taken.get(req);
    if (!found) throw new Error('This import has not taken a slot');
    return found;
  }

  return {
    /** Takes a slot, which the request holds until its response is sent. Throws if no slot is free. */
    take(req: FastifyRequest, reply: FastifyReply): void {
      const slot = slots.take({
        owners: new Set([actorOf(req).workspaceId]),
        weight: Math.min(Math.max(minWeight, bodyBytesOf(req)), maxImportPromptBytes),
      });
      taken.set(req, slot);
      slot.evicted.addEventListener('abort', () => {
        // The connection is closed, because the rest of the body is not read.
        if (!reply.sent) reply.header('connection', 'close');
      });
      reply.raw.once('close', slot.release);
    },

    /** Returns the body as a stream that records how fast it arrives. The stream ends with an error if another import gets the slot. */
    watch(req: FastifyRequest, payload: Readable): Readable {
      const slot = slotOf(req);
      const body = createProgressMeter(slot);
      slot.evicted.addEventListener('abort', () => body.destroy(slot.evicted.reason), { once: true });
      payload.once('error', (cause) => body.destroy(new AppError('bad_request', { text: 'The request body was cut off', cause })));
      // After an error, the rest of the body is read and discarded, so that the connection can be reused.
      body.once('close', () => payload.resume());
      // The client may disconnect after the import has ended. Without a listener, this error would end the process.
      return payload.pipe(body).on('error', () => undefined);
    },

    /** Passes each batch on after a check. While a batch is imported, the client does not count as slow. */
    async *pass<T>(req: FastifyRequest, batches: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
      const slot = slotOf(req);
      for await (const batch of batches) {
        slot.excuse();
        await check();
        yield batch;
        slot.touch();
      }
    },
  };
}

function createProgressMeter(slot: Slot): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const steps = Math.floor(bytes / progressBytes);
      bytes += chunk.length;
      if (Math.floor(bytes / progressBytes) > steps) slot.touch();
      done(null, chunk);
    },
  });
}

import { Readable } from 'node:stream';
import { createFairSlots, type Slot } from '../platform/scheduling/fair-slots.ts';
import { slotLimits } from '../platform/scheduling/limits.ts';

/** The exports that clients are still reading. The service ends these exports before it stops. */
export function createOpenExports(limits = slotLimits.exports) {
  const slots = createFairSlots(limits);
  const streams = new Set<Readable>();

  return {
    /** Opens an export. Reads the first batch immediately, so that an error up to this point becomes a regular error response. */
    async open(workspaceId: string, parts: AsyncGenerator<string>): Promise<Readable> {
      const slot = slots.take({ owners: new Set([workspaceId]) });
      const { evicted } = slot;
      slot.excuse();
      try {
        const first = await parts.next();
        evicted.throwIfAborted();
        const stream = Readable.from(prepend(first, parts, slot));
        evicted.addEventListener('abort', () => stream.destroy(evicted.reason), { once: true });
        streams.add(stream);
        return stream.once('close', () => {
          streams.delete(stream);
          slot.release();
        });
      } catch (err) {
        slot.release();
        throw err;
      }
    },

    close(): void {
      for (const stream of streams) stream.destroy(new Error('The service is stopping'));
    },
  };
}

async function* prepend(first: IteratorResult<string>, rest: AsyncGenerator<string>, slot: Slot): AsyncGenerator<string> {
  try {
    for (let part = first; !part.done; part = await rest.next()) {
      // A client counts as slow only while it has not read a batch that is ready.
      slot.touch();
      yield part.value;
      slot.excuse();
    }
  } finally {
    await rest.return(undefined);
  }
}

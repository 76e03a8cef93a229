import { type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createFairQueue, type FairQueue } from '../../platform/scheduling/fair-queue.ts';
import { createFairSlots, type Slot } from '../../platform/scheduling/fair-slots.ts';
import { actorOf } from './authentication.ts';
import { bodyBytesOf } from './body-memory.ts';

/** Bounds the imports in progress. Bodies are kept in memory, so imports are weighed by their bytes, from the first byte on. */
export interface ImportSlots {
  /** Takes a slot, which the request holds until its response is sent. Throws if no slot is free. */
  take(req: FastifyRequest, reply: FastifyReply): void;
  /** Returns the body as a stream that records how fast it arrives. */
  watch(req: FastifyRequest, payload: Readable): Readable;
  /** Runs the import when it is its turn. Throws if its slot was lost to somebody else before that. */
  run<T>(req: FastifyRequest, work: (body: unknown) => Promise<T>): Promise<T>;
}

interface Import {
  slot: Slot;
  lost: AbortController;
}

const limits = { perOwner: 8, total: 128 * 1024 * 1024, stalledMs: 1000, what: 'imports' };
/** The smallest weight of a request. */
const minWeight = 16 * 1024;
/** The bytes that a client must send to count as making progress. */
const progressBytes = 64 * 1024;
/** Imports larger than this take long. They have their own queue, so that small imports do not wait for them. */
const smallBytes = 256 * 1024;
const queueLimits = { waitingPerTenant: limits.perOwner, waiting: 10_000, waitTimeoutMs: 60_000 };

export function createImportSlots(): ImportSlots {
  const slots = createFairSlots(limits);
  const small = createFairQueue({ ...queueLimits, running: 64, runningPerTenant: 2 });
  const large = createFairQueue({ ...queueLimits, running: 16, runningPerTenant: 1 });
  const imports = new WeakMap<FastifyRequest, Import>();

  function importOf(req: FastifyRequest): Import {
    const found = imports.get(req);
    if (!found) throw new Error('This import has not taken a slot');
    return found;
  }

  return {
    take(req, reply) {
      const lost = new AbortController();
      const slot = slots.take({
        owners: new Set([actorOf(req).workspaceId]),
        weight: Math.max(minWeight, bodyBytesOf(req)),
        evict() {
          // The rest of the body is not read, and what has arrived is not kept.
          reply.header('connection', 'close');
          req.body = undefined;
          lost.abort(new AppError('too_many_streams', { text: 'Too many imports are in progress; import again shortly' }));
        },
      });
      imports.set(req, { slot, lost });
      reply.raw.once('close', slot.release);
    },

    watch(req, payload) {
      const { slot, lost } = importOf(req);
      const body = createProgressMeter(slot);
      lost.signal.addEventListener('abort', () => body.destroy(lost.signal.reason), { once: true });
      payload.once('error', (err) => body.destroy(err));
      // The client may disconnect after Fastify has stopped listening, and an error without a listener would end the process.
      return payload.pipe(body).on('error', () => undefined);
    },

    async run(req, work) {
      const { slot, lost } = importOf(req);
      // From here on, the client is not the one that is slow.
      slot.excuse();
      const queue: FairQueue = bytesOf(req.body) > smallBytes ? large : small;
      const { promise: whenLost, reject } = Promise.withResolvers<never>();
      lost.signal.addEventListener('abort', () => reject(lost.signal.reason), { once: true });
      const imported = queue.run(actorOf(req).workspaceId, async () => {
        lost.signal.throwIfAborted();
        slot.pin();
        return work(req.body);
      });
      return Promise.race([whenLost, imported]);
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

function bytesOf(body: unknown): number {
  return Buffer.isBuffer(body) ? body.length : 0;
}

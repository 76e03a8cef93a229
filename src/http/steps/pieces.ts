import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createTurnstile } from '../../platform/event-loop.ts';
import { networkOf } from '../../platform/networks.ts';
import type { App } from '../fastify.ts';

/** Copying megabytes to the operating system takes as long as dozens of other requests. */
export const pieceBytes = 64 * 1024;
/** About as much as a large prompt has. Pages of them are longer. */
const unpacedPieces = 5;
/** About 32 MiB a second for what one workspace is sent at the same time. */
export const paceMs = 2;

/**
 * Sends large responses in pieces, each in a turn of the event loop of its own, and each workspace in turn. Pages of one workspace that are
 * sent at the same time share a pace, so that they leave processor and network to others.
 */
export function sendInPieces(app: App): void {
  const nextTurn = createTurnstile();
  const joinPace = createPace();

  async function* piecesOf(body: Buffer, tenant: string): AsyncGenerator<Buffer> {
    using pace = joinPace(tenant);
    for (let start = 0; start < body.length; start += pieceBytes) {
      if (start >= unpacedPieces * pieceBytes) await pace.wait();
      await nextTurn(tenant);
      yield body.subarray(start, start + pieceBytes);
    }
  }

  app.addHook('onSend', (req, reply, payload, done) => {
    // Fastify would read the pieces of a response to HEAD to their end, without a client.
    if (!isText(payload) || payload.length <= pieceBytes || req.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    reply.header('content-length', body.length);
    done(null, Readable.from(piecesOf(body, req.actor?.workspaceId ?? networkOf(req.ip))));
  });
}

interface Pace extends Disposable {
  /** Until `paceMs` after the last one of the tenant. One that is alone does not wait. */
  wait(): Promise<void>;
}

export function createPace(): (tenant: string) => Pace {
  const tenants = new Map<string, { count: number; freeAt: number }>();
  return (name) => {
    const tenant = tenants.get(name) ?? { count: 0, freeAt: 0 };
    tenants.set(name, tenant);
    tenant.count += 1;
    return {
      async wait() {
        if (tenant.count === 1) return;
        const now = performance.now();
        const startAt = Math.max(now, tenant.freeAt);
        tenant.freeAt = startAt + paceMs;
        if (startAt > now) await delay(startAt - now);
      },
      [Symbol.dispose]() {
        tenant.count -= 1;
        if (tenant.count === 0) tenants.delete(name);
      },
    };
  };
}

function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

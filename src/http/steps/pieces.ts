import { Readable } from 'node:stream';
import { createTurnstile } from '../../event-loop.ts';
import { networkOf } from '../connections.ts';
import type { App } from '../fastify.ts';

/** Copying megabytes to the operating system takes as long as dozens of other requests. */
export const pieceBytes = 64 * 1024;

/** Sends large responses in pieces, each in a turn of the event loop of its own, and each workspace in turn. */
export function sendInPieces(app: App): void {
  const nextTurn = createTurnstile();
  app.addHook('onSend', (req, reply, payload, done) => {
    if (!isText(payload) || payload.length <= pieceBytes) {
      done(null, payload);
      return;
    }
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    reply.header('content-length', body.length);
    const tenant = req.actor?.workspaceId ?? networkOf(req.ip);
    done(null, Readable.from(piecesOf(body, () => nextTurn(tenant))));
  });
}

function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

async function* piecesOf(body: Buffer, nextTurn: () => Promise<void>): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += pieceBytes) {
    await nextTurn();
    yield body.subarray(start, start + pieceBytes);
  }
}

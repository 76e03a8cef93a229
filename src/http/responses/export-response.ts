import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../contract/roles.ts';
import type { Watcher } from '../../domain/access-watch.ts';
import type { Context } from '../../domain/context.ts';
import { allowInactivity } from '../inactivity.ts';
import { assertAccess, createAccessCheck } from '../middleware/access-check.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Cookie } from '../middleware/cookies.ts';
import { createOpenExports } from '../open-exports.ts';

/** The timeout is long, because a client may read slowly while it imports the data into another service. */
const stallTimeoutMs = 5 * 60 * 1000;

interface ExportFile {
  name: string;
  mediaType: string;
  /** The role that the content depends on, if it is not the role that the route requires. */
  role?: Role;
  /** Generates the text. It calls `assertAllowed` before each batch. */
  generate(assertAllowed: () => Promise<void>): AsyncGenerator<string>;
}

export type SendExport = ReturnType<typeof createExportSender>;

/** Returns a function that sends a file in batches. The file ends with an error when the caller loses access or the service stops. */
export function createExportSender({ app, ctx, sessionCookie }: { app: FastifyInstance; ctx: Context; sessionCookie: Cookie }) {
  const exports = createOpenExports();
  app.addHook('preClose', async () => exports.close());

  return async function sendExport(
    req: FastifyRequest,
    reply: FastifyReply,
    { name, mediaType, role, generate }: ExportFile,
  ): Promise<FastifyReply> {
    const access = createAccessCheck(ctx, req, sessionCookie.read(req), role);
    const parts = req.method === 'HEAD' ? generateNothing() : generate(() => assertAccess(access));
    const stream = await exports.open(actorOf(req).workspaceId, parts);
    // The export of a large workspace takes a long time, and the key may be reset in the meantime.
    const watcher: Watcher = { ...access, onEnd: (reason) => stream.destroy(reason) };
    ctx.access.add(watcher);
    stream.once('close', () => ctx.access.remove(watcher));
    allowInactivity(req, reply, stallTimeoutMs);
    req.streamStartedMs = reply.elapsedTime;
    return reply.header('content-type', mediaType).header('content-disposition', `attachment; filename="${name}"`).send(stream);
  };
}

/** Generates nothing for a response to HEAD, which has no body. */
async function* generateNothing(): AsyncGenerator<string> {}

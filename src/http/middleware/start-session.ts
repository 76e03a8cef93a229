import type { FastifyReply, FastifyRequest } from 'fastify';
import { rememberDevice } from '../../domain/accounts/devices.ts';
import { type NewSession, openSession } from '../../domain/accounts/sessions.ts';
import type { RouteParts } from '../routes/route.ts';
import { clientOf } from './authentication.ts';

/** Signs the browser in and replaces its previous session. */
export async function startSession(
  { ctx, sessionCookie, deviceCookie }: Pick<RouteParts, 'ctx' | 'sessionCookie' | 'deviceCookie'>,
  { req, reply }: { req: FastifyRequest; reply: FastifyReply },
  session: Pick<NewSession, 'accountId' | 'verified' | 'provider'>,
): Promise<void> {
  const { accountId } = session;
  const token = await openSession(ctx, { ...session, client: clientOf(req), replacedToken: sessionCookie.read(req) });
  const device = await rememberDevice(ctx, { accountId, token: deviceCookie.read(req) });
  // The authentication middleware may have extended the cookie of the session that just ended.
  sessionCookie.replace(reply, token);
  deviceCookie.set(reply, device);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { rememberDevice } from '../../domain/accounts/devices.ts';
import { type NewSession, openSession } from '../../domain/accounts/sessions.ts';
import type { RouteParts } from '../routes/route.ts';
import { clientOf } from './authentication.ts';

type Parts = Pick<RouteParts, 'ctx' | 'sessionCookie' | 'deviceCookie'>;

interface Exchange {
  req: FastifyRequest;
  reply: FastifyReply;
}

/** Signs the browser in and replaces its previous session. */
export async function startSession(
  parts: Parts,
  exchange: Exchange,
  session: Pick<NewSession, 'accountId' | 'verified' | 'provider'>,
): Promise<void> {
  const { req } = exchange;
  const token = await openSession(parts.ctx, { ...session, client: clientOf(req), replacedToken: parts.sessionCookie.read(req) });
  await setSession(parts, exchange, { accountId: session.accountId, token });
}

/** Gives the browser a session that has started, and remembers the device. */
export async function setSession(
  { ctx, sessionCookie, deviceCookie }: Parts,
  { req, reply }: Exchange,
  { accountId, token }: { accountId: string; token: string },
): Promise<void> {
  const device = await rememberDevice(ctx, { accountId, token: deviceCookie.read(req) });
  // The authentication middleware may have extended the cookie of the session that just ended.
  sessionCookie.replace(reply, token);
  deviceCookie.set(reply, device);
}

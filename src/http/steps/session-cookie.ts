import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idleTimeoutMs } from '../../domain/accounts/sessions.ts';

/** The cookie that carries a session's token. */
export interface SessionCookie {
  read(req: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

export const sessionCookieName = 'promptharbor.session';

export function createSessionCookie(publicUrl: URL | undefined): SessionCookie {
  const secure = publicUrl?.protocol === 'https:';
  // The __Host- prefix binds the cookie to this host; browsers accept it only on Secure cookies.
  const name = secure ? `__Host-${sessionCookieName}` : sessionCookieName;

  function send(reply: FastifyReply, value: string, maxAge: number): void {
    reply.header('set-cookie', stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, secure, sameSite: 'lax' }));
  }

  return {
    read: ({ headers }) => (headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name] || undefined),
    set: (reply, token) => send(reply, token, idleTimeoutMs / 1000),
    clear: (reply) => send(reply, '', 0),
  };
}

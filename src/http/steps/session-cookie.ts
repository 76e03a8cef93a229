import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idleTimeoutMs } from '../../domain/accounts/sessions.ts';

/** A cookie that only the service reads. */
export interface Cookie {
  read(req: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string): void;
  /** Sets the cookie, and removes cookies that earlier steps of the request have set. */
  replace(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

export const sessionCookieName = 'promptharbor.session';

/** The cookie that carries a session's token. */
export function createSessionCookie(publicUrl: URL | undefined): Cookie {
  return createCookie({ baseName: sessionCookieName, lifetimeSeconds: idleTimeoutMs / 1000, publicUrl });
}

interface CookieOptions {
  baseName: string;
  lifetimeSeconds: number;
  publicUrl: URL | undefined;
}

export function createCookie({ baseName, lifetimeSeconds, publicUrl }: CookieOptions): Cookie {
  const secure = publicUrl?.protocol === 'https:';
  // The __Host- prefix binds the cookie to this host; browsers accept it only on Secure cookies.
  const name = secure ? `__Host-${baseName}` : baseName;

  function send(reply: FastifyReply, value: string, maxAge: number): void {
    reply.header('set-cookie', stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, secure, sameSite: 'lax' }));
  }

  return {
    read: ({ headers }) => (headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name] || undefined),
    set: (reply, value) => send(reply, value, lifetimeSeconds),
    replace(reply, value) {
      reply.removeHeader('set-cookie');
      send(reply, value, lifetimeSeconds);
    },
    clear: (reply) => send(reply, '', 0),
  };
}

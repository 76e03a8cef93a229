import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { challengeLifetimeMs } from '../../domain/accounts/webauthn.ts';
import { flowLifetimeMs } from '../../domain/oidc/flows.ts';

export type Cookie = ReturnType<typeof createCookie>;

export const sessionCookieName = 'promptharbor.session';

/** The cookie that contains a session's token. */
export function createSessionCookie(publicUrl: URL | undefined, idleMs: number): Cookie {
  return createCookie(publicUrl, sessionCookieName, idleMs / 1000);
}

/** The cookie with which the service recognizes a browser that has signed in before. This cookie grants no access. */
export function createDeviceCookie(publicUrl: URL | undefined): Cookie {
  return createCookie(publicUrl, 'promptharbor.device', 365 * 24 * 60 * 60);
}

/** The cookie to which the challenges for signing in with a passkey are bound. */
export function createChallengeCookie(publicUrl: URL | undefined): Cookie {
  return createCookie(publicUrl, 'promptharbor.challenge', challengeLifetimeMs / 1000);
}

/** The cookie that ties a sign-in at a provider to the browser that started it. */
export function createProviderCookie(publicUrl: URL | undefined): Cookie {
  return createCookie(publicUrl, 'promptharbor.oidc', flowLifetimeMs / 1000);
}

/** A cookie that only the service reads. */
function createCookie(publicUrl: URL | undefined, baseName: string, lifetimeSeconds: number) {
  const secure = publicUrl?.protocol === 'https:';
  // The __Host- prefix binds the cookie to this host; browsers accept it only on Secure cookies.
  const name = secure ? `__Host-${baseName}` : baseName;

  function send(reply: FastifyReply, value: string, maxAge: number): void {
    reply.header('set-cookie', stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, secure, sameSite: 'lax' }));
  }

  return {
    read: ({ headers }: FastifyRequest) => (headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name] || undefined),
    set: (reply: FastifyReply, value: string) => send(reply, value, lifetimeSeconds),
    /** Sets the cookie, and removes cookies that earlier middleware set on the response. */
    replace(reply: FastifyReply, value: string): void {
      reply.removeHeader('set-cookie');
      send(reply, value, lifetimeSeconds);
    },
    /** Removes the cookie, and keeps the other cookies of the response. */
    remove: (reply: FastifyReply) => send(reply, '', 0),
    /** Removes the cookie from the browser, even if the authentication middleware extended it for this request. */
    clear(reply: FastifyReply): void {
      reply.removeHeader('set-cookie');
      send(reply, '', 0);
    },
  };
}

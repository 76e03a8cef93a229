import { type Cookie, createCookie } from './session-cookie.ts';

/** The cookie by which a browser that has signed in is recognized at its next sign-in. It grants no access. */
export function createDeviceCookie(publicUrl: URL | undefined): Cookie {
  return createCookie({ baseName: 'promptharbor.device', lifetimeSeconds: 365 * 24 * 60 * 60, publicUrl });
}

import { setTimeout as delay } from 'node:timers/promises';
import { callFromPage, codeOf } from '../support/browser.ts';
import { type ApiResponse, call, cookieOf, type RequestOptions, type TestAccount } from '../support/client.ts';
import type { Random } from '../support/random.ts';

/** Everything that the squatter has obtained. */
export interface Loot {
  keys: Set<string>;
  cookies: Set<string>;
}

export const deedNames = [
  'signIn',
  'resetByKey',
  'resetBySession',
  'showKey',
  'changePassword',
  'enableTwoFactor',
  'invite',
  'addProgram',
  'addWebhook',
] as const;
export type Deed = (typeof deedNames)[number];

/** The squatter has a separate IP address, so that wrong passwords do not delay the owner. */
export const squatterAddress = '203.0.113.66';

/**
 * Starts a stranger who has registered someone's address and tries everything to keep access, on all instances at once, until `stop`. The
 * requests fail once the owner has verified the address. Everything that the requests returned before is recorded.
 */
export function startSquatter(
  instances: { url: string }[],
  account: TestAccount,
  { random, without }: { random: Random; without: readonly Deed[] },
) {
  const loot: Loot = { keys: new Set([account.token]), cookies: new Set() };
  let isStopped = false;
  let key = account.token;
  let cookie = '';
  let names = 0;
  /** The number of successful requests of each kind. */
  const successes = new Map<Deed, number>();

  const options = (given: RequestOptions): RequestOptions => ({
    ...given,
    retries: 0,
    headers: { ...given.headers, 'x-forwarded-for': squatterAddress },
  });
  const pick = () => random.pick(instances);
  const byKey = (method: string, path: string, body?: unknown) =>
    call(pick(), method, path, options({ key, ...(body !== undefined && { body }) }));
  const byPage = (method: string, path: string, body?: unknown) => {
    const instance = pick();
    return callFromPage(instance, method, path, options({ cookie, ...(body !== undefined && { body }) }));
  };
  const keep = (found: string | undefined) => void (found && loot.keys.add(found));
  const tokenIn = (response: ApiResponse) => (response.body as { token?: string } | undefined)?.token;

  const deeds: Record<Deed, () => Promise<ApiResponse>> = {
    async signIn() {
      // The request has no cookie, because a sign-in ends the browser's session, which other requests are using.
      const body = { email: account.email, password: account.password };
      const response = await callFromPage(pick(), 'POST', '/api/session/sign-in/email', options({ body }));
      if (response.status === 200) {
        cookie = cookieOf(response);
        loot.cookies.add(cookie);
      }
      return response;
    },
    async resetByKey() {
      const response = await byKey('DELETE', '/api/auth/token');
      keep(tokenIn(response));
      key = tokenIn(response) ?? key;
      return response;
    },
    async resetBySession() {
      const response = await byPage('DELETE', '/api/auth/token');
      keep(tokenIn(response));
      key = tokenIn(response) ?? key;
      return response;
    },
    async showKey() {
      const response = await byPage('GET', '/api/auth/token');
      keep(tokenIn(response));
      return response;
    },
    async changePassword() {
      const { password } = account;
      const response = await byPage('POST', '/api/session/change-password', { currentPassword: password, newPassword: password });
      const next = cookieOf(response);
      if (response.status === 200 && next) {
        cookie = next;
        loot.cookies.add(next);
      }
      return response;
    },
    async enableTwoFactor() {
      const started = await byPage('POST', '/api/account/two-factor', { password: account.password });
      const { secret } = started.body as { secret?: string };
      return secret === undefined ? started : byPage('POST', '/api/account/two-factor/confirm', { code: codeOf(secret) });
    },
    async invite() {
      names += 1;
      return byKey('POST', '/api/members/invitations', { email: `accomplice${names}@example.com`, role: 'admin' });
    },
    async addProgram() {
      names += 1;
      const respond = random.below(2) === 0 ? byKey : byPage;
      const response = await respond('POST', '/api/members/service-accounts', { name: `Program ${names}`, role: 'admin' });
      keep(tokenIn(response));
      return response;
    },
    async addWebhook() {
      return byKey('POST', '/api/webhooks', { url: 'https://example.com/hooks', events: 'all' });
    },
  };

  async function repeat(name: Deed, deed: () => Promise<ApiResponse>): Promise<void> {
    while (!isStopped) {
      const { status } = await deed();
      if (status < 300) successes.set(name, (successes.get(name) ?? 0) + 1);
      await delay(random.below(20));
    }
  }

  const running = deedNames.filter((name) => !without.includes(name)).map((name) => repeat(name, deeds[name]));
  return {
    loot,
    successes,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type ApiResponse, call, cookieOf, type RequestOptions, signIn, type TestAccount } from './client.ts';

/** Sends a request as the dashboard does, with the service's origin and the session's cookie. */
export function callFromPage(service: { url: string }, method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
  return call(service, method, path, { ...options, headers: { origin: service.url, ...options.headers } });
}

let accounts = 0;

/**
 * Creates and signs in an account as a person would. Signing up hashes the password once, but registering and then signing in hashes it
 * twice.
 */
export async function signUp(service: { url: string }, given: { password?: string } = {}): Promise<TestAccount & { cookie: string }> {
  accounts += 1;
  const email = `person${accounts}-${process.pid}@example.com`;
  const password = given.password ?? 'a long enough password';
  const response = await callFromPage(service, 'POST', '/api/session/sign-up/email', { body: { email, password } });
  assert.equal(response.status, 201, response.text);
  const cookie = cookieOf(response);
  const { body } = await call(service, 'GET', '/api/auth/token', { cookie });
  const { token, userId } = body as { token: string; userId: string };
  return { email, password, token, userId, cookie };
}

/** Returns whether a session is still valid. */
export async function isSignedIn(service: { url: string }, cookie: string): Promise<boolean> {
  const { status } = await call(service, 'GET', '/api/session', { cookie });
  return status === 200;
}

/** Returns the code that an authenticator app shows now, or the given number of 30-second steps away. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Returns six digits that are not the code of any time step close to now. */
export function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code));
  assert.ok(wrong);
  return wrong;
}

/** Stops the clock of the test and the service, so that a code's time step cannot end between two lines of a test. */
export function stopClock(): void {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
}

export function advanceClock(seconds: number): void {
  mock.timers.tick(seconds * 1000);
}

export interface TwoFactorAccount extends TestAccount {
  cookie: string;
  secret: string;
  recoveryCodes: string[];
}

/** Enables two-factor authentication for a new or given account, and advances the stopped clock to the next code. */
export async function enableTwoFactor(service: { url: string }, given?: TestAccount): Promise<TwoFactorAccount> {
  const account = given ? { ...given, cookie: await signIn(service, given) } : await signUp(service);
  const { cookie, password } = account;
  const started = await callFromPage(service, 'POST', '/api/account/two-factor', { cookie, body: { password } });
  assert.equal(started.status, 200, started.text);
  const { secret } = started.body as { secret: string };
  const confirmed = await callFromPage(service, 'POST', '/api/account/two-factor/confirm', { cookie, body: { code: codeOf(secret) } });
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal(confirmed.headers.get('cache-control'), 'no-store');
  advanceClock(30);
  return { ...account, secret, recoveryCodes: (confirmed.body as { recoveryCodes: string[] }).recoveryCodes };
}

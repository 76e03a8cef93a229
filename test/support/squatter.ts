import assert from 'node:assert/strict';
import { callFromPage, codeOf } from './browser.ts';
import { call, register, signIn, type TestAccount } from './client.ts';

/** A stranger who has registered someone's address, with everything that could keep the stranger's access. */
export interface Squatter {
  account: TestAccount;
  /** The keys of the account and of its service account. */
  keys: string[];
  cookies: string[];
  /** The key of a member of the account's workspace. */
  memberKey: string;
  /** The token of an open invitation to the account's workspace. */
  invitation: string;
}

export async function squat(service: { url: string }, { twoFactor = true } = {}): Promise<Squatter> {
  const account = await register(service);
  const accomplice = await register(service);
  const key = account.token;
  const post = async (path: string, body: unknown) => {
    const response = await call(service, 'POST', path, { key, body });
    assert.equal(response.status, 201, response.text);
    return response.body as Record<string, string>;
  };
  await post('/api/prompts', { name: 'greeting', template: 'Hello' });
  const serviceAccount = await post('/api/members/service-accounts', { name: 'A program', role: 'admin' });
  await post('/api/webhooks', { url: 'https://example.com/hooks', events: 'all' });

  const invited = await post('/api/members/invitations', { email: accomplice.email, role: 'admin' });
  const accepting = await signIn(service, accomplice);
  const path = `/api/invitations/${invited.url?.split('/').at(-1)}/accept`;
  const accepted = await callFromPage(service, 'POST', path, { cookie: accepting });
  assert.equal(accepted.status, 200, accepted.text);
  const login = await call(service, 'POST', '/api/auth/token', { body: { email: accomplice.email, password: accomplice.password } });
  const { token: memberKey } = login.body as { token: string };
  const open = await post('/api/members/invitations', { email: `open-${account.email}`, role: 'admin' });

  const cookies = [await signIn(service, account)];
  if (twoFactor) cookies.push(await enableTwoFactor(service, account));
  return {
    account,
    keys: [key, serviceAccount.token ?? ''],
    cookies,
    memberKey,
    invitation: open.url?.split('/').at(-1) ?? '',
  };
}

async function enableTwoFactor(service: { url: string }, account: TestAccount): Promise<string> {
  const cookie = await signIn(service, account);
  const body = { password: account.password };
  const started = await callFromPage(service, 'POST', '/api/account/two-factor', { cookie, body });
  const { secret } = started.body as { secret: string };
  const confirmed = await callFromPage(service, 'POST', '/api/account/two-factor/confirm', { cookie, body: { code: codeOf(secret) } });
  assert.equal(confirmed.status, 200, confirmed.text);
  return cookie;
}

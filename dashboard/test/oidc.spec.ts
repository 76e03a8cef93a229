import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import Provider from 'oidc-provider';
import { expectAccessible } from './support/accessibility.ts';
import { test as base, expect } from './support/fixtures.ts';
import { type Service, startService } from './support/service.ts';

/** Tests whose pages may also open the pages of the provider, which are on another host. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  watch: async ({}, use) => use(undefined),
});
// Both tests use the service and the provider of the first one.
test.describe.configure({ mode: 'default' });

const clientId = 'promptharbor';
const clientSecret = 'the secret of the client';
let server: Server;
let service: Service;

test.beforeAll(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example ID' };
  service = await startService({ env: { ...env, OUTBOUND_ALLOW: '127.0.0.1' } });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${service.url}/api/session/oidc/callback`],
        post_logout_redirect_uris: [`${service.url}/login`],
        backchannel_logout_uri: `${service.url}/api/session/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    // Any name can sign in. The library's own login form stands in for the pages of a provider.
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@corp.example`, email_verified: true, name: id }),
    }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    cookies: { keys: ['a key for the cookies of a test'] },
  });
  server.on('request', provider.callback());
});

test.afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

/** Signs in on the pages of the provider. */
async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any password');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a person without an account signs in at the provider, sets a password and signs out everywhere', async ({ page, browser }) => {
  await page.goto(`${service.url}/login?next=/dashboard/settings/security`);
  await expect(page.getByRole('link', { name: 'Continue with Example ID' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await signInAtProvider(page, 'grace');
  await expect(page).toHaveURL(`${service.url}/dashboard/settings/security`);
  await expect(page.getByText('grace@corp.example').first()).toBeVisible();
  await expect(page.getByText('Your account has no password')).toBeVisible();
  await expectAccessible(page);

  // Without a password, the provider is the only way to sign in.
  await page.getByRole('button', { name: 'Unlink Example ID' }).click();
  await expect(page.getByText('This is the only way to sign in to your account')).toBeVisible();
  await page.getByLabel('New password').fill('a long enough password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible();

  await page.goto(`${service.url}/dashboard/settings/api-keys`);
  await expect(page.getByText('ph_').first()).toBeVisible();

  // The same person uses another browser, which has its own session at the provider.
  const other = await browser.newPage();
  await other.goto(`${service.url}/signup`);
  await other.getByRole('link', { name: 'Sign up with Example ID' }).click();
  await signInAtProvider(other, 'grace');
  await expect(other.getByRole('button', { name: /Account menu/ })).toBeVisible();
  await other.getByRole('button', { name: /Account menu/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByRole('button', { name: /Yes/ }).click();
  await expect(other).toHaveURL(`${service.url}/login`);
  // The session at the provider has ended too, so the provider asks who signs in.
  await other.getByRole('link', { name: 'Continue with Example ID' }).click();
  await expect(other.getByPlaceholder('Enter any login')).toBeVisible();
  await other.close();
});

test('an existing account links the provider in Settings; until then, the sign-in page explains the problem', async ({ page, context }) => {
  const account = { email: 'ada@corp.example', password: 'a long enough password' };
  const registered = await context.request.post(`${service.url}/api/auth/register`, { data: account });
  expect(registered.status()).toBe(201);
  await page.goto(`${service.url}/login`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await signInAtProvider(page, 'ada');
  await expect(page.getByRole('alert')).toContainText('An account with this email address already exists');

  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: /Account menu/ })).toBeVisible();
  await page.goto(`${service.url}/dashboard/settings/security`);
  await page.getByRole('button', { name: 'Link Example ID' }).click();
  // The provider asks again unless the person signed in there within the same second.
  const form = page.getByPlaceholder('Enter any login');
  const unlink = page.getByRole('button', { name: 'Unlink Example ID' });
  await expect(form.or(unlink)).toBeVisible();
  if (await form.isVisible()) {
    await form.fill('ada');
    await page.getByPlaceholder('and password').fill('any password');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }
  await unlink.click();
  await expect(page.getByRole('button', { name: 'Link Example ID', exact: true })).toBeVisible();
});

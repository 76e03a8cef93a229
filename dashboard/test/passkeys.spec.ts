import { createHash, randomBytes } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';
import { test as atAddress, expect } from './support/fixtures.ts';
import type { Service } from './support/service.ts';

/** The tests use the service at a host name, because passkeys do not work at an IP address. */
const test = atAddress.extend({
  service: async ({ sharedService }, use) => use({ ...sharedService, url: sharedService.url.replace('127.0.0.1', 'localhost') }),
});

test.use({ allows4xx: true });

const password = 'a long enough password';
let people = 0;

/** Signs up a person and opens Settings › Security. */
async function signUp(page: Page): Promise<string> {
  people += 1;
  const email = `passkey${people}-${process.pid}@example.com`;
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
  await page.goto('/dashboard/settings/security');
  return email;
}

/** Attaches a device that stores passkeys and verifies its user. It answers requests only while its user is present. */
async function attachDevice(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  return {
    setPresent: (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    lose: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}

/** Adds a passkey and returns the recovery codes. */
async function addPasskey(page: Page, device: Awaited<ReturnType<typeof attachDevice>>, name: string): Promise<string[]> {
  await device.setPresent(true);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(codes).toBeVisible();
  const texts = await codes.getByRole('listitem').allTextContents();
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await device.setPresent(false);
  return texts;
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/login');
}

const statistics = (page: Page) => page.getByRole('heading', { name: 'Statistics', exact: true });

test('a passkey signs in without a password, from the button and from the email field', async ({ page }) => {
  await signUp(page);
  const device = await attachDevice(page);
  const codes = await addPasskey(page, device, 'Laptop');
  expect(codes).toHaveLength(10);

  // A present device also answers the request that the page makes for the email field, so this browser does not support that request.
  await page.addInitScript(() => {
    if (location.search === '?button') PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await device.setPresent(true);
  await page.context().clearCookies();
  await page.goto('/login?button');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(statistics(page)).toBeVisible();

  await signOut(page);
  await expect(statistics(page)).toBeVisible();
  await device.setPresent(false);
  await signOut(page);
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
});

test('a lost passkey is replaced with a recovery code, and removed', async ({ page }) => {
  const email = await signUp(page);
  const device = await attachDevice(page);
  const [code = ''] = await addPasskey(page, device, 'Old phone');
  await device.lose();

  await signOut(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription('Sign in with a passkey, or enter a recovery code');
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(statistics(page)).toBeVisible();

  await page.goto('/dashboard/settings/security');
  await page.getByRole('button', { name: 'Rename Old phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename the passkey' });
  await dialog.getByLabel('Name').fill('Lost phone');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'Remove Lost phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove Lost phone' })).toHaveCount(0);
  const next = await attachDevice(page);
  expect(await addPasskey(page, next, 'New phone')).toHaveLength(10);
});

test('a change long after the sign-in must be confirmed with a passkey', async ({ page }) => {
  await signUp(page);
  const device = await attachDevice(page);
  await addPasskey(page, device, 'Laptop');
  let isFresh = false;
  // Stands in for the ten minutes after a sign-in, until the identity is confirmed.
  await page.route('**/api/account/passkeys/*', async (route) => {
    if (isFresh) return route.fallback();
    const json = { error: 'Confirm your identity first.', code: 'fresh_sign_in_required' };
    return route.fulfill({ status: 403, json });
  });
  await page.route('**/api/session/confirm', async (route) => {
    isFresh = true;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await device.setPresent(true);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
});

atAddress('at an IP address, the page says where passkeys work', async ({ signedIn: page, service }) => {
  await page.goto('/dashboard/settings/security');
  await expect(page.getByText(`Open ${service.url.replace('127.0.0.1', 'localhost')} instead`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeDisabled();
});

/** Starts a sign-in of the command line. Returns the code, and a function that claims the key and returns the status. */
async function startCliSignIn(service: Service) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const post = (path: string, body: object) =>
    fetch(service.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const started = await post('/api/auth/cli', { challenge, computer: 'ada-laptop' });
  const { userCode } = (await started.json()) as { userCode: string };
  return { userCode, claim: async () => (await post('/api/auth/cli/token', { verifier })).status };
}

test('a command-line sign-in is approved with the code from the terminal, after signing in', async ({ page, service }) => {
  const email = await signUp(page);
  const { userCode, claim } = await startCliSignIn(service);
  await signOut(page);
  await page.goto('/cli');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill('bbbb bbbb');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText('No pending sign-in has this code');
  await page.getByRole('link', { name: 'Enter a code' }).click();
  await page.getByLabel('Code').fill(userCode.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(userCode)).toBeVisible();
  await expect(page.getByText('ada-laptop')).toBeVisible();
  expect(await claim()).toBe(409);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('The command line is signed in')).toBeVisible();
  expect(await claim()).toBe(200);
});

test('a link with the code of a command-line sign-in on another computer still asks for the code; the sign-in is denied', async ({
  page,
  service,
}) => {
  await signUp(page);
  const { userCode, claim } = await startCliSignIn(service);
  await page.goto(`/cli?code=${userCode}`);
  await expect(page.getByText('Never enter a code that someone sent you')).toBeVisible();
  await expect(page.getByText(userCode)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Approve' })).toBeHidden();
  await page.getByLabel('Code').fill(userCode);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('The sign-in was denied')).toBeVisible();
  expect(await claim()).toBe(403);
});

import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startMailServer } from '../../test/support/mail-server.ts';
import { type Account, expect, readClipboard, test } from './support/fixtures.ts';
import { type Service, startService } from './support/service.ts';

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the log, which arrives through a pipe, contains this many links of the account, and returns them. */
async function loggedLinks(service: Service, { userId }: Account, path: string, count: number): Promise<string[]> {
  const pattern = new RegExp(`/${path}\\?token=[\\w-]{43}`, 'g');
  const lines = () => service.output().split('\n');
  const find = () =>
    lines()
      .filter((line) => line.includes(userId))
      .flatMap((line) => line.match(pattern) ?? []);
  await expect.poll(() => find().length).toBe(count);
  return find();
}

test.describe('forgotten password', () => {
  test.use({ allows4xx: true });

  test('the reset link, here from the log, sets a new password once', async ({ page, account, service }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The sign-in page, which also has an email field, stays until the next page is loaded.
    await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible();
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Enter your email address.');
    await page.getByLabel('Email').fill(account.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const [link = ''] = await loggedLinks(service, account, 'reset', 1);
    await page.goto(link);
    await page.getByLabel('New password').fill('another good password');
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await signIn(page, { ...account, password: 'another good password' });
    await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();

    await page.goto(link);
    await page.getByLabel('New password').fill('a third good password');
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(page.getByRole('alert')).toContainText('has expired or has already been used');
  });
});

test.describe('the email address', () => {
  test.use({ allows4xx: true });

  test('is verified by a link, here from the log, which only works for whoever is signed in', async ({ page, account, service }) => {
    await page.goto('/verify?token=x');
    await expect(page.getByRole('link', { name: 'Reset password' })).toBeVisible();
    await signIn(page, account);
    await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
    await page.goto('/dashboard/settings');
    await expect(page.getByRole('heading', { name: 'Your email address is not verified' })).toBeVisible();
    await page.getByRole('button', { name: 'Send verification email' }).click();
    const [link = ''] = await loggedLinks(service, account, 'verify', 1);
    await page.goto(link);
    await expect(page.getByText('your API key is replaced')).toBeVisible();
    await page.getByRole('button', { name: 'Verify email address' }).click();
    await expect(page.getByText('Email address verified. Your API key was replaced')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(account.email);
    await expect(page.getByRole('heading', { name: 'Your email address is not verified' })).toHaveCount(0);
    await page.goto(link);
    await expect(page.getByText('is already verified')).toBeVisible();
    await page.goto('/verify');
    await expect(page.getByText('This link is incomplete')).toBeVisible();
  });
});

test.describe('a new email address', () => {
  test.use({ allows4xx: true });

  test('is requested, canceled, requested again, and confirmed by a link, here from the log', async ({
    signedIn: page,
    account,
    service,
  }) => {
    const email = `new-${account.email}`;
    const dialog = page.getByRole('dialog');
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Change email…' }).click();
    await expect(dialog).toContainText('This server does not send email');
    await dialog.getByLabel('New email').fill('no address');
    await dialog.getByLabel('Your password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Not an email address');
    await dialog.getByLabel('New email').fill(email);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(page.getByText(`Waiting for confirmation of ${email}`)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel change' }).click();
    await expect(page.getByText('Waiting for confirmation')).toHaveCount(0);
    await page.getByRole('button', { name: 'Change email…' }).click();
    await dialog.getByLabel('New email').fill(email);
    await dialog.getByLabel('Your password', { exact: true }).fill(account.password);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(page.getByText(`Waiting for confirmation of ${email}`)).toBeVisible();

    const [canceled = '', current = ''] = await loggedLinks(service, account, 'confirm-email', 2);
    await page.goto(canceled);
    await page.getByRole('button', { name: 'Change email address' }).click();
    await expect(page.getByRole('alert')).toContainText('no longer valid');
    await page.goto(current);
    await expect(page.getByText(`You will sign in with ${email}`)).toBeVisible();
    await page.getByRole('button', { name: 'Change email address' }).click();
    await expect(page.getByText(`Your email address is now ${email}`)).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(email);
  });
});

test('new users are reminded to open the link in the email until they have done so', async ({ browser }) => {
  const mailServer = await startMailServer();
  const service = await startService({ env: { SMTP_URL: mailServer.url } });
  const context = await browser.newContext({ baseURL: service.url });
  const page = await context.newPage();
  await page.goto('/signup');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  const banner = page.getByText('open the link that we sent to grace@example.com');
  await expect(banner).toBeVisible();
  await expect.poll(() => mailServer.mails.length).toBe(1);
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('Verification link sent to grace@example.com')).toBeVisible();
  await expect.poll(() => mailServer.mails.length).toBe(2);
  const source = mailServer.mails.at(-1)?.source.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
  await page.goto(/\/verify\?token=[\w-]{43}/.exec(source)?.[0] ?? '');
  await page.getByRole('button', { name: 'Verify email address' }).click();
  await expect(page.getByText('Email address verified')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await context.close();
  await service.stop();
  await mailServer.close();
});

test.describe('two-factor authentication', () => {
  test.use({ allows4xx: true });

  test('is turned on, required at sign-in, and turned off', async ({ signedIn: page, account }) => {
    await page.goto('/dashboard/settings');
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByRole('button', { name: 'Set up' }).click();
    const setup = page.getByRole('dialog', { name: 'Set up two-factor authentication' });
    await setup.getByLabel('Your password').fill(account.password);
    await setup.getByRole('button', { name: 'Continue' }).click();
    await expect(setup.getByRole('img', { name: 'QR code with the secret' })).toBeVisible();
    const secret = (await setup.locator('code').textContent()) ?? '';
    await setup.getByRole('textbox', { name: 'Code' }).fill(totp(secret));
    await setup.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
    await expect(codes.getByRole('listitem')).toHaveCount(10);
    const [first = '', second = ''] = await codes.getByRole('listitem').allTextContents();
    // The codes are shown only once, so only the button closes the dialog.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(codes.getByRole('button', { name: 'Close' })).toHaveCount(0);
    await page.goBack();
    await expect(codes.getByRole('listitem')).toHaveText([first, second, ...Array(8).fill(/./)]);
    await expect(page).toHaveURL(/settings\/security$/);
    // The browser asks for confirmation before it reloads.
    const asked = page.waitForEvent('dialog');
    void page.reload().catch(() => undefined);
    await (await asked).dismiss();
    await expect(codes.getByRole('listitem').first()).toHaveText(first);
    await codes.getByRole('button', { name: 'Copy recovery codes' }).click();
    await expect.poll(() => readClipboard(page)).toContain(`${first}\n${second}\n`);
    const download = page.waitForEvent('download');
    await codes.getByRole('button', { name: 'Download recovery codes' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`${first}\n${second}\n`);
    await codes.getByRole('button', { name: 'I have saved them' }).click();
    await expect(page.getByText('On', { exact: true })).toBeVisible();

    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(page, account);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/wrong/);
    await page.getByLabel('Code').fill(first);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();

    await page.goto('/dashboard/settings/security');
    await page.getByRole('button', { name: 'Turn off' }).click();
    const off = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' });
    await off.getByLabel('Your password').fill(account.password);
    await off.getByLabel('Code').fill(second);
    await off.getByRole('button', { name: 'Turn off' }).click();
    await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  });
});

test.describe('sessions and the account', () => {
  test.use({ allows4xx: true });

  test('other sessions are listed and signed out', async ({ signedIn: page, account, browser, service }) => {
    const elsewhere = await browser.newContext({ baseURL: service.url });
    const other = await elsewhere.newPage();
    await signIn(other, account);
    await expect(other.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
    await page.goto('/dashboard/settings/security');
    await expect(page.getByText(/signed in .* · last used this hour$/)).toHaveCount(1);
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    await expect(page.getByText('All other sessions were signed out.')).toBeVisible();
    expect((await other.request.get('/api/session')).status()).toBe(401);
    expect((await page.request.get('/api/session')).status()).toBe(200);
    await elsewhere.close();
  });

  test('the password is changed; a wrong current password is an error at its field', async ({ signedIn: page, account }) => {
    await page.goto('/dashboard/settings/security');
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('another good password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByLabel('Current password')).toHaveAccessibleDescription('Incorrect password');
    await page.getByLabel('Current password').fill(account.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Password changed.')).toBeVisible();
    expect((await page.request.get('/api/session')).status()).toBe(200);
  });

  test('the name is changed, and deleting the account revokes the key', async ({ signedIn: page, account, request }) => {
    await page.goto('/dashboard/settings');
    await page.getByLabel('Name').fill('Ada King');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: /Account menu for Ada King/ })).toBeVisible();

    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expect(dialog).toContainText('all prompts with their versions');
    await dialog.getByLabel('Your password').fill('wrong password');
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription('Incorrect password');
    await dialog.getByLabel('Your password').fill(account.password);
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(page).toHaveURL(/\/signup$/);
    const response = await request.get('/api/auth/token', { headers: { authorization: `Bearer ${account.token}` } });
    expect(response.status()).toBe(401);
  });
});

/** Returns the current code for a secret, as RFC 6238 defines it with the default settings. */
function totp(secret: string): string {
  const bits = [...secret.replaceAll(/[\s=]/g, '').toUpperCase()]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

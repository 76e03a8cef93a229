import { emptyClipboard, expect, readClipboard, test } from './support/fixtures.ts';

test.describe('from sign-up to a working call', () => {
  test('ASVS 14.3.3: a new user finds and copies the key, which works and which no browser stores', async ({ page, service, request }) => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill(`grace-${process.pid}-${Date.now()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('a ship in port is safe');
    await expect(page.getByText('Very strong.')).toBeVisible();
    await page.getByRole('button', { name: 'Create account' }).click();

    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard\/settings$/);
    await page.getByRole('tab', { name: 'API Keys' }).click();
    await expect(page).toHaveURL(/\/dashboard\/settings\/api-keys$/);
    await expect(page.getByTestId('api-key')).not.toContainText(/[0-9a-f]{8}/);

    await emptyClipboard(page);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByText('Copied', { exact: true }).first()).toBeVisible();
    await expect.poll(() => readClipboard(page)).toMatch(/^ph_[0-9a-f]{64}$/);
    const key = await readClipboard(page);
    const response = await request.get(`${service.url}/api/auth/token`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status()).toBe(200);
    expect(await response.json()).toMatchObject({ token: key, name: 'Grace Hopper' });

    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page.getByTestId('api-key')).toHaveText(key);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    expect(stored).not.toMatch(/ph_[0-9a-f]{64}/);
    await page.getByRole('button', { name: 'Hide' }).click();
    await expect(page.getByTestId('api-key')).not.toContainText(key);
  });

  test('the copied first-steps command works unchanged', async ({ signedIn: page, service }) => {
    // The prompt is created with the session, because a call with the key would hide the first steps.
    const data = { name: 'welcome', template: 'Welcome, {{ name }}.' };
    expect((await page.request.post('/api/prompts', { data, headers: { origin: service.url } })).status()).toBe(201);
    await page.goto('/dashboard');
    await emptyClipboard(page);
    await page.getByRole('button', { name: 'Copy with key: command' }).click();
    await expect(page.getByText('Copied', { exact: true }).first()).toBeVisible();
    await expect.poll(() => readClipboard(page)).toContain('curl');
    const command = await readClipboard(page);
    const [, url, key] = /^curl (\S+) \\\n {2}-H "Authorization: Bearer (ph_[0-9a-f]{64})"$/.exec(command) ?? [];
    expect(url).toBe(`${service.url}/api/prompts/welcome`);
    const response = await fetch(url ?? '', { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
  });
});

test.describe('resetting the key', () => {
  test('asks for confirmation, shows the new key, and the old one stops working', async ({ signedIn: page, account, request }) => {
    const verify = async (key: string) => (await request.get('/api/auth/token', { headers: { authorization: `Bearer ${key}` } })).status();
    await page.goto('/dashboard/settings/api-keys');
    await page.getByRole('button', { name: 'Reset' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Reset the API key?' });
    await expect(dialog).toContainText('401 Unauthorized');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await verify(account.token)).toBe(200);

    await page.getByRole('button', { name: 'Reset' }).click();
    await dialog.getByRole('button', { name: 'Reset key' }).click();
    await expect(page.getByText('This is your new key.')).toBeVisible();
    const shown = page.getByTestId('api-key');
    await expect(shown).toHaveText(/^ph_[0-9a-f]{64}$/);
    const next = (await shown.textContent()) ?? '';
    expect(next).not.toBe(account.token);
    expect(await verify(account.token)).toBe(401);
    expect(await verify(next)).toBe(200);
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => readClipboard(page)).toBe(next);
  });
});

test.describe('signing in', () => {
  test.use({ allows4xx: true });

  test('errors are shown at their fields', async ({ page, account }) => {
    await page.goto('/signup');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Enter your email address.');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/Enter a password/);
    await page.getByLabel('Email').fill('not an address');
    await page.getByLabel('Password', { exact: true }).fill('a ship in port is safe');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Not an email address/);

    await page.getByLabel('Email').fill(account.email);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/already exists/);

    await page.getByLabel('Email').fill(`new-${account.email}`);
    await page.getByLabel('Password', { exact: true }).fill('short');
    await expect(page.getByText('3 more characters needed.')).toBeVisible();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/at least 8 characters/);

    await page.goto('/login');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  });

  test('returns to the requested page, and never to another site', async ({ page, account, service }) => {
    const signIn = async () => {
      await page.getByLabel('Email').fill(account.email);
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await page.goto('/dashboard/settings/security');
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn();
    await expect(page).toHaveURL(`${service.url}/dashboard/settings/security`);

    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
    await page.goto('/login?next=//evil.example/dashboard');
    await signIn();
    await expect(page).toHaveURL(`${service.url}/dashboard`);
  });

  test('signing out ends the session on the server and in other tabs', async ({ signedIn: page, context }) => {
    const other = await context.newPage();
    await other.goto('/dashboard/prompts');
    await expect(other.getByRole('heading', { name: 'Prompts', exact: true })).toBeVisible();
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
    await expect(other.getByRole('dialog', { name: 'You were signed out' })).toBeVisible();
    expect((await other.request.get('/api/session')).status()).toBe(401);
  });
});

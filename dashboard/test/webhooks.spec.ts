import type { Page } from '@playwright/test';
import { type Receiver, startReceiver, verifySignature } from '../../test/support/webhook-receiver.ts';
import { expectAccessible } from './support/accessibility.ts';
import { test as base, expect, expectNoSidewaysScroll, readClipboard } from './support/fixtures.ts';

/** Starts a receiver whose response status the test sets. */
const test = base.extend<{ receiver: Receiver & { status: number } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  receiver: async ({}, use) => {
    const receiver = Object.assign(
      await startReceiver((_delivery, res) => void res.writeHead(receiver.status).end(receiver.status === 200 ? 'thank you' : 'not now')),
      { status: 200 },
    );
    await use(receiver);
    await receiver.close();
  },
});
test.use({ allows4xx: true });

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a webhook: refused, created, tested, followed live, rotated, edited and deleted', async ({ signedIn: page, api, receiver }) => {
  test.setTimeout(600_000);
  await page.goto('/dashboard/settings/webhooks');
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('http://10.0.0.7/hooks');
  await dialog.getByRole('radio', { name: 'Only these' }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toContainText('Choose at least one event');
  await dialog.getByRole('checkbox', { name: /version\.created/ }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toContainText('set OUTBOUND_ALLOW=10.0.0.7');
  await expectAccessible(page);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Description', { exact: true }).fill('Reload the checkout');
  await dialog.getByRole('button', { name: 'Create' }).click();

  const secret = (await dialog.getByTestId('webhook-secret').textContent()) ?? '';
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Copy secret' }).click();
  await expect.poll(() => readClipboard(page)).toBe(secret);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByRole('heading', { name: receiver.url })).toBeVisible();
  await expect(page.getByText('Reload the checkout')).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await test.step('a test shows what the receiver responded', async () => {
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(dialog).toContainText('The test was delivered');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Send test' })).toBeFocused();
    await expect(page.getByRole('button', { name: /^test.*200.*delivered/ })).toBeVisible();
  });

  await test.step('deliveries appear by themselves, and can be replayed', async () => {
    await api.createPrompt('greeting');
    await api.saveVersion('greeting', { template: 'Good day' });
    const row = page.getByRole('button', { name: /^version\.created greeting.*delivered/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Response' })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'body' })).toContainText('"version": 2');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Replay' }).click();
    await expect(row).toContainText('2 attempts');
    const ids = receiver.accepted.filter(({ body }) => body.type === 'version.created').map(({ id }) => id);
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(1);
    for (const delivery of receiver.accepted) verifySignature(secret, delivery);
  });

  await test.step('after a rotation, both secrets sign', async () => {
    await choose(page, 'Rotate secret');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    const rotated = (await dialog.getByTestId('webhook-secret').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await expect(page.getByText('also signed with the old secret until')).toBeVisible();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(dialog).toContainText('The test was delivered');
    await page.keyboard.press('Escape');
    const last = receiver.accepted.at(-1);
    expect(last && [secret, rotated].map((each) => verifySignature(each, last))).toHaveLength(2);
    expect(rotated).not.toBe(secret);
  });

  await choose(page, 'Edit');
  await dialog.getByLabel('Description', { exact: true }).fill('Reload the shop');
  await dialog.getByRole('radio', { name: /^All/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Reload the shop')).toBeVisible();
  await expect(page.getByText('All events')).toBeVisible();
  await choose(page, 'Disable');
  await expect(page.getByText('Events that occur while it is disabled are never sent')).toBeVisible();
  await page.getByRole('link', { name: 'All webhooks' }).click();
  await expect(page.getByRole('link', { name: /disabled/ })).toContainText('Reload the shop');
  await page.getByRole('link', { name: /disabled/ }).click();
  await choose(page, 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
});

test('failures: a banner on every page leads to the reason, and back', async ({ signedIn: page, api, receiver, playwright, service }) => {
  test.setTimeout(600_000);
  const created = await api.request.post('/api/webhooks', { data: { url: `${receiver.url}/${'long-'.repeat(100)}` } });
  expect(created.status()).toBe(201);
  receiver.status = 410;
  await api.createPrompt('greeting');
  const { id } = (await created.json()) as { id: string };
  const isEnabled = async () => ((await (await api.request.get(`/api/webhooks/${id}`)).json()) as { enabled: boolean }).enabled;
  await expect.poll(isEnabled).toBe(false);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard/prompts');
  await expect(page.getByText(/was disabled\. Events are no longer sent/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Review' }).click();
  await expect(page.getByText('responded with 410 Gone')).toBeVisible();
  await expect(page.getByRole('button', { name: /^prompt\.created greeting.*failed/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  receiver.status = 200;
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByRole('button', { name: /^prompt\.created greeting/ }).click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByRole('button', { name: /^prompt\.created greeting.*delivered/ })).toBeVisible();
  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('link', { name: /greeting/ })).toBeVisible();
  await expect(page.getByText(/was disabled\. Events are no longer sent/)).toHaveCount(0);

  // An editor of the workspace sees an explanation instead of webhooks, and no banner.
  const guest = await playwright.request.newContext({ baseURL: service.url, extraHTTPHeaders: { origin: service.url } });
  const login = { email: `guest-${process.pid}-${Date.now()}@example.com`, password: 'a long enough password' };
  await guest.post('/api/auth/register', { data: login });
  const invited = await api.request.post('/api/members/invitations', { data: { email: login.email, role: 'editor' } });
  const { url } = (await invited.json()) as { url: string };
  await guest.post('/api/session/sign-in/email', { data: login });
  const accepted = await guest.post(`/api${new URL(url).pathname}/accept`);
  expect(accepted.status()).toBe(200);
  await page.context().clearCookies();
  await page.context().addCookies((await guest.storageState()).cookies);
  await page.goto('/dashboard/settings/webhooks');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: /Ada Lovelace/ }).click();
  await expect(page.getByText('Only admins can manage webhooks')).toBeVisible();
  await expect(page.getByText('Your role in Ada Lovelace’s workspace is editor')).toBeVisible();
  await guest.dispose();
});

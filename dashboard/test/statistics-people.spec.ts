import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type Api, expect, test } from './support/fixtures.ts';

const chart = (page: Page) => page.getByRole('slider', { name: /^Calls/ });

async function callSome(page: Page, api: Api): Promise<void> {
  await api.createPrompt('counted');
  await api.fetchPrompt('counted');
  await page.goto('/dashboard?range=7d');
  await expect(chart(page)).toBeVisible({ timeout: 40_000 });
}

test.describe('in India', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test('times are local and begin at the half hour; UTC is remembered', async ({ signedIn: page, api }) => {
    await callSome(page, api);
    await expect(page.getByText('Days and hours are in your time zone (Asia/')).toContainText('hours and days begin at :30.');
    await expect(chart(page)).toHaveAttribute('aria-valuetext', /^\w+, \w+ \d+, so far, Calls: [1-9]/);
    await page.getByRole('radio', { name: 'Hour', exact: true }).click();
    await expect(chart(page)).toHaveAttribute('aria-valuetext', /, \d\d:30, \w+, \w+ \d+, \d\d:00 UTC · so far, Calls: /);
    // The day of the URL is the day in India, and its first hour begins at 00:30.
    await page.getByRole('radio', { name: 'Day', exact: true }).click();
    await expect(page.getByText('The hatched day')).toBeVisible();
    await chart(page).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/at=\d{4}-\d{2}-\d{2}(&|$)/);
    const today = await page.evaluate(() => new Date(Date.now() - 30 * 60_000).toLocaleDateString('sv'));
    expect(page.url()).toContain(`at=${today}`);
    await chart(page).focus();
    await page.keyboard.press('Home');
    await expect(chart(page)).toHaveAttribute('aria-valuetext', /, 00:30, .* 19:00 UTC( · so far)?, Calls: /);

    await page.getByRole('radio', { name: 'UTC', exact: true }).click();
    await expect(page.getByText('Days and hours are in UTC.')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Days and hours are in UTC.')).toBeVisible();
    await page.getByRole('radio', { name: 'Local time' }).click();
    await expect(page.getByText('Days and hours are in your time zone')).toBeVisible();
  });
});

test.describe('in Berlin, when the clocks change', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('the day has 23 hours', async ({ signedIn: page, api }) => {
    await callSome(page, api);
    await page.goto('/dashboard?range=30d&at=2026-03-29');
    await expect(page.getByText('Sun, Mar 29').first()).toBeVisible();
    await expect(chart(page)).toHaveAttribute('aria-valuemax', '22');
    await chart(page).focus();
    await page.keyboard.press('Home');
    await expect(chart(page)).toHaveAttribute('aria-valuetext', /^Sun, Mar 29, 00:00, Sat, Mar 28, 23:00 UTC/);
  });
});

test('a CSV of each table can be downloaded', async ({ signedIn: page, api }) => {
  await callSome(page, api);
  await page.getByRole('button', { name: 'CSV' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'By route' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('calls-by-route.csv');
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^\uFEFFroute,calls,errors\r\n.*GET \/api\/prompts\/\{name\}/s);
});

test('in a workspace with a program, calls are shown by member, and a member filters the page', async ({
  signedIn: page,
  api,
  playwright,
  service,
}) => {
  await callSome(page, api);
  const created = await api.request.post('/api/members/service-accounts', { data: { name: 'Checkout', role: 'viewer' } });
  const { token } = (await created.json()) as { token: string };
  const program = await playwright.request.newContext({ baseURL: service.url, extraHTTPHeaders: { authorization: `Bearer ${token}` } });
  expect((await program.get('/api/prompts')).status()).toBe(200);
  await program.dispose();
  const row = page.getByRole('row', { name: /Checkout Service account 1/ });
  await expect(row).toBeVisible({ timeout: 40_000 });
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page).toHaveURL(/member=u_/);
  await expect(page.getByRole('definition').first()).toHaveText('1');
  await expect(page.getByRole('row', { name: /GET \/api\/prompts 1/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'By prompt' })).toBeHidden();
  await page.getByRole('button', { name: /^Checkout.*Show all members/ }).click();
  await expect(page.getByRole('heading', { name: 'By member' })).toBeVisible();
});

test('the page shows an empty state before the first model run', async ({ signedIn: page }) => {
  await page.goto('/dashboard');
  await page.getByRole('radio', { name: 'Model runs' }).click();
  await expect(page.getByText('No model runs in this period')).toBeVisible();
});

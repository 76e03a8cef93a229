import type { Page } from '@playwright/test';
import { type Api, expect, readClipboard, test } from './support/fixtures.ts';

const chart = (page: Page) => page.getByRole('slider', { name: /^Calls/ });
const totalCalls = async (page: Page) => Number((await page.getByRole('definition').first().textContent())?.replaceAll(',', ''));

/** Renders without the variable `name`, which returns 422. */
async function failToRender(api: Api, prompt: string): Promise<void> {
  expect((await api.request.post(api.path(prompt, '/render'), { data: { variables: {} } })).status()).toBe(422);
}

test('the first steps are checked off automatically, the last one when the first call arrives', async ({
  signedIn: page,
  account,
  playwright,
}) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await expect(chart(page)).toBeHidden();
  const done = page.getByRole('heading', { name: /\(done\)$/ });
  await expect(done).toHaveCount(0);

  // The prompt is created in the browser, so that no call with the key has been made.
  const created = await page.evaluate(async () => {
    const body = JSON.stringify({ name: 'welcome/mail', template: 'Hello', labels: ['staging'] });
    return (await fetch('/api/prompts', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
  });
  expect(created).toBe(201);
  await expect(done).toHaveText(['Write a prompt (done)']);
  await page.getByRole('button', { name: 'Copy key' }).click();
  await expect(done).toHaveCount(2);
  await expect.poll(() => readClipboard(page)).toBe(account.token);

  await page.getByRole('button', { name: 'Copy with key: command' }).click();
  await expect.poll(() => readClipboard(page)).toContain('curl');
  const [, url = ''] = /curl "(\S+)"/.exec(await readClipboard(page)) ?? [];
  const key = /Bearer (\S+)"/.exec(await readClipboard(page))?.[1];
  const caller = await playwright.request.newContext();
  expect((await caller.get(url, { headers: { authorization: `Bearer ${key}` } })).status()).toBe(200);
  await caller.dispose();

  await expect(page.getByText('Your first call has arrived.')).toBeVisible();
  await expect(done).toHaveCount(3);
  await expect(chart(page)).toBeVisible();
  await expect(page.getByRole('row', { name: /welcome\/mail/ })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeHidden();
});

test('statistics update while calls are made, a range has the same total in every view, and bars and rows link to what they count', async ({
  signedIn: page,
  api,
}) => {
  await api.createPrompt('counted');
  for (let index = 0; index < 13; index += 1) await api.createPrompt(`other ${index}`);
  await page.goto('/dashboard');
  await expect.poll(() => totalCalls(page), { timeout: 40_000 }).toBeGreaterThanOrEqual(14);
  for (let index = 0; index < 7; index += 1) await api.fetchPrompt('counted');
  for (let index = 0; index < 13; index += 1) await api.fetchPrompt(`other ${index}`);
  expect((await api.request.get(api.path('missing'))).status()).toBe(404);
  await failToRender(api, 'counted');
  const total = 14 + 7 + 13 + 2;
  await expect.poll(() => totalCalls(page), { timeout: 40_000 }).toBe(total);
  await expect(page.getByRole('row', { name: /counted/ })).toContainText('8');

  const rows = page.getByRole('row', { name: /production v1/ });
  await expect(rows).toHaveCount(12);
  await page.getByRole('button', { name: 'Show all 14' }).click();
  await expect(rows).toHaveCount(14);

  await page.getByRole('radio', { name: '7 days' }).click();
  await expect(page).toHaveURL(/range=7d/);
  await expect(page.getByText('Days and hours are in UTC. The hatched day is still in progress.')).toBeVisible();
  await expect.poll(() => totalCalls(page)).toBe(total);
  await page.getByRole('radio', { name: 'Hour', exact: true }).click();
  await expect(page.getByText('The hatched hour is still in progress.')).toBeVisible();
  await expect.poll(() => totalCalls(page)).toBe(total);
  await page.getByRole('radio', { name: 'Day', exact: true }).click();
  await expect(page.getByText('The hatched day is still in progress.')).toBeVisible();

  // The last bar is today. The test selects the bar by keyboard, and a screen reader announces it.
  await chart(page).focus();
  await expect(chart(page)).toHaveAttribute('aria-valuetext', new RegExp(`UTC, so far, Calls: ${total}, Errors: 2$`));
  await page.keyboard.press('ArrowLeft');
  await expect(chart(page)).toHaveAttribute('aria-valuetext', /UTC, Calls: 0, Errors: 0$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/at=\d{4}-\d{2}-\d{2}(&|$)/);
  await expect(page.getByText('The hatched hour is still in progress.')).toBeVisible();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('row', { name: /so far/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show as chart' }).click();

  await page.getByRole('button', { name: '404', exact: true }).click();
  await expect.poll(() => totalCalls(page)).toBe(1);
  await page.getByRole('button', { name: /Status 404/ }).click();
  await page.getByRole('button', { name: /Back to 7 days/ }).click();
  await expect(page).toHaveURL(/\/dashboard\?(?!.*at=).*range=7d/);

  await page.getByRole('link', { name: 'counted' }).click();
  await expect(page).toHaveURL(/prompts\/counted\?.*view=stats/);
  await expect(page.getByRole('tab', { name: 'Statistics' })).toHaveAttribute('aria-selected', 'true');
  await expect(chart(page)).toHaveAttribute('aria-valuetext', /so far, production v1: 8, Errors: 1$/);
  await expect(page.getByRole('row', { name: /production v1/ })).toContainText('8');
  await expect(page.getByRole('row', { name: 'The variable name was missing 1' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Statistics', level: 1 })).toBeVisible();
});

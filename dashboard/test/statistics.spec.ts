import { expect, test } from './support/fixtures.ts';

test('statistics update while calls are made', async ({ signedIn: page, api }) => {
  await api.createPrompt('counted');
  await page.goto('/dashboard');
  const calls = page.getByRole('definition').first();
  await expect(calls).toBeVisible();
  const before = Number(await calls.textContent());
  for (let index = 0; index < 7; index += 1) await api.fetchPrompt('counted');
  expect((await api.request.get(api.path('missing'))).status()).toBe(404);
  await expect.poll(async () => Number(await calls.textContent()), { timeout: 40_000 }).toBeGreaterThanOrEqual(before + 8);
  await expect(page.getByRole('row', { name: /counted/ })).toContainText('7');
  await expect(page.getByRole('row', { name: /404/ })).toBeVisible();
  await expect(page.getByText('First steps')).toBeHidden();

  await page.getByRole('radio', { name: '30 days' }).click();
  await expect(page).toHaveURL(/range=30d/);
  await expect(page.getByRole('row', { name: /counted/ })).toContainText('7');
});

import { expect, test } from './support/fixtures.ts';

const name = 'support/triage';

test('the page of a prompt says that the deployed version fails more often than the one before it', async ({ signedIn: page, api }) => {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Dear {{ name }}.', labels: ['production'] });
  await page.goto(`/dashboard/prompts/${name}`);
  await expect(page.getByRole('heading', { name })).toBeVisible();

  const call = { prompt: name, label: 'production', durationMs: 100 };
  const report = async (calls: object[]) => expect((await api.request.post('/api/results', { data: { calls } })).status()).toBe(202);
  await report(Array(200).fill({ ...call, version: 1 }));
  await report([...Array(100).fill({ ...call, version: 2 }), ...Array(100).fill({ ...call, version: 2, error: 'timeout' })]);
  // The service compares versions once a minute. This file is one of the first to run, so that other tests run in the meantime.
  const message = page.getByText('Version 2 at production fails more often than version 1.');
  await expect(message).toBeVisible({ timeout: 120_000 });
});

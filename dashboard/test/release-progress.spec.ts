import { sqlite } from '../../test/support/engines.ts';
import { newClient } from '../../test/support/prompts.ts';
import { measureReleases, releasedPrompt, startTestRelease, type TestRelease } from '../../test/support/releases.ts';
import { type Service as LocalService, startService } from '../../test/support/service.ts';
import { expectAccessible } from './support/accessibility.ts';
import { type Account, test as base, expect, openLive } from './support/fixtures.ts';

/** The service runs in this process, so that the tests choose when it measures releases. */
const test = base.extend<{ local: LocalService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from this pattern.
  local: async ({}, use) => {
    const database = await sqlite.create();
    const local = await startService({ database });
    await use(local);
    await local.close();
    await database.remove();
  },
  service: async ({ local }, use) => use({ url: local.url, output: local.logs, stop: local.close }),
});

const tab = `/dashboard/prompts/${releasedPrompt}?view=releases`;

/** Starts a release to half of the keys, which widens when 100 units of each version have results. */
async function startRelease(local: LocalService, account: Account): Promise<TestRelease> {
  const client = await newClient(local, account);
  await client.create({ name: releasedPrompt, template: 'one' });
  for (const template of ['two', 'three']) await client.save(releasedPrompt, { template });
  return startTestRelease(local, { steps: [7500], metric: 'errorRate' }, client);
}

/** Reports one call for each key of a version in a range. The first `failed` calls are errors. */
async function reportCalls(release: TestRelease, version: number, { from = 0, to, failed }: { from?: number; to: number; failed: number }) {
  const keys = release.keysOf(version, to).slice(from);
  const calls = keys.map((key, index) => release.callOf(key, index < failed ? { error: 'timeout' } : {}));
  for (let start = 0; start < calls.length; start += 100) await release.report(...calls.slice(start, start + 100));
}

test('the panel shows how the versions compare, and the service rolls a worse one back', async ({ signedIn: page, account, local }) => {
  const release = await startRelease(local, account);
  await reportCalls(release, 1, { to: 60, failed: 3 });
  await reportCalls(release, 2, { to: 61, failed: 6 });
  await measureReleases(local);
  await openLive(page, tab);
  await expect(page.getByRole('heading', { name: 'Release on production: v2 to 50% running' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^v1 control 50% 60 60 0$/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^v2 50% 61 61 0$/ })).toBeVisible();
  const guards = page.getByRole('region', { name: 'Guards of production' });
  await expect(guards).toContainText('Error rate');
  await expect(guards).toContainText('v2 9.8%, control 5%');
  await expect(guards).toContainText(/Difference: −\d+(\.\d+)? points to \+\d+(\.\d+)? points\. Allowed: up to 2 points more\./);
  await expect(guards).toContainText('not certain yet');
  const goal = page.getByRole('region', { name: 'What the release on production should improve' });
  await expect(goal).toContainText(/v2: 9\.8%\. Difference: .+ Probability that it is better than the control: (\d|1\d|2\d)(\.\d)?%/);
  const steps = page.getByRole('region', { name: 'Steps of production' });
  await expect(steps).toContainText(/The next step is 75%, not before .+\. It waits for:/);
  await expect(steps.getByRole('listitem').filter({ hasText: '40 more units for the control' })).toBeVisible();
  await expect(steps.getByRole('listitem').filter({ hasText: '39 more units for v2' })).toBeVisible();
  await expect(steps).toContainText('certainty about the error rate of v2: the difference from the control is between');
  await expect(steps).not.toContainText('UTC');
  await expectAccessible(page);

  await reportCalls(release, 1, { from: 60, to: 300, failed: 0 });
  await reportCalls(release, 2, { from: 61, to: 300, failed: 200 });
  expect((await release.get<{ state: string }>(`/api/prompts/${encodeURIComponent(releasedPrompt)}/labels/production/release`)).state).toBe(
    'running',
  );
  await measureReleases(local);
  await expect(page.getByText('The service rolled back the release on production: an arm was worse than a guard allows.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Release on production: v2 to 50% rolled back' })).toBeVisible();
  await expect(
    page.getByText('The service rolled this release back, because an arm was worse than a guard allows. Everyone gets v1'),
  ).toBeVisible();
  await expect(page.getByRole('row', { name: /^v2 50% 300 300 0$/ })).toBeVisible();
  await expect(guards.getByText('worse', { exact: true })).toBeVisible();
  await expect(steps).toHaveCount(0);
  await expectAccessible(page);

  await test.step('the history and the notifications say why', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'production release rolled back' });
    await expect(entry).toContainText('The service, for Ada Lovelace');
    await expect(entry).toContainText('an arm was worse than a guard allows');
    // An open page looks for notifications once a minute.
    await page.reload();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /support\/triage/ })
      .click();
    await expect(page).toHaveURL(/\/dashboard\/prompts\/support\/triage/);
  });
});

test('the form says how many of the known keys get the version', async ({ signedIn: page, account, local }) => {
  const client = await newClient(local, account);
  await client.create({ name: releasedPrompt, template: 'one' });
  await client.save(releasedPrompt, { template: 'two' });
  for (let index = 0; index < 20; index += 1) await client.get(`/api/prompts/${encodeURIComponent(releasedPrompt)}?key=read-${index}`);
  const calls = Array.from({ length: 21 }, (_, index) => ({
    prompt: releasedPrompt,
    version: 1,
    durationMs: 10,
    key: index === 0 ? 'read-0' : `reported-${index}`,
  }));
  expect((await client.call('POST', '/api/results', { calls })).body).toEqual({ accepted: 21, dropped: 0 });
  await local.ctx.recorder.flush();
  await page.goto(`/dashboard/prompts/${releasedPrompt}`);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy' });
  await dialog.getByRole('radio', { name: 'To some callers first' }).check();
  await dialog.getByLabel('Share of v2', { exact: true }).fill('25');
  await expect(dialog).toContainText(
    'About 10 of the 40 keys that callers sent in the last 7 days will get the new version. Callers without a key get v1.',
  );
  await dialog.getByLabel('Share of v2', { exact: true }).fill('50');
  await expect(dialog).toContainText('About 20 of the 40 keys that callers sent in the last 7 days will get the new version.');
});

test('the statistics and the results name the release and its arms', async ({ signedIn: page, account, local }) => {
  const release = await startRelease(local, account);
  const path = `/api/prompts/${encodeURIComponent(releasedPrompt)}`;
  for (const key of [...release.keysOf(1, 3), ...release.keysOf(2, 2)]) await release.get(`${path}?key=${key}`);
  await release.get(path);
  await release.get(`${path}?version=3`);
  await reportCalls(release, 1, { to: 4, failed: 1 });
  await reportCalls(release, 2, { to: 5, failed: 0 });
  await release.report({ prompt: releasedPrompt, version: 3, durationMs: 100 });
  await local.ctx.recorder.flush();

  await openLive(page, `/dashboard/prompts/${releasedPrompt}?view=stats`);
  await expect(page.getByRole('heading', { name: 'Release on production running' })).toBeVisible();
  const arms = page.getByRole('region', { name: 'Arms of production' });
  await expect(arms.getByRole('row', { name: /^v1 control 50% 3$/ })).toBeVisible();
  await expect(arms.getByRole('row', { name: /^v2 50% 2$/ })).toBeVisible();
  await expect(page.getByText('1 read without a key got v1.')).toBeVisible();
  await expect(page.getByRole('row', { name: /production v1 control 4 0$/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /production v2 arm 50% 2 0$/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^v3 1 0$/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(arms.getByRole('row', { name: /^v1 control 50% 4 4 3$/ })).toBeVisible();
  await expect(arms.getByRole('row', { name: /^v2 50% 5 5 2$/ })).toBeVisible();
  const compared = page.getByRole('region', { name: 'Versions side by side' });
  await expect(compared.getByRole('rowheader', { name: /^v1 .*control$/ })).toBeVisible();
  await expect(compared.getByRole('rowheader', { name: /^v2 arm 50%$/ })).toBeVisible();
  await expect(compared.getByRole('rowheader', { name: /^v3 newest$/ })).toBeVisible();
  await expectAccessible(page);

  expect((await release.call('DELETE', `${path}/labels/production/release`)).status).toBe(204);
  await expect(page.getByRole('heading', { name: 'Release on production rolled back' })).toBeVisible();
  await page.getByRole('link', { name: 'Compare the arms' }).click();
  await expect(page.getByRole('heading', { name: 'Release on production: v2 to 50% rolled back' })).toBeVisible();
});

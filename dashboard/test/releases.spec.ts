import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible, findViolations } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, openLive, test } from './support/fixtures.ts';

// The service refuses some requests of these tests.
test.use({ allows4xx: true });

const name = 'support/triage';
const tab = `/dashboard/prompts/${name}?view=releases`;

interface Release {
  state: string;
  control: number;
  arms: { version: number; weight: number }[];
  [setting: string]: unknown;
}

/** Creates a prompt with three versions, the second of which is in production. */
async function createVersions(api: Api): Promise<void> {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Dear {{ name }}.', labels: ['production'] });
  await api.saveVersion(name, { template: 'Good day, {{ name }}.' });
}

async function startRelease(api: Api, body: object = {}): Promise<void> {
  const data = { control: 2, arms: [{ version: 3, weight: 500 }], ...body };
  const response = await api.request.put(api.path(name, '/labels/production/release'), { data });
  expect(response.status(), await response.text()).toBe(200);
}

async function fetchRelease(api: Api): Promise<Release> {
  const response = await api.request.get(api.path(name, '/labels/production/release'));
  expect(response.status()).toBe(200);
  return (await response.json()) as Release;
}

const deploy = (page: Page) => page.getByRole('dialog', { name: 'Deploy' });

async function openDeploy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(deploy(page)).toBeVisible();
}

test('a version is deployed to some callers first, with the slider, steps, guards and a rule', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await page.goto(`/dashboard/prompts/${name}`);
  await openDeploy(page);
  const dialog = deploy(page);
  await dialog.getByRole('radio', { name: 'To some callers first' }).check();
  await expect(dialog).toContainText('Callers without a key get v2.');
  await expect(dialog.getByLabel('Steps in percent')).toHaveValue('5, 25, 50');

  // The slider stops at the usual shares. The steps are the usual shares above the selected one.
  const slider = dialog.getByRole('slider', { name: 'Share of v3, slider' });
  await slider.focus();
  for (const share of ['2%', '3%', '5%']) {
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', share);
  }
  await expect(dialog.getByLabel('Steps in percent')).toHaveValue('25, 50');
  await expect(dialog.getByRole('img', { name: 'Shares: v3 5%, v2 95%' })).toBeVisible();

  const start = dialog.getByRole('button', { name: 'Start release of v3' });
  await dialog.getByLabel('Share of v3', { exact: true }).fill('0');
  await expect(dialog.getByText('Enter a share between 0.1% and 100%.')).toBeVisible();
  await expect(start).toBeDisabled();
  await dialog.getByLabel('Share of v3', { exact: true }).fill('2.5');
  await dialog.getByLabel('Steps in percent').fill('10, 5');
  await expect(dialog.getByText('Each step must be larger than the one before.')).toBeVisible();
  await expect(start).toBeDisabled();
  await dialog.getByLabel('Steps in percent').fill('10, 50');

  await dialog.getByRole('checkbox', { name: 'Latency' }).check();
  await dialog.getByLabel('Margin of Latency in %').fill('20');
  await dialog.getByLabel('If it is worse:').selectOption('pause');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Units that each version needs').fill('50');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByLabel('Attribute of rule 1').fill('plan');
  await dialog.getByLabel('Values of rule 1, separated by commas').fill('internal, beta');
  expect(await findViolations(page)).toEqual([]);
  await start.click();

  await expect(page.getByText('Release on production started: v3 to 2.5%.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Releases' })).toHaveAttribute('aria-selected', 'true');
  expect(await fetchRelease(api)).toMatchObject({
    state: 'running',
    control: 2,
    arms: [{ version: 3, weight: 250 }],
    steps: [1000, 5000],
    guards: [
      { metric: 'errorRate', margin: 0.02 },
      { metric: 'latency', margin: 0.2 },
    ],
    rules: [{ if: { plan: ['internal', 'beta'] }, version: 3 }],
    minUnits: 50,
    onRegression: 'pause',
  });
  expect((await api.fetchPrompt(name)).version).toBe(2);

  await test.step('the header, the list and the history name the release', async () => {
    await expect(page.getByRole('link', { name: /production v2 release v3 to 2\.5%/ })).toBeVisible();
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'production release started: v3 to 2.5%' })).toBeVisible();
    await page.goto('/dashboard/prompts?folder=support');
    await expect(page.getByRole('link', { name: /triage.*v3 to 2\.5%/ })).toBeVisible();
    await page.goto('/dashboard/settings/activity');
    await expect(page.getByText(/started a release on production of support\/triage: v3 to 2\.5%/)).toBeVisible();
  });
});

test('a release is widened, paused, resumed and finished', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await startRelease(api, { steps: [1000, 5000] });
  await openLive(page, tab);
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 5% running' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^v2 control 95%/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^v3 5%/ })).toBeVisible();
  await expect(page.getByText('No results yet.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText('The next step is 10%');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Widen' }).click();
  const widen = page.getByRole('dialog', { name: 'Widen the release on production' });
  await expect(widen.getByLabel('Share of v3', { exact: true })).toHaveValue('10');
  await widen.getByLabel('Share of v3', { exact: true }).fill('4');
  await expect(widen.getByText('Enter a share between 5% and 100%.')).toBeVisible();
  await expect(widen.getByRole('button', { name: 'Widen' })).toBeDisabled();
  await widen.getByLabel('Share of v3', { exact: true }).fill('25');
  expect(await findViolations(page)).toEqual([]);
  await widen.getByRole('button', { name: 'Widen' }).click();
  await expect(page.getByText('Release on production widened: v3 to 25%.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 25% running' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText('The next step is 50%');

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 25% paused' })).toBeVisible();
  await expect(page.getByText('Someone paused this release. Callers keep their versions.')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 25% running' })).toBeVisible();
  expect(await fetchRelease(api)).toMatchObject({ state: 'running', arms: [{ version: 3, weight: 2500 }] });

  await page.getByRole('button', { name: 'Finish' }).click();
  const finish = page.getByRole('dialog', { name: 'Finish the release on production' });
  await expect(finish).toContainText(
    'production moves from v2 to v3. At the moment, 25% of the callers with a key get v3. After the move, everyone gets it.',
  );
  expect(await findViolations(page)).toEqual([]);
  expect((await api.fetchPrompt(name)).version).toBe(2);
  await finish.getByRole('button', { name: 'Give everyone v3' }).click();
  await expect(page.getByText('Release on production finished. Everyone gets v3.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 25% finished' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Widen' })).toHaveCount(0);
  expect((await api.fetchPrompt(name)).version).toBe(3);
});

test('a release is rolled back after a confirmation, and what others do appears at once', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await openLive(page, tab);
  await expect(page.getByRole('heading', { name: 'No releases' })).toBeVisible();
  await expectAccessible(page);
  await startRelease(api);
  await expect(page.getByText('Ada Lovelace (via API) started a release on production: v3 to 5%.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 5% running' })).toBeVisible();
  await expect(page.getByText('This release has no steps, so only people can widen it.')).toBeVisible();

  await page.getByRole('button', { name: 'Roll back' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Roll back the release on production?' });
  await expect(asked).toContainText('Everyone gets v2 with their next request.');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  expect((await fetchRelease(api)).state).toBe('running');
  await page.getByRole('button', { name: 'Roll back' }).click();
  await asked.getByRole('button', { name: 'Roll back' }).click();
  await expect(page.getByText('Release on production rolled back. Everyone gets v2.')).toBeVisible();
  await expect(page.getByText('Someone rolled this release back. Everyone gets v2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Roll back' })).toHaveCount(0);
  expect((await fetchRelease(api)).state).toBe('rolled_back');
  expect((await api.fetchPrompt(name)).version).toBe(2);
});

test('a label with a release is neither moved nor removed, and the dialogs say where to end the release', async ({
  signedIn: page,
  api,
}) => {
  await createVersions(api);
  // Without live updates, the dialogs do not know about the release until the service refuses.
  await page.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));
  await page.goto(`/dashboard/prompts/${name}`);
  await openDeploy(page);
  await deploy(page).getByRole('button', { name: 'Remove production' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Remove production?' });
  await startRelease(api);
  await asked.getByRole('button', { name: 'Remove label' }).click();
  await expect(asked.getByRole('alert')).toContainText('The label "production" has a release. Finish the release or roll it back');
  await expect(asked.getByRole('link', { name: 'Show the release' })).toBeVisible();
  expect((await api.fetchPrompt(name)).version).toBe(2);
  await asked.getByRole('button', { name: 'Cancel' }).click();

  await page.reload();
  await openDeploy(page);
  await expect(deploy(page).getByRole('status')).toContainText('production has a release: v3 to 5%. Finish it or roll it back');
  await expect(deploy(page).getByRole('button', { name: 'Deploy v3' })).toBeDisabled();
  await expect(deploy(page).getByRole('button', { name: 'Remove production' })).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);
  await deploy(page).getByRole('link', { name: 'Show the release' }).click();
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 5% running' })).toBeVisible();

  await test.step('another label can still be deployed', async () => {
    await openDeploy(page);
    await deploy(page).getByLabel('To', { exact: true }).selectOption('staging');
    await deploy(page).getByRole('button', { name: 'Deploy v3' }).click();
    await expect(page.getByText('staging is now at v3.')).toBeVisible();
  });
});

test('a release on a gated label requires passing checks or an override', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await api.request.patch('/api/workspace', { data: { gatedLabels: ['production'] } });
  const check = { name: 'polite', variables: { name: 'Ada' }, checks: [{ kind: 'contains', value: 'Dear' }] };
  expect((await api.request.post(api.path(name, '/cases'), { data: check })).status()).toBe(201);
  await page.goto(`/dashboard/prompts/${name}`);
  await openDeploy(page);
  await deploy(page).getByRole('radio', { name: 'To some callers first' }).check();
  await expect(deploy(page).getByRole('button', { name: 'Start release of v3' })).toBeDisabled();
  await deploy(page).getByRole('checkbox', { name: 'Deploy without passing checks' }).check();
  await deploy(page).getByLabel('Reason').fill('Only 1%');
  await deploy(page).getByRole('button', { name: 'Override and start release of v3' }).click();
  await expect(page.getByText('Release on production started: v3 to 1%.')).toBeVisible();

  await page.getByRole('button', { name: 'Finish' }).click();
  const finish = page.getByRole('dialog', { name: 'Finish the release on production' });
  await expect(finish.getByRole('button', { name: 'Give everyone v3' })).toBeDisabled();
  await finish.getByRole('checkbox', { name: 'Deploy without passing checks' }).check();
  await finish.getByLabel('Reason').fill('It is fine');
  await finish.getByRole('button', { name: 'Override and give everyone v3' }).click();
  await expect(page.getByText('Release on production finished. Everyone gets v3.')).toBeVisible();
});

test('a viewer sees a release and cannot change it', async ({ page, api, account, service }) => {
  await createVersions(api);
  await startRelease(api, { steps: [1000] });
  const viewer = { email: `viewer-${randomUUID()}@example.com`, password: account.password };
  expect((await page.request.post('/api/auth/register', { data: { ...viewer, name: 'Grace Hopper' } })).status()).toBe(201);
  const headers = { origin: service.url };
  const signedIn = await page.request.post('/api/session/sign-in/email', { data: viewer, headers });
  expect(signedIn.status()).toBe(200);
  const invited = await api.request.post('/api/members/invitations', { data: { email: viewer.email, role: 'viewer' } });
  const { url } = (await invited.json()) as { url: string };
  const accepted = await page.request.post(`/api/invitations/${new URL(url).pathname.split('/').at(-1)}/accept`, { headers });
  expect(accepted.status()).toBe(200);
  await page.goto(`${tab}&workspace=${account.userId}`);
  await expect(page.getByRole('heading', { name: 'Release on production: v3 to 5% running' })).toBeVisible();
  await expect(page.getByText('Only editors can change this release. Your role is viewer.')).toBeVisible();
  for (const action of ['Widen', 'Pause', 'Roll back', 'Finish', 'Deploy']) {
    await expect(page.getByRole('button', { name: action, exact: true })).toHaveCount(0);
  }
  await expectAccessible(page);

  await test.step('an editor may change it, unless the label is protected', async () => {
    const { data } = (await (await api.request.get('/api/members')).json()) as { data: { email: string; userId: string }[] };
    const member = data.find(({ email }) => email === viewer.email);
    expect((await api.request.patch(`/api/members/${member?.userId}`, { data: { role: 'editor' } })).status()).toBe(200);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Widen' })).toBeVisible();
    expect((await api.request.patch('/api/workspace', { data: { protectedLabels: ['production'] } })).status()).toBe(200);
    await page.reload();
    await expect(page.getByText('Only deployers can change this release. Your role is editor.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Widen' })).toHaveCount(0);
  });
});

test('several prompts are deployed without those that have a release', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await startRelease(api);
  await api.createPrompt('support/other');
  await api.saveVersion('support/other', { template: 'Other' });
  await page.goto('/dashboard/prompts?folder=support');
  for (const each of ['triage', 'other']) await page.getByRole('checkbox', { name: new RegExp(`Select .*${each}`) }).click();
  await page.getByRole('region', { name: 'Selected prompts' }).getByRole('button', { name: 'Deploy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy 2 prompts' });
  await expect(dialog).toContainText('1 prompt with a release on production is skipped.');
  await dialog.getByRole('button', { name: 'Deploy 1 prompt' }).click();
  await expect(page.getByText('production moved in 1 prompt.')).toBeVisible();
  expect((await api.fetchPrompt('support/other')).version).toBe(2);
  expect((await fetchRelease(api)).state).toBe('running');
});

test('on a phone, the panel and the form fit, even with long names', async ({ signedIn: page, api }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await createVersions(api);
  const label = 'a-label-with-a-very-long-name-for-the-europe-team';
  await api.request.put(api.path(name, `/labels/${label}`), { data: { version: 1 } });
  const long = 'x'.repeat(100);
  const release = {
    control: 1,
    arms: [
      { version: 2, weight: 500 },
      { version: 3, weight: 1000 },
    ],
    rules: [{ if: { [long]: [long, long] }, version: 3 }],
    guards: [{ metric: `score:${'helpfulness'.repeat(3)}`, margin: 0.1 }],
  };
  expect((await api.request.put(api.path(name, `/labels/${label}/release`), { data: release })).status()).toBe(200);
  await startRelease(api);
  await page.goto('/dashboard/prompts?folder=support');
  await expect(page.getByRole('link', { name: /triage.*release v3 to 5%/ })).toBeVisible();
  // The text about the release in the row leaves space for the prompt's name.
  const nameWidth = () => page.getByText('triage', { exact: true }).evaluate((element) => element.clientWidth);
  await expect.poll(nameWidth).toBeGreaterThan(30);
  expect((await api.request.delete(api.path(name, '/labels/production/release'))).status()).toBe(204);
  await page.goto(tab);
  await expect(page.getByRole('heading', { name: `Release on ${label}: v2 to 5%, v3 to 10% running` })).toBeVisible();
  await page.getByText('Settings', { exact: true }).last().click();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await openDeploy(page);
  await deploy(page).getByRole('radio', { name: 'To some callers first' }).check();
  await deploy(page).getByText('More options').click();
  await deploy(page).getByRole('button', { name: 'Add rule' }).click();
  await expectNoSidewaysScroll(page);
  expect(await findViolations(page)).toEqual([]);
});

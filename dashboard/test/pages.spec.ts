import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, test, withoutLiveUpdates } from './support/fixtures.ts';

const publicPages = ['/login', '/signup', '/reset', '/reset?token=x', '/verify?token=x', '/invitations/x'];
const dashboardPages = [
  '/dashboard',
  '/dashboard?range=30d',
  '/dashboard?show=results',
  '/dashboard/prompts',
  '/dashboard/prompts?folder=support',
  '/dashboard/prompts?search=nothing',
  '/dashboard/prompts/support/triage',
  '/dashboard/prompts/support/chat',
  '/dashboard/prompts/support/triage?view=runs',
  '/dashboard/prompts/support/triage?view=compare',
  '/dashboard/prompts/support/triage?view=history',
  '/dashboard/prompts/support/triage?view=checks',
  '/dashboard/prompts/support/chat?view=checks',
  '/dashboard/prompts/support/triage?view=dependencies',
  '/dashboard/prompts/support/triage?view=code',
  '/dashboard/prompts/support/triage?view=results',
  '/dashboard/prompts/support/chat?view=results',
  '/dashboard/prompts/support/triage?view=stats',
  '/dashboard/prompts/no/such',
  '/dashboard/new',
  '/dashboard/import',
  '/dashboard/bin',
  '/dashboard/settings',
  '/dashboard/settings/members',
  '/dashboard/settings/labels',
  '/dashboard/settings/webhooks',
  '/dashboard/settings/models',
  '/dashboard/settings/api-keys',
  '/dashboard/settings/activity',
  '/dashboard/settings/connect',
  '/dashboard/settings/security',
  '/dashboard/settings/appearance',
  '/dashboard/nowhere',
];

test.beforeEach(withoutLiveUpdates);

async function fill(api: Api): Promise<void> {
  await api.createPrompt('support/triage', { template: 'Sort {{ request }}', tags: ['support'], description: 'Sorts requests' });
  await api.saveVersion('support/triage', { template: 'Sort this: {{ request }}', message: 'Clearer', config: { temperature: 0 } });
  const checks = [
    { kind: 'notContains', on: 'prompt', value: 'this' },
    { kind: 'jsonSchema', on: 'prompt', value: { type: 'object' } },
  ];
  const data = { name: 'Where is my order?', variables: { request: 'Where is it?' }, checks };
  await api.request.post(api.path('support/triage', '/cases'), { data });
  for (const version of [1, 2]) await api.request.post(api.path('support/triage', '/checks'), { data: { version } });
  await api.createPrompt('support/chat', { messages: [{ role: 'system', content: 'Hi {{ name }}' }, { placeholder: 'history' }] });
  await api.createPrompt('gone');
  await api.request.delete(api.path('gone'));
  await api.fetchPrompt('support/triage');
  const call = { prompt: 'support/triage', label: 'production', model: 'gpt-5-mini', durationMs: 800, inputTokens: 400, outputTokens: 40 };
  const calls = [1, 2].flatMap((version) => [...Array(40).fill({ ...call, version }), { ...call, version, error: 'timeout' }]);
  expect((await api.request.post('/api/results', { data: { calls } })).status()).toBe(202);
  await api.request.put(api.path('support/triage', '/labels/production'), { data: { version: 2 } });
  for (const [version, value] of [1, 2].flatMap((each) => [true, false].map((helpful) => [each, helpful] as const))) {
    const feedback = { prompt: 'support/triage', version, label: 'production', name: 'helpful', value, comment: 'It answered in French.' };
    expect((await api.request.post('/api/feedback', { data: feedback })).status()).toBe(202);
  }
}

/** Waits until the heading is visible and nothing is loading. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.locator('[role=status]:has-text("Loading")')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
}

async function saveChanges(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add message', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+S');
}

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

test.use({ viewport: desktop });

// The pages are split into two tests, so that two workers share them.
for (const [name, paths] of [
  ['pages of prompts', ['/dashboard', ...dashboardPages.filter((path) => /prompts|new/.test(path))]],
  ['all other pages', [...publicPages, ...dashboardPages.filter((path) => path !== '/dashboard' && !/prompts|new/.test(path))]],
] as const) {
  test(`${name}: no accessibility violations in light and dark, one main heading, a title, no horizontal scrolling on a phone`, async ({
    page,
    signedIn: _signedIn,
    api,
    browser,
    service,
  }) => {
    test.setTimeout(600_000);
    await fill(api);
    const signedOutContext = await browser.newContext({ baseURL: service.url, viewport: desktop });
    const signedOut = await signedOutContext.newPage();
    for (const path of paths) {
      const visitor = publicPages.includes(path) ? signedOut : page;
      await visitor.goto(path);
      await settle(visitor);
      await expect(visitor.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(visitor, path).toHaveTitle(/^\S.* · PromptHarbor$/);
      await expectAccessible(visitor);

      await visitor.setViewportSize(phone);
      await expectNoSidewaysScroll(visitor, path);
      await visitor.setViewportSize(desktop);
    }
    await signedOutContext.close();
  });
}

test('dialogs have no accessibility violations in light and dark', async ({ signedIn: page, api }) => {
  test.setTimeout(600_000);
  await fill(api);
  const openings: [string, (page: Page) => Promise<void>][] = [
    ['/dashboard/prompts/support/triage', (at) => at.getByRole('button', { name: 'Deploy' }).click()],
    ['/dashboard/prompts/support/chat', saveChanges],
    ['/dashboard/prompts', openPalette],
    ['/dashboard/prompts', (at) => at.keyboard.press('?')],
    ['/dashboard/settings/api-keys', (at) => at.getByRole('button', { name: 'Reset' }).click()],
    ['/dashboard/settings/models', (at) => at.getByRole('button', { name: /^Ollama/ }).click()],
    ['/dashboard/settings', (at) => at.getByRole('button', { name: 'Delete account' }).click()],
    ['/dashboard/settings/security', (at) => at.getByRole('button', { name: 'Set up' }).click()],
  ];
  for (const [path, open] of openings) {
    await page.goto(path);
    await settle(page);
    await open(page);
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page);
  }
});

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K');
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })).toBeVisible();
}

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true, isMobile: true });

  test('the menu leads to the pages, and the tab of the page is visible', async ({ signedIn: page }) => {
    await page.goto('/dashboard/settings/appearance');
    await expect(page.getByRole('tab', { name: 'Appearance' })).toBeInViewport({ ratio: 0.9 });
    await page.getByRole('tab', { name: 'Profile' }).click();
    await expect(page.getByRole('tab', { name: 'Profile' })).toBeInViewport({ ratio: 0.9 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Prompts' }).click();
    await expect(page.getByRole('heading', { name: 'Prompts', exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
});

for (const [where, viewport] of [
  ['on a phone', phone],
  ['at a zoom of 200%', { width: 640, height: 400 }],
] as const) {
  test(`every tab is visible ${where}`, async ({ signedIn: page, api }) => {
    await api.createPrompt('tabs');
    await page.setViewportSize(viewport);
    for (const [path, count] of [
      ['/dashboard/prompts/tabs', 10],
      ['/dashboard/settings', 12],
    ] as const) {
      await page.goto(path);
      const tabs = page.getByRole('tab');
      await expect(tabs).toHaveCount(count);
      for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 });
    }
  });
}

test('the tabs for account settings and for workspace settings are separate groups', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings');
  const [account, workspace] = [page.getByRole('tablist', { name: 'Your account' }), page.getByRole('tablist', { name: /^Workspace/ })];
  await expect(account.getByRole('tab')).toHaveText(['Profile', 'Security', 'Notifications', 'Appearance', 'API Keys']);
  await expect(workspace.getByRole('tab')).toHaveText(['General', 'Members', 'Labels', 'Webhooks', 'Models', 'Connect', 'Activity']);
  await expect(account.getByRole('tab', { selected: true })).toHaveText('Profile');

  await account.getByRole('tab', { name: 'Profile' }).focus();
  await page.keyboard.press('Tab');
  await expect(workspace.getByRole('tab', { name: 'General' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/settings\/labels$/);
  await expect(workspace.getByRole('tab', { selected: true })).toHaveText('Labels');
  await expect(account.getByRole('tab', { selected: true })).toHaveCount(0);
});

test('the address of a preset fits into its card', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings/models');
  const address = page.getByText('generativelanguage.googleapis.com');
  for (const width of [390, 700, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(address).toBeVisible();
    const isInside = () =>
      address.evaluate((element) => {
        const [text, card, list] = [element, element.closest('button'), element.closest('ul')].map((each) => each?.getBoundingClientRect());
        return text && card && list ? text.right <= card.right && card.right <= list.right + 1 : false;
      });
    await expect.poll(isInside, `${width} pixels`).toBe(true);
  }
});

test('the chosen theme is saved and overrides the system theme', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings/appearance');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('radio', { name: 'System' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

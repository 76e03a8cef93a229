import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type Api, expect, test, withoutLiveUpdates } from './support/fixtures.ts';

const publicPages = ['/login', '/signup', '/reset', '/reset?token=x', '/invitations/x'];
const dashboardPages = [
  '/dashboard',
  '/dashboard?range=30d',
  '/dashboard/prompts',
  '/dashboard/prompts?folder=support',
  '/dashboard/prompts?search=nothing',
  '/dashboard/prompts/support/triage',
  '/dashboard/prompts/support/chat',
  '/dashboard/prompts/support/triage?view=history',
  '/dashboard/prompts/support/triage?view=includes',
  '/dashboard/prompts/support/triage?view=use',
  '/dashboard/prompts/support/triage?view=stats',
  '/dashboard/prompts/no/such',
  '/dashboard/new',
  '/dashboard/bin',
  '/dashboard/settings',
  '/dashboard/settings/members',
  '/dashboard/settings/api-keys',
  '/dashboard/settings/connect',
  '/dashboard/settings/security',
  '/dashboard/settings/appearance',
  '/dashboard/nowhere',
];

test.beforeEach(withoutLiveUpdates);

async function fill(api: Api): Promise<void> {
  await api.createPrompt('support/triage', { template: 'Sort {{ request }}', tags: ['support'], description: 'Sorts requests' });
  await api.saveVersion('support/triage', { template: 'Sort this: {{ request }}', message: 'Clearer', config: { temperature: 0 } });
  await api.createPrompt('support/chat', { messages: [{ role: 'system', content: 'Hi {{ name }}' }, { placeholder: 'history' }] });
  await api.createPrompt('gone');
  await api.request.delete(api.path('gone'));
  await api.fetchPrompt('support/triage');
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

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`every page, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('has no accessibility violations, one main heading and a title', async ({ page, signedIn: _signedIn, api, browser, service }) => {
      test.setTimeout(240_000);
      await fill(api);
      const signedOutContext = await browser.newContext({ colorScheme, baseURL: service.url });
      const signedOut = await signedOutContext.newPage();
      const visits: [Page, string][] = [
        ...publicPages.map((path): [Page, string] => [signedOut, path]),
        ...dashboardPages.map((path): [Page, string] => [page, path]),
      ];
      for (const [visitor, path] of visits) {
        await visitor.goto(path);
        await settle(visitor);
        const { violations } = await new AxeBuilder({ page: visitor }).analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
        );
        expect.soft(found, path).toEqual([]);
        expect(await visitor.getByRole('heading', { level: 1 }).count(), path).toBe(1);
        expect(await visitor.title(), path).toMatch(/^\S.* · PromptHarbor$/);
        expect(await visitor.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
      }
      await signedOutContext.close();
    });

    test('dialogs have no accessibility violations', async ({ signedIn: page, api }) => {
      test.setTimeout(180_000);
      await fill(api);
      const openings: [string, (page: Page) => Promise<void>][] = [
        ['/dashboard/prompts/support/triage', (at) => at.getByRole('button', { name: 'Deploy' }).click()],
        ['/dashboard/prompts/support/chat', saveChanges],
        ['/dashboard/prompts', (at) => at.keyboard.press('ControlOrMeta+K')],
        ['/dashboard/prompts', (at) => at.keyboard.press('?')],
        ['/dashboard/settings/api-keys', (at) => at.getByRole('button', { name: 'Reset' }).click()],
        ['/dashboard/settings', (at) => at.getByRole('button', { name: 'Delete account' }).click()],
        ['/dashboard/settings/security', (at) => at.getByRole('button', { name: 'Set up' }).click()],
      ];
      for (const [path, open] of openings) {
        await page.goto(path);
        await settle(page);
        await open(page);
        await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
        await page.waitForLoadState('networkidle');
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`),
          path,
        ).toEqual([]);
      }
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('no page scrolls horizontally, and the menu works', async ({ signedIn: page, api, browser, service }) => {
    test.setTimeout(180_000);
    await fill(api);
    const signedOut = await browser.newPage({
      baseURL: service.url,
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const visits: [Page, string][] = [
      ...publicPages.map((path): [Page, string] => [signedOut, path]),
      ...dashboardPages.map((path): [Page, string] => [page, path]),
    ];
    for (const [visitor, path] of visits) {
      await visitor.goto(path);
      await settle(visitor);
      const { scroll, client } = await visitor.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        client: document.documentElement.clientWidth,
      }));
      expect(scroll, path).toBeLessThanOrEqual(client);
    }
    await signedOut.close();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Prompts' }).click();
    await expect(page.getByRole('heading', { name: 'Prompts', exact: true })).toBeVisible();
  });
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

import type { Page } from '@playwright/test';
import { type Api, expect, test, withoutLiveUpdates } from './support/fixtures.ts';
import { openMember } from './support/members.ts';

test.beforeEach(withoutLiveUpdates);

test('every link, copied by one member, opens the same page for another who works in a workspace of their own', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  test.setTimeout(300_000);
  await fill(api);
  const context = await browser.newContext({ baseURL: service.url });
  await withoutLiveUpdates({ context });
  const grace = await openMember(await context.newPage(), { api, account, role: 'admin' });
  await grace.goto('/dashboard');

  const start = `/dashboard?workspace=${account.userId}`;
  const found = new Map([[start, start]]);
  // A new tab opens in the person's last workspace, unless the link names another one. What a tab remembers is in its sessionStorage, so
  // that each load without it opens a new tab, which takes half the CPU time of a tab that the browser opens.
  const tab = await context.newPage();
  await tab.addInitScript(() => sessionStorage.clear());
  // The loop also visits the links that it finds.
  for (const address of found.values()) {
    const [shown, shownToGrace] = await Promise.all([openPage(page, address), openPage(tab, address)]);
    expect(shownToGrace, address).toEqual(shown);
    for (const link of await linksOn(page)) {
      const next = `${link.pathname}${link.search}`;
      expect(link.searchParams.get('workspace'), `${address} links to ${next}`).toBe(account.userId);
      if (!found.has(kindOf(link))) found.set(kindOf(link), next);
    }
  }
  expect(found.size).toBeGreaterThan(25);
  await grace.reload();
  await expect(grace.getByRole('button', { name: 'Workspace: Grace Hopper' })).toBeVisible();
  await context.close();
});

async function fill(api: Api): Promise<void> {
  const post = async (path: string, data: object) => expect((await api.request.post(path, { data })).ok(), path).toBe(true);
  await api.createPrompt('support/triage', { template: 'Sort {{ request }}' });
  await api.saveVersion('support/triage', { template: 'Sort this: {{ request }}' });
  await post(api.path('support/triage', '/candidates'), { title: 'Warmer', template: 'Sort kindly: {{ request }}' });
  await api.request.put(api.path('support/triage', '/labels/production'), { data: { version: 1 } });
  await post('/api/proposals', { changes: [{ prompt: 'support/triage', label: 'production', version: 2 }] });
  await post('/api/results', { calls: [{ prompt: 'support/triage', version: 1, label: 'production', durationMs: 800 }] });
}

/** Opens a page, and returns the parts of it that must be the same for two people. */
async function openPage(page: Page, address: string): Promise<object> {
  await page.goto(address);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.locator('[role=status]:has-text("Loading")')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  const headings = await page.getByRole('heading', { level: 1 }).allTextContents();
  const tabs = await page.getByRole('tab', { selected: true }).allTextContents();
  return { title: await page.title(), headings, tabs, path: new URL(page.url()).pathname };
}

async function linksOn(page: Page): Promise<URL[]> {
  const hrefs = await page.locator('a[href^="/dashboard"]').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  return hrefs.map((href) => new URL(href));
}

/** Links that differ only in the prompt or in the values of filters lead to the same kind of page. */
function kindOf({ pathname, searchParams }: URL): string {
  const path = pathname.replace(/(?<=\/prompts\/).+/, '*');
  return [path, ...[...searchParams].map(([name, value]) => (/^(?:view|show)$/.test(name) ? `${name}=${value}` : name)).sort()].join(' ');
}

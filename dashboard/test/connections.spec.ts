import type { Page, Request, Response } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

test('six windows share one stream of events, and another window takes over when the window with the stream is closed', async ({
  signedIn: page,
  context,
  api,
}) => {
  await api.createPrompt('shared', { template: 'one' });
  const open = new Set<Request>();
  const isStream = (message: Request | Response) => /\/api\/events(\?|$)/.test(message.url());
  context.on('request', (request) => isStream(request) && open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  const pages: Page[] = [page];
  while (pages.length < 6) pages.push(await context.newPage());
  const opened = context.waitForEvent('response', isStream);
  for (const each of pages) await each.goto('/dashboard/prompts/shared');
  await opened;
  const expectUpdate = async (version: number) => {
    await api.saveVersion('shared', { template: `text ${version}` });
    for (const each of pages) await expect(each.getByText(`latest v${version}`)).toBeVisible();
  };
  for (const each of pages) await expect(each.getByText('latest v1')).toBeVisible();
  await expectUpdate(2);
  await expect.poll(() => open.size).toBe(1);

  const [stream] = open;
  const leading = stream?.frame().page();
  const reopened = context.waitForEvent('response', isStream);
  await leading?.close();
  pages.splice(0, 6, ...pages.filter((each) => each !== leading));
  // A closed page reports nothing.
  if (stream) open.delete(stream);
  await reopened;
  await expectUpdate(3);
  await expect.poll(() => open.size).toBe(1);
});

test('on a slow connection, something is shown before scripts and styles have arrived', async ({ page }) => {
  await page.goto('about:blank');
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/assets\/(?!theme).*\.(?:js|css)$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  const splash = page.getByText('Loading PromptHarbor…');
  await expect(splash).toBeVisible();
  await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)).toBe(1);
  arrive();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(splash).toBeHidden();
});

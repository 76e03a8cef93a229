import type { Page } from '@playwright/test';
import { expect, expectNoSidewaysScroll, test, withoutLiveUpdates } from './support/fixtures.ts';

test.beforeEach(withoutLiveUpdates);
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const longName = 'W'.repeat(200);
const folders = `${'F'.repeat(70)}/${'G'.repeat(70)}`;

/** Fails if the page, or the text of an open dialog, is wider than the screen. */
async function expectToFit(page: Page, where: string): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectNoSidewaysScroll(page, where);
}

test('the longest texts that the API allows, without spaces, fit on a phone', async ({ signedIn: page, api, service }) => {
  test.setTimeout(600_000);
  const description = 'D'.repeat(2000);
  const tags = Array.from({ length: 20 }, (_, index) => `${'T'.repeat(48)}${index + 10}`);
  for (const name of [longName, `${folders}/${'L'.repeat(50)}`]) {
    await api.createPrompt(name, { template: `{{ ${'v'.repeat(100)} }}${'x'.repeat(2000)}`, description, tags });
    await api.saveVersion(name, { template: 'y'.repeat(2000), message: 'M'.repeat(500), labels: ['m'.repeat(50)] });
  }
  await api.createPrompt('B'.repeat(200));
  await api.request.delete(api.path('B'.repeat(200)));
  await api.fetchPrompt(longName);
  await page.request.patch('/api/account', { data: { name: 'N'.repeat(100) }, headers: { origin: service.url } });

  const prompt = `/dashboard/prompts/${longName}`;
  const nested = `/dashboard/prompts/${folders}/${'L'.repeat(50)}`;
  const paths = ['/dashboard', '/dashboard/prompts', `/dashboard/prompts?folder=${folders}`, prompt, nested, `${prompt}?view=history`];
  const others = ['/dashboard/bin', '/dashboard/settings', `/dashboard/prompts/${'Q'.repeat(200)}`, `${prompt}?view=code`];
  for (const path of [...paths, ...others]) {
    await page.goto(path);
    await expectToFit(page, path.replaceAll(/(.)\1{9,}/g, '$1…'));
  }

  const [copy, code] = [page.getByRole('button', { name: 'Copy fetch snippet' }), page.getByLabel('fetch snippet', { exact: true })];
  const [copyBox, codeBox] = [await copy.boundingBox(), await code.boundingBox()];
  expect((copyBox?.y ?? 0) + (copyBox?.height ?? 0), 'Copy is above the code').toBeLessThanOrEqual(codeBox?.y ?? 0);
  await expect(page.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveCount(20);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByLabel('To', { exact: true }).selectOption('Other label…');
  await page.getByLabel('New label').fill('Not Valid');
  await expect(page.getByLabel('New label')).toHaveAccessibleDescription(/lowercase letters/);
  await expectToFit(page, 'Deploy');
  await page.getByLabel('To', { exact: true }).selectOption('m'.repeat(50));
  const [dialogBox, removeBox] = [
    await page.getByRole('dialog').boundingBox(),
    await page.getByRole('button', { name: /^Remove m/ }).boundingBox(),
  ];
  expect(removeBox?.x, 'Remove is inside the dialog').toBeGreaterThan(dialogBox?.x ?? 0);
});

test('long tags and labels in a row do not overlap', async ({ signedIn: page, api }) => {
  const tags = [`one${'T'.repeat(40)}`, `two${'T'.repeat(40)}`];
  await api.createPrompt(longName, { template: 'Hi', tags });
  await api.saveVersion(longName, { template: 'Hello', labels: ['m'.repeat(50), 'staging'] });
  for (const width of [768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard/prompts');
    const row = page.getByRole('link', { name: longName });
    // The boxes are read one after another, while the row may still change.
    await expect(async () => {
      const version = await row.getByText('v2', { exact: true }).first().boundingBox();
      const boxes = await Promise.all(tags.map((tag) => row.getByText(tag).boundingBox()));
      // Tags that do not fit wrap to a second line, which is hidden.
      for (const tag of boxes.filter((box) => box?.y === boxes[0]?.y)) {
        expect((tag?.x ?? 0) + (tag?.width ?? 0), `at ${width} pixels`).toBeLessThanOrEqual(version?.x ?? 0);
      }
    }).toPass({ timeout: 40_000 });
  }
});

test('text from right to left has its own direction', async ({ signedIn: page, api }) => {
  await api.createPrompt('ברכה', { template: 'שלום {{ name }}!', description: 'תיאור קצר!', tags: ['עברית'] });
  await page.goto('/dashboard/prompts/ברכה');
  for (const text of [
    page.getByRole('heading', { level: 1 }),
    page.getByText('תיאור קצר!'),
    page.getByText('עברית'),
    page.getByTestId('preview'),
  ]) {
    await expect(text).toHaveCSS('direction', 'rtl');
  }
});

test('snippets request a label that exists', async ({ signedIn: page, api, account, request }) => {
  await api.createPrompt('unreleased', { template: 'Hi.' });
  await api.request.delete(api.path('unreleased', '/labels/production'));
  await page.goto('/dashboard/prompts/unreleased?view=code');
  const snippet = page.getByLabel('fetch snippet', { exact: true });
  await expect(snippet).toContainText('?label=latest');
  await expect(page.getByText('No version has the label production')).toContainText('These snippets request the newest version.');

  await api.request.put(api.path('unreleased', '/labels/staging'), { data: { version: 1 } });
  await page.reload();
  await expect(snippet).toContainText('?label=staging');
  await expect(page.getByText('No version has the label production')).toContainText('These snippets request the label staging.');
  const [url = ''] = /http:\/\/[^'\s]+/.exec((await snippet.textContent()) ?? '') ?? [];
  expect((await request.get(url, { headers: { authorization: `Bearer ${account.token}` } })).status()).toBe(200);

  await api.request.put(api.path('unreleased', '/labels/production'), { data: { version: 1 } });
  await page.reload();
  await expect(snippet).not.toContainText('label=');
  await expect(page.getByText('No version has the label production')).toHaveCount(0);
});

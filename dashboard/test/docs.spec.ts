import { findViolations } from './support/accessibility.ts';
import { expect, expectNoSidewaysScroll, readClipboard, test } from './support/fixtures.ts';

test('the reference is searched with the keyboard, and leads back to the dashboard', async ({ page, service }) => {
  await page.goto('/docs');
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  // The page's script adds the field, and handles keys from then on.
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('labels move');
  await expect(page.getByRole('option').first()).toContainText('/api/prompts/{name}/labels/{label}');
  await search.fill('xyzzy');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await search.fill('verify the key');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/docs#verifyToken`);
  await expect(page.getByRole('listbox')).toBeHidden();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('the guides are found from the dashboard, and searched', async ({ signedIn: page, service }) => {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Documentation' }).click();
  await expect(page.getByRole('heading', { name: 'PromptHarbor documentation' })).toBeVisible();
  // The page's script adds the field, and handles keys from then on.
  await expect(page.getByRole('combobox')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('WRITE_LIMIT');
  await expect(page.getByRole('option').first()).toContainText('Settings');
  await page.getByRole('combobox').fill('restore backup');
  await page.getByRole('option', { name: 'Backups' }).first().click();
  await expect(page).toHaveURL(`${service.url}/docs/guides/operating#backups`);
  await expect(page.getByRole('heading', { name: 'Backups', exact: true })).toBeInViewport();
  await page.locator('.sample').first().getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => readClipboard(page)).toContain('promptharbor');
});

test('ASVS 14.3.3: the reader’s key is filled into the examples on demand, masked, and stored nowhere', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/docs');
  const sample = page.locator('#verifyToken .sample').first();
  await sample.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => readClipboard(page)).toContain('Bearer $PROMPTHARBOR_API_KEY"');

  await page.getByRole('button', { name: 'Fill in my key' }).click();
  await expect(page.getByRole('button', { name: 'Show my key' })).toBeVisible();
  await expect(sample).not.toContainText('$PROMPTHARBOR_API_KEY');
  await expect(page.locator('body')).not.toContainText(account.token);
  await sample.getByRole('button', { name: /Cop/ }).click();
  await expect.poll(() => readClipboard(page)).toContain(`Bearer ${account.token}"`);
  await page.getByRole('button', { name: 'Show my key' }).click();
  await expect(sample).toContainText(account.token);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(stored).not.toMatch(/ph_[0-9a-f]{64}/);

  await page.goto('/dashboard');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Fill in my key' })).toBeVisible();
  await expect(page.locator('body')).not.toContainText(account.token);
});

test.describe('signed out', () => {
  test.use({ allows4xx: true });

  test('the button for the key opens the sign-in page', async ({ page }) => {
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Fill in my key' }).click();
    await expect(page.getByRole('status').getByRole('link', { name: 'Sign in' })).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('fits, in light and dark, without accessibility violations', async ({ page }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/docs');
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      expect(await page.evaluate(() => document.fonts.load('16px "Inter Variable"').then((fonts) => fonts.length))).toBe(1);
      await expectNoSidewaysScroll(page);
      await page.getByRole('combobox').fill('prompt');
      // The page is long, and its operations are all alike.
      await page.evaluate(() => {
        for (const section of document.querySelectorAll('main section'))
          if (!section.matches(':has(#verifyToken, h1), #verifyToken')) section.remove();
      });
      await expect(page.locator('#verifyToken')).toBeVisible();
      expect(await findViolations(page)).toEqual([]);
      await page.goto('/docs/guides/settings');
      await expectNoSidewaysScroll(page);
      expect(await findViolations(page)).toEqual([]);
    }
  });
});

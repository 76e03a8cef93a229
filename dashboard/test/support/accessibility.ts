import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';

/** The minified script is used because each checked page has to compile the script. It is less than half as long as the readable script. */
const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Checks every rule in light mode, and in dark mode those that depend on colors. Continues after a violation, so that one run shows all
 * violations.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectAccessibleIn(page, 'light', {});
  await expectAccessibleIn(page, 'dark', { runOnly: ['color-contrast', 'link-in-text-block'] });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectAccessibleIn(page: Page, colorScheme: 'light' | 'dark', options: RunOptions): Promise<void> {
  // Disables transitions, so that no color is measured halfway.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
  expect.soft(await findViolations(page, options), `${page.url()}, ${colorScheme}`).toEqual([]);
}

/** Runs axe on the page or on parts of it. A direct call is several times faster than axe's package for Playwright. */
export async function findViolations(page: Page, options: RunOptions = {}, include: string[] = ['html']): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(script);
  return page.evaluate(
    async ([given, parts]) => {
      const { run } = Reflect.get(globalThis, 'axe') as typeof axe;
      const { violations } = await run({ include: parts }, { ...given, resultTypes: ['violations'], selectors: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`);
    },
    [options, include] as const,
  );
}

import { expect, test, write } from './support/fixtures.ts';
import { startService } from './support/service.ts';

test.describe('on a server without accounts', () => {
  test('the first visit leads to sign-up, later ones to sign-in', async ({ browser }) => {
    const service = await startService();
    const context = await browser.newContext({ baseURL: service.url });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page).toHaveURL(/\/signup$/);
    await expect(page.getByText('This is the first account on this server.')).toBeVisible();
    await page.getByLabel('Email').fill('first@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);

    await context.clearCookies();
    await page.goto('/');
    await expect(page).toHaveURL(/\/login$/);
    await context.close();
    await service.stop();
  });
});

test.describe('at an unknown path', () => {
  test.use({ allows4xx: true });

  test('a page says that nothing is there, and links to the dashboard', async ({ page }) => {
    await page.goto('/nowhere/at/all');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page).toHaveURL(/\/login$/);
    for (const path of ['/%', '/nowhere/%zz']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    }
  });
});

test('placeholders and includes are explained where they are offered', async ({ signedIn: page, api, context }) => {
  await api.createPrompt('chat', { messages: [{ role: 'system', content: 'Hi' }] });
  for (const [path, link, heading] of [
    ['/dashboard/prompts/chat', 'How placeholders work', 'Placeholders'],
    ['/dashboard/prompts/chat?view=dependencies', 'How includes work', 'Includes'],
  ] as const) {
    await page.goto(path);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: link }).click();
    await expect((await opened).getByRole('heading', { name: heading, exact: true })).toBeInViewport();
  }
});

test.describe('an include of a prompt that does not exist', () => {
  test.use({ allows4xx: true });

  test('leads to creating it, and the draft is kept', async ({ signedIn: page, api }) => {
    await api.createPrompt('greeting', { template: 'Hello.' });
    await page.goto('/dashboard/prompts/greeting');
    await write(page, 'Template', "Hello. {% render 'shared/tone' %}");
    await page.getByRole('link', { name: 'Create shared/tone' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('shared/tone');
    await write(page, 'Template', 'Be kind.');
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await expect(page).toHaveURL(/prompts\/shared\/tone$/);

    await page.goto('/dashboard/prompts/greeting');
    await expect(page.getByTestId('preview')).toHaveText('Hello. Be kind.');
    await write(page, 'Template', "Hello. {% render 'nowhere' %}");
    await page.getByRole('tab', { name: 'Dependencies' }).click();
    await page.getByRole('link', { name: 'Create nowhere' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('nowhere');
  });

  test('in mustache syntax gets an error that shows the Liquid form', async ({ signedIn: page, api }) => {
    await api.createPrompt('greeting', { template: 'Hello.' });
    await page.goto('/dashboard/prompts/greeting');
    await write(page, 'Template', 'Hello. {{> shared/tone }}');
    await expect(page.getByText("Include a prompt with {% render 'shared/tone' %}")).toBeVisible();
  });
});

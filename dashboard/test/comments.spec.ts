import { expectAccessible } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, openLive, test } from './support/fixtures.ts';
import { openMember } from './support/members.ts';

const name = 'support/triage';

test('two people discuss a line of a proposal, and see each other’s comments at once', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  test.setTimeout(180_000);
  await createVersions(api);
  const id = await propose(api);
  const context = await browser.newContext({ baseURL: service.url });
  const grace = await openMember(await context.newPage(), { api, account, role: 'editor' });
  const path = `/dashboard/proposals/${id}?workspace=${account.userId}`;
  await openLive(grace, path);
  await page.goto(path);
  await expect(page.getByRole('region', { name: 'Discussion' })).toBeVisible();

  await test.step('a comment on a line, by keyboard, with a mention', async () => {
    await grace.getByRole('textbox', { name: 'Version 2', exact: true }).focus();
    await grace.keyboard.press('Tab');
    await expect(grace.getByRole('button', { name: 'Comment on line 1 of Version 2' })).toBeFocused();
    await grace.keyboard.press('ArrowDown');
    await expect(grace.getByRole('button', { name: 'Comment on line 2 of Version 2' })).toBeFocused();
    await grace.keyboard.press('Enter');
    const field = grace.getByRole('textbox', { name: 'Comment on line 2 of Version 2' });
    await expect(field).toBeFocused();
    await field.pressSequentially('@ad');
    const suggestion = grace.getByRole('option', { name: /Ada Lovelace/ });
    await expect(suggestion).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(grace);
    await grace.keyboard.press('Enter');
    await expect(field).toHaveValue('@Ada Lovelace ');
    await field.pressSequentially('is <b>this</b> polite?');
    await grace.keyboard.press('Control+Enter');
    await expect(field).toHaveCount(0);
  });

  const thread = page.getByRole('group', { name: 'Thread by Grace Hopper' });
  await test.step('the other person sees it below the line, replies and is notified', async () => {
    await expect(thread).toContainText('@Ada Lovelace is <b>this</b> polite?');
    await expect(thread.locator('strong')).toHaveText('@Ada Lovelace');
    await expect(page.locator('.cm-lineAnnotation').filter({ has: thread })).toHaveCount(1);
    await expectAccessible(page);
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByRole('textbox', { name: 'Reply' }).fill('Very.');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await expect(grace.getByRole('group', { name: 'Thread by Grace Hopper' })).toContainText('Very.');
    const notified = await page.request.get('/api/notifications');
    expect((await notified.json()).data[0].text).toContain('Grace Hopper mentioned you in a comment on version 2');
  });

  await test.step('the author edits and deletes, and a thread is resolved', async () => {
    const mine = grace.getByRole('article', { name: 'Comment by Grace Hopper' });
    await mine.getByRole('button', { name: 'Edit' }).click();
    await mine.getByLabel('Edit comment').fill('Is this polite?');
    await mine.getByRole('button', { name: 'Save' }).click();
    await expect(thread).toContainText('Is this polite?');
    await expect(thread).toContainText('edited');
    await expect(grace.getByRole('article', { name: 'Comment by Ada Lovelace' }).getByRole('button', { name: 'Delete' })).toHaveCount(0);
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await expect(grace.getByText('Ada Lovelace resolved this thread.')).toBeVisible();
    await grace.getByRole('button', { name: 'Show' }).click();
    await grace.getByRole('button', { name: 'Reopen' }).click();
    await expect(thread).toContainText('Is this polite?');
  });

  await test.step('the version’s page shows the thread, and takes comments about the whole version', async () => {
    await page.goto(`/dashboard/prompts/${name}?view=history&from=1&to=2`);
    await expect(thread).toContainText('Is this polite?');
    await expect(thread.getByRole('link', { name: 'From a proposal' })).toHaveAttribute('href', new RegExp(id));
    await page.getByRole('textbox', { name: 'Comment on version 2' }).fill('Kept short.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await expect(page.getByRole('group', { name: 'Thread by Ada Lovelace' })).toContainText('Kept short.');
    await page.getByRole('textbox', { name: 'Version 1', exact: true }).hover();
    await page.getByRole('button', { name: 'Comment on line 1 of Version 1' }).click();
    await page.getByRole('textbox', { name: 'Comment on line 1 of Version 1' }).fill('Too short.');
    await page.getByRole('button', { name: 'Add comment' }).first().click();
    await expect(page.locator('.cm-lineAnnotation').filter({ hasText: 'Too short.' })).toHaveCount(1);
    await expectAccessible(page);
  });

  await test.step('the activity says who did what', async () => {
    await page.goto('/dashboard/settings/activity');
    await expect(page.getByText(`commented on line 2 of v2 of ${name}`)).toBeVisible();
    await expect(page.getByText(`proposed to move production of ${name} to v2`)).toBeVisible();
    await expect(page.getByText('polite')).toHaveCount(0);
  });
  await context.close();
});

test('a thread follows its line through a changed candidate, and is kept when the line is gone', async ({ signedIn: page, api }) => {
  await createVersions(api);
  const candidates = api.path(name, '/candidates');
  const created = await api.request.post(candidates, { data: { title: 'Kinder', template: 'Hello,\ndear {{ name }}.\nBye' } });
  const candidate = (await created.json()) as { id: string };
  const id = await propose(api, { changes: [{ prompt: name, label: 'production', candidate: candidate.id }] });
  for (const [line, text] of [
    [2, 'About dear'],
    [3, 'About bye'],
  ] as const) {
    const data = { proposal: id, prompt: name, candidate: candidate.id, anchor: { part: 'text', line }, text };
    expect((await api.request.post('/api/comments', { data })).status()).toBe(201);
  }
  await openLive(page, `/dashboard/proposals/${id}`);
  const lines = page.locator('.cm-lineAnnotation');
  await expect(lines).toHaveCount(2);
  const data = { title: 'Kinder', template: 'Good day,\nhello,\ndear {{ name }}.', revision: 1 };
  expect((await api.request.put(`${candidates}/${candidate.id}`, { data })).status()).toBe(200);
  await expect(page.getByText('On line 3: Bye')).toBeVisible();
  await expect(lines).toHaveCount(1);
  await expect(lines).toContainText('About dear');
});

test('on a phone, threads and forms fit', async ({ signedIn: page, api }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await createVersions(api);
  const id = await propose(api);
  const data = { proposal: id, prompt: name, version: 2, anchor: { part: 'text', line: 1 }, text: 'long'.repeat(100) };
  expect((await api.request.post('/api/comments', { data })).status()).toBe(201);
  await page.goto(`/dashboard/proposals/${id}`);
  await expect(page.getByText(/^longlong/)).toBeVisible();
  await page.getByRole('button', { name: 'Comment on line 2 of Version 2' }).click();
  await expect(page.getByRole('textbox', { name: 'Comment on line 2 of Version 2' })).toBeFocused();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

/** Creates a prompt with two versions, the first of which is in production. */
async function createVersions(api: Api): Promise<void> {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Good day,\nDear {{ name }}.' });
}

async function propose(api: Api, body: object = {}): Promise<string> {
  const data = { changes: [{ prompt: name, label: 'production', version: 2 }], ...body };
  const response = await api.request.post('/api/proposals', { data });
  expect(response.status(), await response.text()).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

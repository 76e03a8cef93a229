import { expectAccessible, findViolations } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, openLive, test } from './support/fixtures.ts';
import { openMember } from './support/members.ts';

// The service refuses some requests of these tests.
test.use({ allows4xx: true });

test('an admin requires proposals for a label, and only the owner changes a rule that admins may not override', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  await page.goto('/dashboard/settings/labels');
  const rules = page.getByRole('group', { name: 'Rules for production' });
  await rules.getByText('Require proposals').click();
  const asked = page.getByRole('dialog', { name: 'Require proposals for production?' });
  await asked.getByLabel('Approvals', { exact: true }).selectOption('2');
  expect(await findViolations(page)).toEqual([]);
  expect(await fetchRules(api)).toEqual({});
  await asked.getByRole('button', { name: 'Require proposals' }).click();
  await expect(page.getByText('Moving production requires a proposal.')).toBeVisible();
  await expect(rules.getByRole('switch', { name: /Require proposals/ })).toBeChecked();
  await expect(rules).toContainText('A proposal needs 2 approvals. Admins and the owner can move the label without a proposal.');
  const rule = { approvals: 2, authorMayApprove: false, keysMayApply: false, override: 'admin' };
  expect(await fetchRules(api)).toEqual({ production: rule });

  await rules.getByRole('button', { name: 'Change rule' }).click();
  const changed = page.getByRole('dialog', { name: 'Change the rule for production' });
  await changed.getByRole('checkbox', { name: /Authors may approve/ }).check();
  await changed.getByRole('checkbox', { name: /API keys may apply/ }).check();
  await changed.getByLabel('Who can move the label without a proposal').selectOption('Nobody');
  await changed.getByRole('button', { name: 'Save rule' }).click();
  await expect(rules).toContainText(
    'Authors may approve. API keys may apply approved proposals. Nobody can move the label without a proposal.',
  );
  expect(await fetchRules(api)).toEqual({ production: { ...rule, authorMayApprove: true, keysMayApply: true, override: 'nobody' } });
  await expectAccessible(page);

  await test.step('another admin cannot change it', async () => {
    const admin = await openMember(await (await browser.newContext({ baseURL: service.url })).newPage(), { api, account, role: 'admin' });
    await admin.goto(`/dashboard/settings/labels?workspace=${account.userId}`);
    const shown = admin.getByRole('group', { name: 'Rules for production' });
    await expect(shown).toContainText('Only the owner can change this rule.');
    await expect(shown.getByRole('switch', { name: /Require proposals/ })).toHaveCount(0);
    await expect(admin.getByRole('group', { name: 'Rules for staging' }).getByRole('switch')).toHaveCount(3);
    await admin.context().close();
  });

  await rules.getByText('Require proposals').click();
  const removed = page.getByRole('alertdialog', { name: 'Stop requiring proposals for production?' });
  await removed.getByRole('button', { name: 'Remove rule' }).click();
  await expect(page.getByText('production no longer requires proposals.')).toBeVisible();
  expect(await fetchRules(api)).toEqual({});
  await page.goto('/dashboard/settings/activity');
  await expect(page.getByText(/required proposals for production/)).toBeVisible();
  await expect(page.getByText(/changed the proposal rules for production/)).toBeVisible();
  await expect(page.getByText(/stopped requiring proposals for production/)).toBeVisible();
});

test('two people propose, discuss, approve and apply a change, and see each other’s actions at once', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  test.setTimeout(180_000);
  await createVersions(api);
  await setRule(api, {});
  const context = await browser.newContext({ baseURL: service.url });
  const grace = await openMember(await context.newPage(), { api, account, role: 'editor' });
  const inWorkspace = `workspace=${account.userId}`;
  await openLive(grace, `/dashboard/proposals?${inWorkspace}`);
  await expect(grace.getByRole('heading', { name: 'Nothing is waiting for you' })).toBeVisible();
  await expectAccessible(grace);

  await page.goto(`/dashboard/prompts/${name}`);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy' });
  await expect(dialog.getByRole('status')).toContainText('Moving production requires a proposal. This one needs 1 approval');
  await expect(dialog.getByRole('button', { name: 'Deploy v3' })).toHaveCount(0);
  await dialog.getByLabel('What is this for?').fill('A warmer greeting\n\nAsked for by the support team.');
  await dialog.getByRole('checkbox', { name: 'Grace Hopper' }).check();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose v3' }).click();
  const opened = page.getByRole('dialog', { name: 'Proposal opened' });
  await expect(opened).toContainText('Move production of support/triage to v3');
  expect((await api.fetchPrompt(name)).version).toBe(2);
  await opened.getByRole('link', { name: 'Open the proposal' }).click();
  await expect(page.getByRole('heading', { name: 'A warmer greeting' })).toBeVisible();
  await expect(page.getByText('You opened this proposal, so someone else has to approve it.')).toBeVisible();
  await expect(page.getByText('Asked for a review: Grace Hopper.')).toBeVisible();
  for (const action of ['Approve', 'Apply']) await expect(page.getByRole('button', { name: action })).toHaveCount(0);
  await page.keyboard.press('a');

  await test.step('the reviewer sees the difference, comments, and approves with one key', async () => {
    await expect(grace.getByRole('link', { name: /Proposals 1 waiting for you/ })).toBeVisible();
    await grace
      .getByRole('link', { name: /^A warmer greeting|A warmer greeting/ })
      .first()
      .click();
    const change = grace.getByRole('region', { name: 'Move production of support/triage to v3' });
    await expect(change).toContainText('Good day');
    await expect(change).toContainText('Dear');
    await expect(change).toContainText('0 of 1 approvals');
    await expect(change).toContainText('production is at v2 now.');
    await expect(change).toContainText('Ada Lovelace wrote v3.');
    await expectAccessible(grace);
    const discussion = grace.getByRole('region', { name: 'Discussion' });
    await discussion.getByRole('textbox', { name: 'Comment' }).fill('Nice! I will try it.');
    await discussion.getByRole('button', { name: 'Add comment' }).click();
    await expect(page.getByRole('region', { name: 'Discussion' })).toContainText('Nice! I will try it.');
    await expect(discussion.getByRole('textbox', { name: 'Comment' })).toHaveValue('');
    await grace.getByRole('heading', { level: 1 }).click();
    await grace.keyboard.press('a');
    await expect(grace.getByText('Approved.')).toBeVisible();
    await expect(grace.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  });

  expect((await api.fetchPrompt(name)).version).toBe(2);
  await expect(page.getByText('It has all required approvals.')).toBeVisible();
  await expect(page.getByText('1 of 1 approvals')).toBeVisible();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('production of support/triage is now at v3.')).toBeVisible();
  await expect(grace.getByText(/Ada Lovelace applied this proposal/)).toBeVisible();
  await expect(grace.getByRole('region', { name: 'Decision' })).toHaveCount(0);
  expect((await api.fetchPrompt(name)).version).toBe(3);
  await page.goto('/dashboard/proposals?show=ended');
  await expect(page.getByRole('link', { name: /A warmer greeting applied/ })).toBeVisible();

  await test.step('a version that was live before needs no proposal', async () => {
    await page.goto(`/dashboard/prompts/${name}`);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await dialog.getByLabel('Version').selectOption('2');
    await dialog.getByRole('button', { name: 'Roll back to v2' }).click();
    await expect(page.getByText('production is now at v2.')).toBeVisible();
  });
  await context.close();
});

test('a proposal is declined with a reason, withdrawn, and stale after a change', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  await createVersions(api);
  await setRule(api, {});
  const id = await propose(api);
  const context = await browser.newContext({ baseURL: service.url });
  const grace = await openMember(await context.newPage(), { api, account, role: 'editor' });
  const path = (proposal: string) => `/dashboard/proposals/${proposal}?workspace=${account.userId}`;
  await openLive(grace, path(id));
  await grace.getByRole('button', { name: 'Approve' }).click();
  await expect(grace.getByText('It has all required approvals.')).toBeVisible();

  await test.step('a change after the approval', async () => {
    await moveBack(api);
    await expect(grace.getByText(/Something changed after the approval/)).toBeVisible();
    await expect(grace.getByText('before a later change')).toBeVisible();
    await expect(grace.getByRole('button', { name: 'Apply' })).toHaveCount(0);
  });
  await test.step('a decision on a proposal that others have changed is refused with an explanation', async () => {
    await grace.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));
    await grace.reload();
    await expect(grace.getByRole('button', { name: 'Approve' })).toBeVisible();
    await moveBack(api, 2);
    await grace.getByRole('button', { name: 'Approve' }).click();
    await expect(grace.getByRole('alert')).toContainText('Review the proposal again, then decide.');
  });
  await grace.getByRole('button', { name: 'Decline' }).click();
  const decline = grace.getByRole('dialog', { name: 'Decline this proposal?' });
  await decline.getByLabel('Why?').fill('Too formal');
  expect(await findViolations(grace)).toEqual([]);
  await decline.getByRole('button', { name: 'Decline' }).click();
  await expect(grace.getByText(/Grace Hopper declined this proposal/)).toBeVisible();
  await page.goto(path(id));
  await expect(page.getByRole('region', { name: 'Reviews' })).toContainText('Too formal');
  expect((await api.fetchPrompt(name)).version).toBe(2);

  await page.goto(path(await propose(api)));
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('alertdialog', { name: 'Withdraw this proposal?' }).getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText(/Ada Lovelace withdrew this proposal/)).toBeVisible();
  await page.goto('/dashboard/proposals/prop_unknown');
  await expect(page.getByRole('heading', { name: 'No such proposal' })).toBeVisible();
  await context.close();
});

test('an admin overrides the rule with a reason, and a saved version is proposed in a second step', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await setRule(api, {});
  await page.goto(`/dashboard/prompts/${name}`);
  await page.getByRole('textbox', { name: 'Template' }).fill('Hi {{ name }}.');
  await page.getByRole('button', { name: 'Save version' }).click();
  const save = page.getByRole('dialog', { name: 'Save version 4' });
  await save.getByRole('checkbox', { name: /production/ }).check();
  await expect(save).toContainText('Moving production requires a proposal.');
  await save.getByRole('button', { name: 'Save, then propose' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy' });
  await expect(dialog.getByRole('button', { name: 'Propose v4' })).toBeVisible();
  expect((await api.fetchPrompt(name)).version).toBe(2);

  await dialog.getByRole('radio', { name: 'To some callers first' }).check();
  await dialog.getByRole('button', { name: 'Propose release of v4' }).click();
  const opened = page.getByRole('dialog', { name: 'Proposal opened' });
  await expect(opened).toContainText('Release on production of support/triage: v4 to 1%');
  await opened.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await dialog.getByRole('checkbox', { name: /Deploy without a proposal/ }).check();
  const override = dialog.getByRole('button', { name: 'Override and deploy v4' });
  await expect(override).toBeDisabled();
  await dialog.getByLabel('Reason').fill('Outage');
  await override.click();
  await expect(page.getByText('production is now at v4.')).toBeVisible();
  expect((await api.fetchPrompt(name)).version).toBe(4);
});

test('a change of several prompts is one proposal, which moves all of them together', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await api.createPrompt('support/other');
  await api.saveVersion('support/other', { template: 'Other' });
  await setRule(api, { authorMayApprove: true });
  await page.goto('/dashboard/prompts?folder=support');
  for (const each of ['triage', 'other']) await page.getByRole('checkbox', { name: new RegExp(`Select .*${each}`) }).click();
  await page.getByRole('region', { name: 'Selected prompts' }).getByRole('button', { name: 'Deploy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy 2 prompts' });
  await expect(dialog).toContainText('All labels move together when the proposal is applied.');
  await dialog.getByLabel('What is this for?').fill('New tone');
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose 2 prompts' }).click();
  await page.getByRole('dialog', { name: 'Proposal opened' }).getByRole('link', { name: 'Open the proposal' }).click();
  await expect(page.getByRole('heading', { name: 'New tone' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Move production of support/triage to v3' })).toContainText('Good day');
  await expect(page.getByRole('region', { name: 'Move production of support/other to v2' })).toContainText('production is at v1 now.');
  expect((await api.fetchPrompt(name)).version).toBe(2);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText(/applied this proposal/)).toBeVisible();
  expect((await api.fetchPrompt(name)).version).toBe(3);
  expect((await api.fetchPrompt('support/other')).version).toBe(2);
});

test('on a phone, the list and the review page fit', async ({ signedIn: page, api }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await createVersions(api);
  await setRule(api, { authorMayApprove: true });
  const id = await propose(api, { message: `${'long'.repeat(100)}\nmore` });
  await page.goto('/dashboard/proposals');
  await expect(page.getByRole('listitem').filter({ hasText: 'longlong' })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.goto(`/dashboard/proposals/${id}`);
  await expect(page.getByText('0 of 1 approvals')).toBeVisible();
  await expect(page.getByText('Good day').first()).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

const name = 'support/triage';

/** Creates a prompt with three versions, the second of which is in production. */
async function createVersions(api: Api): Promise<void> {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Dear {{ name }}.', labels: ['production'] });
  await api.saveVersion(name, { template: 'Good day, {{ name }}.' });
}

async function setRule(api: Api, rule: object): Promise<void> {
  const response = await api.request.patch('/api/workspace', { data: { labelRules: { production: { approvals: 1, ...rule } } } });
  expect(response.status(), await response.text()).toBe(200);
}

async function propose(api: Api, body: object = {}): Promise<string> {
  const data = { changes: [{ prompt: name, label: 'production', version: 3 }], message: 'A warmer greeting', ...body };
  const response = await api.request.post('/api/proposals', { data });
  expect(response.status(), await response.text()).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

/** Moves production by an override, to the first version unless another one is given. */
async function moveBack(api: Api, version = 1): Promise<void> {
  const data = { version, override: 'Outage' };
  expect((await api.request.put(api.path(name, '/labels/production'), { data })).status()).toBe(200);
}

async function fetchRules(api: Api): Promise<unknown> {
  const response = await api.request.get('/api/workspace');
  return ((await response.json()) as { labelRules: unknown }).labelRules;
}

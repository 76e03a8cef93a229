import { expectAccessible, findViolations } from './support/accessibility.ts';
import { type Api, expect, expectNoSidewaysScroll, openLive, test, write } from './support/fixtures.ts';
import { openMember } from './support/members.ts';

// The service refuses some requests of these tests.
test.use({ allows4xx: true });

const name = 'support/triage';

test('a draft becomes a candidate, which two people change, compare, run checks on and propose', async ({
  signedIn: page,
  api,
  account,
  browser,
  service,
}) => {
  test.setTimeout(240_000);
  await createVersions(api);
  await api.request.patch('/api/workspace', { data: { labelRules: { production: { approvals: 1 } } } });
  const checks = [{ kind: 'contains', value: 'Hi', on: 'prompt' }];
  await api.request.post(api.path(name, '/cases'), { data: { name: 'Greets', variables: { name: 'Ada' }, checks } });
  const context = await browser.newContext({ baseURL: service.url });
  const grace = await openMember(await context.newPage(), { api, account, role: 'editor' });

  await openLive(grace, `/dashboard/prompts/${name}?view=candidates&workspace=${account.userId}`);
  await expect(grace.getByRole('heading', { name: 'No candidates yet' })).toBeVisible();
  await expectAccessible(grace);

  await page.goto(`/dashboard/prompts/${name}`);
  await write(page, 'Template', 'Hi {{ name }}.\nHow are you?\nBye.');
  await page.getByRole('button', { name: 'Save version' }).click();
  const save = page.getByRole('dialog');
  await save.getByRole('radio', { name: 'Candidate' }).check();
  await expect(page.getByRole('dialog', { name: 'Save a candidate' })).toBeVisible();
  await save.getByRole('button', { name: 'Save candidate' }).click();
  await expect(save.getByText('Enter a name')).toBeVisible();
  await save.getByLabel('Name').fill('A warmer tone');
  await save.getByLabel('What changed?').fill('Asked for by the support team');
  expect(await findViolations(page)).toEqual([]);
  await save.getByRole('button', { name: 'Save candidate' }).click();
  await expect(page.getByRole('heading', { name: 'A warmer tone', level: 1 })).toBeVisible();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await expect(page).toHaveURL(/candidate=cand_/);
  expect((await listVersions(api)).length).toBe(2);

  await test.step('another person finds it in the list and opens it by its address', async () => {
    const row = grace.getByRole('list', { name: 'Candidates' }).getByRole('listitem');
    await expect(row).toContainText('Ada Lovelace changed it');
    await expect(row).toContainText('based on v2');
    await expectAccessible(grace);
    await row.getByRole('link', { name: 'A warmer tone' }).click();
    await expect(grace.getByRole('textbox', { name: 'Template' })).toContainText('How are you?');
    await grace.reload();
    await expect(grace.getByRole('heading', { name: 'A warmer tone', level: 1 })).toBeVisible();
    await expectAccessible(grace);
  });

  await test.step('what another person saves appears at once, with a message', async () => {
    await openLive(page, page.url());
    await write(grace, 'Template', 'Hello there {{ name }}.\nHow are you?\nBye.');
    await grace.keyboard.press('ControlOrMeta+s');
    await expect(grace.getByText('Candidate saved.')).toBeVisible();
    await expect(page.getByText('Grace Hopper changed this candidate.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Hello there');
    await expect(page.getByText('revision 2')).toBeVisible();
  });

  await test.step('concurrent changes by two people are merged', async () => {
    await write(page, 'Template', 'Hello there {{ name }}.\nHow are you?\nSee you!');
    await write(grace, 'Template', 'Hi dear {{ name }}.\nHow are you?\nBye.');
    await grace.getByRole('button', { name: 'Save candidate' }).click();
    await expect(page.getByText(/Grace Hopper changed this candidate in the meantime/)).toBeVisible();
    await page.getByRole('button', { name: 'Save candidate' }).click();
    const merge = page.getByRole('dialog', { name: 'Revision 3 was saved in the meantime' });
    await expect(merge).toContainText('The result contains both.');
    expect(await findViolations(page)).toEqual([]);
    await merge.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('button', { name: 'Save candidate' }).click();
    await expect(page.getByText('Candidate saved.')).toBeVisible();
    await expect(grace.getByRole('textbox', { name: 'Template' })).toContainText('See you!');
    await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Hi dear');
  });

  await test.step('it can be compared with any version', async () => {
    await page.getByRole('tab', { name: 'Compare' }).click();
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await expect(comparison).toContainText('Dear');
    await comparison.getByLabel('Compare with').selectOption('1');
    await expect(comparison).toContainText('Version 1');
    await expect(page).toHaveURL(/from=1/);
    await expectAccessible(page);
  });

  await test.step('the test cases run on it', async () => {
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByRole('button', { name: 'Run the test case' }).click();
    await expect(page.getByText('“A warmer tone”: 1 test case passed')).toBeVisible();
    await expect(page.locator('option:checked', { hasText: '“A warmer tone” · all 1 passed' })).toHaveCount(1);
    await expect(page).toHaveURL(/candidate=cand_/);
  });

  await test.step('it is proposed for a label', async () => {
    await page.getByRole('button', { name: 'Propose' }).click();
    const dialog = page.getByRole('dialog', { name: 'Propose' });
    await expect(dialog).toContainText('Moving production requires a proposal.');
    await dialog.getByLabel('What is this for?').fill('Warmer');
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Propose' }).click();
    const opened = page.getByRole('dialog', { name: 'Proposal opened' });
    await expect(opened).toContainText('to the candidate “A warmer tone”');
    expect((await api.fetchPrompt(name)).version).toBe(2);
    await opened.getByRole('button', { name: 'Close' }).last().click();
    await expect(grace.getByText('If the candidate changes, new approvals are needed.')).toBeVisible();
    await grace.getByRole('link', { name: 'Warmer', exact: true }).click();
    await expect(grace.getByRole('region', { name: 'Checks' })).toContainText('Candidate: A warmer tone: all 1 passed');
    await expectAccessible(grace);
    await grace.getByRole('link', { name: 'Open the candidate' }).click();
    await expect(grace.getByRole('heading', { name: 'A warmer tone', level: 1 })).toBeVisible();
  });
  await context.close();
});

test('a candidate is merged with a newer version, becomes a version, and is deployed', async ({ signedIn: page, api }) => {
  await createVersions(api);
  const id = await createCandidate(api, { template: 'Dear {{ name }}.\nHow are you?\nBye.' });
  await api.saveVersion(name, { template: 'Good day {{ name }}.\nHow are you?' });
  await page.goto(`/dashboard/prompts/${name}?candidate=${id}`);
  await expect(page.getByText(/Version 3 was saved after this candidate was started from version 2/)).toBeVisible();
  await page.getByRole('button', { name: 'Make version' }).click();
  const make = page.getByRole('dialog', { name: 'Make version 4' });
  await make.getByRole('button', { name: 'Make version 4' }).click();
  await expect(make.getByRole('alert')).toContainText('Merge it into the candidate first.');
  await make.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Merge v3' }).click();
  const merge = page.getByRole('dialog', { name: 'Version 3 was saved in the meantime' });
  await expect(merge).toContainText('The result contains both.');
  await merge.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Make version' })).toBeDisabled();
  await page.getByRole('button', { name: 'Save candidate' }).click();
  await expect(page.getByText('based on v3')).toBeVisible();

  await page.getByRole('button', { name: 'Make version' }).click();
  await make.getByRole('button', { name: 'Make and deploy…' }).click();
  const deploy = page.getByRole('dialog', { name: 'Deploy' });
  await deploy.getByRole('button', { name: 'Deploy v4' }).click();
  await expect(page).not.toHaveURL(/candidate=/);
  const live = await api.fetchPrompt(name);
  expect([live.version, live.template]).toEqual([4, 'Good day {{ name }}.\nHow are you?\nBye.']);
});

test('a candidate that another person deletes keeps the user’s changes', async ({ signedIn: page, api }) => {
  await createVersions(api);
  const id = await createCandidate(api);
  await openLive(page, `/dashboard/prompts/${name}?candidate=${id}`);
  await write(page, 'Template', 'Mine {{ name }}');
  expect((await api.request.delete(api.path(name, `/candidates/${id}`))).status()).toBe(204);
  await expect(page.getByText('This candidate no longer exists.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Mine');
  await page.getByRole('button', { name: 'Save as new candidate' }).click();
  await expect(page.getByText('This candidate no longer exists.')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Mine');
  await expect(page).not.toHaveURL(new RegExp(id));

  await test.step('the name changes without the unsaved content, and the candidate is deleted', async () => {
    await write(page, 'Template', 'Later {{ name }}');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Name and message' }).click();
    const details = page.getByRole('dialog', { name: 'Name and message' });
    await details.getByLabel('Name').fill('Renamed');
    await details.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Renamed', level: 1 })).toBeVisible();
    await expect(page.getByText('Unsaved changes')).toBeVisible();
    await page.reload();
    await expect(page.getByText(/Your unsaved changes .* were restored/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Later');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('textbox', { name: 'Template' })).toContainText('Mine');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete candidate' }).click();
    await expect(page.getByRole('heading', { name: 'No candidates yet' })).toBeVisible();
  });
  await page.goto(`/dashboard/prompts/${name}?candidate=${id}`);
  await expect(page.getByRole('heading', { name: 'Candidate not found' })).toBeVisible();
});

test('an editor saves a version for a protected label and proposes it; a viewer only reads', async ({ api, account, browser, service }) => {
  await createVersions(api);
  await api.request.patch('/api/workspace', { data: { protectedLabels: ['production'] } });
  const inWorkspace = `workspace=${account.userId}`;
  const context = await browser.newContext({ baseURL: service.url });
  const grace = await openMember(await context.newPage(), { api, account, role: 'editor' });
  await grace.goto(`/dashboard/prompts/${name}?${inWorkspace}`);
  await write(grace, 'Template', 'Hi {{ name }}');
  await grace.getByRole('button', { name: 'Save version' }).click();
  const save = grace.getByRole('dialog', { name: 'Save version 3' });
  await save.getByRole('checkbox', { name: /production/ }).check();
  await expect(save).toContainText('Only deployers and admins can move production. Save the version first, then propose the move.');
  expect(await findViolations(grace)).toEqual([]);
  await save.getByRole('button', { name: 'Save, then propose' }).click();
  await grace.getByRole('dialog', { name: 'Deploy' }).getByRole('button', { name: 'Propose v3' }).click();
  await expect(grace.getByRole('dialog', { name: 'Proposal opened' })).toContainText('Move production of support/triage to v3');
  expect((await api.fetchPrompt(name)).version).toBe(2);
  await context.close();

  const other = await browser.newContext({ baseURL: service.url });
  const vera = await openMember(await other.newPage(), { api, account, role: 'viewer', name: 'Vera' });
  const id = await createCandidate(api);
  await vera.goto(`/dashboard/prompts/${name}?candidate=${id}&${inWorkspace}`);
  await expect(vera.getByRole('heading', { name: 'A warmer tone', level: 1 })).toBeVisible();
  for (const action of ['Save candidate', 'Propose', 'Make version', 'More actions']) {
    await expect(vera.getByRole('button', { name: action })).toHaveCount(0);
  }
  await other.close();
});

test('a release that started without approvals is finished by a proposal', async ({ signedIn: page, api }) => {
  await createVersions(api);
  await api.saveVersion(name, { template: 'Good day {{ name }}' });
  const release = { control: 2, arms: [{ version: 3, weight: 1000 }] };
  expect((await api.request.put(api.path(name, '/labels/production/release'), { data: release })).status()).toBe(200);
  const labelRules = { production: { approvals: 1, authorMayApprove: true } };
  expect((await api.request.patch('/api/workspace', { data: { labelRules } })).status()).toBe(200);
  await page.goto(`/dashboard/prompts/${name}?view=releases`);
  await page.getByRole('button', { name: 'Finish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Finish the release on production' });
  await dialog.getByRole('button', { name: 'Give everyone v3' }).click();
  await expect(dialog).toContainText('Moving production requires a proposal. This one needs 1 approval');
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose to give everyone v3' }).click();
  await page.getByRole('dialog', { name: 'Proposal opened' }).getByRole('link', { name: 'Open the proposal' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('production of support/triage is now at v3.')).toBeVisible();
  await page.goto(`/dashboard/prompts/${name}?view=releases`);
  await expect(page.getByRole('button', { name: 'Finish' })).toHaveCount(0);
  expect((await api.fetchPrompt(name)).version).toBe(3);
});

test('on a phone, the list and the editor of a candidate fit', async ({ signedIn: page, api }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await createVersions(api);
  const id = await createCandidate(api, { title: 'long'.repeat(50), message: 'word '.repeat(50) });
  await page.goto(`/dashboard/prompts/${name}?view=candidates`);
  await expect(page.getByRole('link', { name: /longlong/ })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  for (const view of ['', '&view=compare', '&view=checks']) {
    await page.goto(`/dashboard/prompts/${name}?candidate=${id}${view}`);
    await expect(page.getByRole('button', { name: 'Save candidate' })).toBeVisible();
    await expectNoSidewaysScroll(page, view);
    await expectAccessible(page);
  }
});

/** Creates a prompt with two versions, the second of which is in production. */
async function createVersions(api: Api): Promise<void> {
  await api.createPrompt(name);
  await api.saveVersion(name, { template: 'Dear {{ name }}.\nHow are you?', labels: ['production'] });
}

async function createCandidate(api: Api, content: object = {}): Promise<string> {
  const data = { title: 'A warmer tone', template: 'Hi {{ name }}', ...content };
  const response = await api.request.post(api.path(name, '/candidates'), { data });
  expect(response.status(), await response.text()).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function listVersions(api: Api): Promise<unknown[]> {
  return ((await (await api.request.get(api.path(name, '/versions'))).json()) as { data: unknown[] }).data;
}

import { readFile } from 'node:fs/promises';
import { findViolations } from './support/accessibility.ts';
import { expect, expectNoSidewaysScroll, test, write } from './support/fixtures.ts';

test('folders, tags, search and sort change the list, and the URL keeps them', async ({ signedIn: page, api, account }) => {
  await api.createPrompt('support/triage', { template: 'x', tags: ['sorting'], description: 'Sorts requests' });
  await api.createPrompt('support/mail/reply', { template: 'x', tags: ['writing'] });
  await api.createPrompt('translate', { template: 'x', tags: ['writing'] });
  await page.goto('/dashboard/prompts');
  const rows = page.locator('[role=listitem]');
  const tree = [/^translate/, /^support/, /^triage/, /^mail/, /^reply/];
  await expect(rows).toHaveText(tree);
  await page.goto(`/dashboard/prompts?workspace=${account.userId}`);
  await expect(rows).toHaveText(tree);
  await expect(page.getByRole('button', { name: 'Clear all' })).toHaveCount(0);
  await rows.nth(1).getByRole('link').click();
  await expect(page).toHaveURL(/folder=support/);
  await expect(rows).toHaveText([/^triage/, /^mail/, /^reply/]);
  await page.getByRole('link', { name: 'All prompts' }).click();

  await page.getByLabel('Search prompts').fill('sorts req');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('support/triage');
  await page.reload();
  await expect(page.getByLabel('Search prompts')).toHaveValue('sorts req');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Tag', { exact: true }).selectOption('writing');
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Tag: writing');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Changed' }).click();
  await expect(rows.first()).toContainText('translate');
  await page.getByLabel('Search prompts').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No prompts found' })).toBeVisible();
  await page.goto('/dashboard/prompts?folder=support&search=nothing');
  await page.getByRole('link', { name: 'Clear the filters' }).click();
  await expect(page).toHaveURL(/folder=support$/);
  await expect(page.getByText('2 prompts')).toBeVisible();
});

test('a list of 250 prompts renders only the visible rows, and the End key reaches the last one', async ({ signedIn: page, api }) => {
  test.setTimeout(600_000);
  await api.createPrompts(Array.from({ length: 250 }, (_, index) => `many-${String(index).padStart(3, '0')}`));
  await page.goto('/dashboard/prompts');
  await expect(page.getByText('250 prompts')).toBeVisible();
  const rows = page.getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
  await rows.first().getByRole('link').focus();
  await page.keyboard.press('End');
  await expect(rows.filter({ hasText: 'many-249' }).getByRole('link')).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('many-123');
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('1 prompt found')).toBeVisible();

  // Behaves like a workspace of 20,000 prompts, which would take minutes to fill: the server filters and sends pages.
  await page.route('**/api/overview', (route) => {
    const overview = { prompts: 20_000, tags: [], labels: ['production'], authors: [] };
    return route.fulfill({ json: overview });
  });
  await page.goto('/dashboard/prompts');
  await expect(page.getByText('20,000 prompts')).toBeVisible();
  await rows.first().getByRole('link').focus();
  // Each page is loaded when the user is near the end of the previous one.
  for (const last of ['many-099', 'many-199', 'many-249']) {
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(rows.filter({ hasText: last })).toBeVisible({ timeout: 1000 });
    }).toPass();
  }
  await page.getByLabel('Search prompts').fill('MANY-24');
  await expect(page.getByText('10 prompts found')).toBeVisible();
  await expect(rows.first()).toContainText('many-240');
});

test('selected prompts are tagged, deployed, moved, exported and deleted together', async ({ signedIn: page, api }) => {
  for (const name of ['a', 'b', 'c']) {
    await api.createPrompt(name, { template: name, tags: ['old'] });
    await api.saveVersion(name, { template: `${name}2` });
  }
  await api.createPrompt('user', { template: "{% render 'b' %}" });
  for (let calls = 0; calls < 3; calls += 1) await api.fetchPrompt('a');
  const list = async (query = '') =>
    ((await (await api.request.get(`/api/prompts${query}`)).json()) as { data: { name: string; tags: string[]; labels: object }[] }).data;
  await api.untilCalled('a', 3);

  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('listitem').first()).toContainText('3 calls in the last 24 hours');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: /^text b/ })).toBeFocused();
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selected prompts' });
  await expect(bar).toContainText('2 selected');

  await bar.getByRole('button', { name: 'Tag' }).click();
  await page.getByLabel('Add tags').fill('new, shared');
  await page.getByRole('checkbox', { name: 'old' }).check();
  await page.getByRole('button', { name: 'Save tags' }).click();
  await expect(page.getByText('Tags of 2 prompts changed.')).toBeVisible();
  expect((await list()).map(({ tags }) => tags.join())).toEqual(['new,shared', 'new,shared', 'old', '']);

  await page.getByLabel('Select all').check();
  await bar.getByRole('button', { name: 'Deploy' }).click();
  await page.getByRole('button', { name: 'Deploy 3 prompts' }).click();
  await expect(page.getByText('production moved in 3 prompts.')).toBeVisible();
  expect((await list()).map(({ labels }) => labels)).toEqual([{ production: 2 }, { production: 2 }, { production: 2 }, { production: 1 }]);

  await page.getByLabel('Select a', { exact: true }).click();
  await page.getByLabel('Select b', { exact: true }).click();
  await bar.getByRole('button', { name: 'Move' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('b: user');
  await dialog.getByLabel('To folder').fill('team/');
  await expect(dialog.getByRole('list', { name: 'New names' })).toHaveText(/^a → team\/ab → team\/b$/);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(page.getByText('2 prompts moved to team.')).toBeVisible();
  expect((await list()).map(({ name }) => name)).toEqual(['c', 'team/a', 'team/b', 'user']);

  await page.getByLabel('Select team/a').click();
  await page.getByLabel('Select team/b').click();
  const [download] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'Export' }).click()]);
  const { items } = JSON.parse(await readFile(await download.path(), 'utf8')) as { items: object[] };
  const common = {
    type: 'text',
    syntax: 'liquid',
    description: '',
    tags: ['new', 'shared'],
    variables: [],
    config: {},
    labels: ['production'],
  };
  expect(items).toEqual([
    { name: 'team/a', template: 'a2', ...common },
    { name: 'team/b', template: 'b2', ...common },
  ]);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 prompts moved to the bin.')).toBeVisible();
  await expect(bar).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('2 prompts restored.')).toBeVisible();

  await page.getByRole('button', { name: 'Actions for team/a' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { name: 'team/a-copy' })).toBeVisible();
  expect((await list('?name=team%2Fa-copy'))[0]).toMatchObject({ tags: ['new', 'shared'], labels: {} });
});

test.describe('includes', () => {
  // Previewing a prompt that includes a missing prompt returns 422.
  test.use({ allows4xx: true });

  test('the dependents of a prompt are shown before it is deployed, deleted or renamed, and renaming offers to update them', async ({
    signedIn: page,
    api,
  }) => {
    await api.createPrompt('tone', { template: 'Be kind.' });
    await api.createPrompt('reply', { template: "{% render 'tone' %} v1" });
    await api.saveVersion('reply', { template: "{% render 'tone' %} v2", labels: ['staging'] });
    await api.createPrompt('draft', { template: "{% render 'tone', label: 'staging' %}{% render 'nowhere' %}", labels: [] });
    expect((await api.request.post(api.path('reply', '/render'), { data: {} })).status()).toBe(200);
    await api.createPrompt('outer', { template: "{% render 'reply' %}", labels: [] });
    await api.untilCalled('reply', 1);

    await page.goto('/dashboard/prompts/draft?view=dependencies');
    await expect(page.getByRole('listitem').filter({ hasText: 'tone' })).toContainText('not in staging');
    await expect(page.getByRole('listitem').filter({ hasText: 'nowhere' })).toContainText('missing');
    await page.getByRole('link', { name: 'tone' }).click();
    await expect(page.getByRole('heading', { name: 'tone', exact: true })).toBeVisible();
    await page.getByRole('tab', { name: 'Dependencies' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: /^reply/ })).toContainText(
      'at production in v2 (latest, staging), v1 (production)',
    );
    await expect(page.getByRole('listitem').filter({ hasText: 'outer' })).toContainText('through reply');
    await expect(page.getByText("{% render 'name' %}")).toBeVisible();

    await page.getByRole('button', { name: 'Deploy' }).click();
    await expect(page.getByRole('dialog')).toContainText('Included by 2 prompts,');
    await page.getByRole('combobox', { name: 'To' }).selectOption('Other label…');
    await expect(page.getByRole('dialog')).toContainText('Enter the name of the label');
    await page.keyboard.press('Escape');

    await page.getByRole('tab', { name: 'Editor' }).click();
    await write(page, 'Template', 'Be very kind.');
    await page.getByRole('button', { name: 'Save version' }).click();
    const save = page.getByRole('dialog', { name: 'Save version 2' });
    await expect(save).not.toContainText('Included by');
    await save.getByRole('checkbox', { name: 'production' }).check();
    await expect(save).toContainText('Included by 2 prompts, 1 call in the last 24 hours. These prompts change too.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Included by 3 prompts');
    await expect(page.getByRole('alertdialog').getByRole('listitem').filter({ hasText: 'outer' })).toContainText('through reply');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Name, description, tags' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('voice');
    await expect(dialog.getByRole('checkbox', { name: /Save new versions/ })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'production' })).not.toBeChecked();
    await dialog.getByRole('checkbox', { name: 'production' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('2 prompts now include voice.')).toBeVisible();
    // The version that was in production is in production again, and the latest version is still the latest.
    expect(await api.fetchPrompt('reply')).toMatchObject({ version: 3, template: "{% render 'voice' %} v1", labels: ['production'] });
    const latest = await (await api.request.get(`${api.path('reply')}?label=latest`)).json();
    expect(latest).toMatchObject({ version: 4, template: "{% render 'voice' %} v2", labels: [] });
    const draft = await (await api.request.get(`${api.path('draft')}?label=latest`)).json();
    expect(draft).toMatchObject({ version: 2, template: "{% render 'voice', label: 'staging' %}{% render 'nowhere' %}" });
    expect((await api.request.post(api.path('reply', '/render'), { data: {} })).status()).toBe(200);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the longest names, descriptions and tags fit', async ({ signedIn: page, api }) => {
    const long = { description: 'd'.repeat(2000), tags: ['t'.repeat(50), 'u'.repeat(50)] };
    await api.createPrompt('W'.repeat(200), { template: 'x', ...long });
    await api.createPrompt(`${'f'.repeat(100)}/${'n'.repeat(99)}`, { template: `{% render '${'W'.repeat(200)}' %}`, tags: long.tags });
    for (const path of [
      '/dashboard/prompts',
      `/dashboard/prompts?folder=${'f'.repeat(100)}`,
      `/dashboard/prompts/${'f'.repeat(100)}/${'n'.repeat(99)}?view=dependencies`,
      `/dashboard/prompts/${'W'.repeat(200)}?view=dependencies`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole('listitem').first()).toBeVisible();
      await expectNoSidewaysScroll(page, path);
    }
    await page.goto('/dashboard/prompts');
    await page.getByLabel('Select all').check();
    await expect(page.getByRole('region', { name: 'Selected prompts' })).toContainText('2 prompts');
    await page.getByLabel('Select none').uncheck();
    await page.getByLabel(/^Select WWW/).click();
    for (const action of ['Tag', 'Delete']) {
      await page.getByRole('region', { name: 'Selected prompts' }).getByRole('button', { name: action }).click();
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
      await expect(dialog).toBeVisible();
      await expect.poll(() => dialog.evaluate((element) => element.scrollWidth - element.clientWidth), action).toBe(0);
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
  });
});

test('by keyboard alone: find a prompt, change it, save, deploy, sign out', async ({ signedIn: page, api }) => {
  await api.createPrompt('alpha', { template: 'a' });
  await api.createPrompt('beta', { template: 'b' });
  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: /alpha/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'beta' })).toBeVisible();

  const editor = page.getByRole('textbox', { name: 'Template' });
  await expect(editor).toBeVisible();
  for (let presses = 0; presses < 40 && !(await editor.evaluate((element) => element === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(editor).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('typed by keyboard');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByLabel('What changed?')).toBeFocused();
  await page.keyboard.type('Keys only');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Version 2 saved.')).toBeVisible();
  // The dialog returns the focus a moment after it closes.
  await expect(editor).toBeFocused();

  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  await deploy.focus();
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('button', { name: 'Deploy v2' });
  // Until the role of the user is known, the button is disabled and cannot get the focus.
  await expect(confirm).toBeEnabled();
  for (let presses = 0; presses < 20 && !(await confirm.evaluate((element) => element === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(confirm).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('production is now at v2.')).toBeVisible();
  await expect(deploy).toBeFocused();
  expect(await api.fetchPrompt('beta')).toMatchObject({ version: 2, template: 'typed by keyboard' });

  const tab = (name: string) => page.getByRole('tab', { name });
  await page.keyboard.press('Shift+Tab');
  await expect(tab('Editor')).toBeFocused();
  for (const [key, name] of [
    ['ArrowLeft', 'Statistics'],
    ['ArrowRight', 'Editor'],
    ['End', 'Statistics'],
    ['Home', 'Editor'],
    ['ArrowRight', 'Runs'],
    ['ArrowRight', 'History'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(tab(name)).toBeFocused();
    await expect(tab('Editor')).toHaveAttribute('aria-selected', 'true');
  }
  await page.keyboard.press('Enter');
  await expect(tab('History')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel', { name: 'History' })).toContainText('Keys only');

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
});

test('signing out waits for reads in progress, which would be refused afterwards', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings');
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/prompts?limit=100&include=author', async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  const order: string[] = [];
  page.on('request', (request) => request.url().endsWith('/sign-out') && order.push('sign out'));
  page.on('response', (response) => response.url().endsWith('/api/prompts?limit=100&include=author') && order.push('loaded'));
  await page.keyboard.press('ControlOrMeta+K');
  await asked.promise;
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  // After two frames, any immediate effect of the key has happened.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  released.resolve();
  await expect(page).toHaveURL(/\/login/);
  expect(order).toEqual(['loaded', 'sign out']);
});

test('the command palette finds prompts, pages and the actions of the page, even with typos', async ({ signedIn: page, api }) => {
  await api.createPrompt('deep/inside/prompt');
  await api.createPrompt('support/triage');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('inside');
  await expect(page.getByRole('option', { selected: true })).toContainText('deep/inside/prompt');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/prompts\/deep\/inside\/prompt$/);
  await expect(page.getByRole('heading', { name: 'deep/inside/prompt' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('trige');
  await expect(page.getByRole('option', { selected: true })).toContainText('support/triage');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'support/triage' })).toBeVisible();
  for (const [typed, shown] of [
    ['compare versions', page.getByRole('combobox', { name: 'Older version' })],
    ['statistics of', page.getByRole('tab', { name: 'Statistics', selected: true })],
    ['deploy', page.getByRole('dialog', { name: 'Deploy' })],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await expect(shown).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('api reference');
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })).toContainText('API reference');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('New prompt');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('api keys');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/api-keys$/);
  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('listitem')).toHaveText([/^deep/, /^inside/, /^prompt/, /^support/, /^triage/]);
  await page.keyboard.press('n');
  await expect(page.getByLabel('Name')).toBeFocused();
});

test('the command palette opens the settings of the workspace and creates a team', async ({ signedIn: page }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Statistics', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('general');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'General', selected: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('new team');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New team workspace' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Support team');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Workspace:/ })).toContainText('Support team');
  await expect(dialog).toBeHidden();
});

test('the command palette has no accessibility violations while loading, nor without results', async ({ signedIn: page }) => {
  const loading = Promise.withResolvers<void>();
  await page.route('**/PaletteResults-*.js', async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.goto('/dashboard/prompts');
  await expect(page.getByRole('heading', { name: 'Prompts', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+K');
  const search = page.getByRole('combobox', { name: 'Search prompts, pages and actions' });
  await expect(search).toBeFocused();
  expect(await findViolations(page)).toEqual([]);

  loading.resolve();
  await page.keyboard.type('nothing is called like this');
  await expect(page.getByText('No results')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await search.fill('');
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })).toBeVisible();
  await expect(search).toHaveAttribute('aria-expanded', 'true');
});

test('a phrase inside a prompt is found in the list and in the palette, with its line', async ({ signedIn: page, api }) => {
  await api.createPrompt('support/reply', {
    template: 'Be polite.\nNever promise a refund to {{ customer }}.',
    description: 'Answers requests',
  });
  await api.createPrompt('translate', { template: 'x' });
  await page.goto('/dashboard/prompts');
  const rows = page.locator('[role=listitem]');
  await page.getByLabel('Search prompts').fill('Promise a REFUND');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('support/reply');
  await expect(rows).toContainText('Line 2');
  await expect(rows.locator('mark')).toHaveText('promise a refund');
  await page.getByLabel('Search prompts').fill('promise a discount');
  await expect(page.getByRole('heading', { name: 'No prompts found' })).toBeVisible();
  await page.getByLabel('Search prompts').fill('answers');
  await expect(rows).toContainText('Answers requests');

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('promise a refund');
  const option = page.getByRole('option', { name: /support\/reply/ });
  await expect(option).toContainText('Never promise a refund to {{ customer }}.');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/prompts\/support\/reply/);
});
